#include "textflag.h"
#include "lanes_amd64.h"

// TAIL sets Y7 to the mask of the CX&7 remaining words, or jumps to done if none remain.
#define TAIL(done) \
	ANDQ $7, CX \
	JZ   done \
	MOVQ $8, AX \
	SUBQ CX, AX \
	LEAQ tailMask<>(SB), BX \
	VMOVUPS (BX)(AX*4), Y7

// func dotAVX(x, y *float32, n int) float32
TEXT ·dotAVX(SB), NOSPLIT, $0-28
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	MOVQ   CX, DX
	SHRQ   $3, DX
	JZ     dottail

dotloop:
	VMOVUPS (SI), Y1
	VMULPS  (DI), Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    DX
	JNZ     dotloop

dottail:
	TAIL(dotdone)
	VMASKMOVPS (SI), Y7, Y1
	VMASKMOVPS (DI), Y7, Y2
	VMULPS  Y2, Y1, Y1
	VADDPS  Y1, Y0, Y0

dotdone:
	FOLD
	VZEROUPPER
	MOVSS X0, ret+24(FP)
	RET

// func squaredDistanceAVX(x, y *float32, n int) float32
TEXT ·squaredDistanceAVX(SB), NOSPLIT, $0-28
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	MOVQ   CX, DX
	SHRQ   $3, DX
	JZ     disttail

distloop:
	VMOVUPS (SI), Y1
	VSUBPS  (DI), Y1, Y1
	VMULPS  Y1, Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    DX
	JNZ     distloop

disttail:
	TAIL(distdone)
	VMASKMOVPS (SI), Y7, Y1
	VMASKMOVPS (DI), Y7, Y2
	VSUBPS  Y2, Y1, Y1
	VMULPS  Y1, Y1, Y1
	VADDPS  Y1, Y0, Y0

distdone:
	FOLD
	VZEROUPPER
	MOVSS X0, ret+24(FP)
	RET

// func axpyAVX(alpha float32, x, y *float32, n int)
TEXT ·axpyAVX(SB), NOSPLIT, $0-32
	VBROADCASTSS alpha+0(FP), Y0
	MOVQ  x+8(FP), SI
	MOVQ  y+16(FP), DI
	MOVQ  n+24(FP), CX
	MOVQ  CX, DX
	SHRQ  $3, DX
	JZ    axpytail

axpyloop:
	VMULPS  (SI), Y0, Y1
	VADDPS  (DI), Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    DX
	JNZ     axpyloop

axpytail:
	TAIL(axpydone)
	VMASKMOVPS (SI), Y7, Y1
	VMASKMOVPS (DI), Y7, Y2
	VMULPS  Y1, Y0, Y1
	VADDPS  Y2, Y1, Y1
	VMASKMOVPS Y1, Y7, (DI)

axpydone:
	VZEROUPPER
	RET

// func scaleFloorAVX(c float32, x *float32, least float32, n int)
TEXT ·scaleFloorAVX(SB), NOSPLIT, $0-32
	VBROADCASTSS c+0(FP), Y0
	MOVQ  x+8(FP), DI
	VBROADCASTSS least+16(FP), Y2
	MOVQ  n+24(FP), CX
	MOVQ  CX, DX
	SHRQ  $3, DX
	JZ    floortail

// For a NaN, VMAXPS returns its last source, which Go writes first.
floorloop:
	VMULPS  (DI), Y0, Y1
	VMAXPS  Y1, Y2, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, DI
	DECQ    DX
	JNZ     floorloop

floortail:
	TAIL(floordone)
	VMASKMOVPS (DI), Y7, Y1
	VMULPS  Y1, Y0, Y1
	VMAXPS  Y1, Y2, Y1
	VMASKMOVPS Y1, Y7, (DI)

floordone:
	VZEROUPPER
	RET

// func axpyIntoAVX(dst *float32, alpha float32, x, y *float32, n int)
TEXT ·axpyIntoAVX(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), R8
	VBROADCASTSS alpha+8(FP), Y0
	MOVQ x+16(FP), SI
	MOVQ y+24(FP), DI
	MOVQ n+32(FP), CX
	MOVQ CX, DX
	SHRQ $3, DX
	JZ   intotail

intoloop:
	VMULPS  (SI), Y0, Y1
	VADDPS  (DI), Y1, Y1
	VMOVUPS Y1, (R8)
	ADDQ    $32, SI
	ADDQ    $32, DI
	ADDQ    $32, R8
	DECQ    DX
	JNZ     intoloop

intotail:
	TAIL(intodone)
	VMASKMOVPS (SI), Y7, Y1
	VMASKMOVPS (DI), Y7, Y2
	VMULPS  Y1, Y0, Y1
	VADDPS  Y2, Y1, Y1
	VMASKMOVPS Y1, Y7, (R8)

intodone:
	VZEROUPPER
	RET
