#include "textflag.h"

// Masks for the last, incomplete block: the 8 words from tailMask+4*(8-r) are r ones, then zeros.
DATA tailMask<>+0x00(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x08(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x10(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x18(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x20(SB)/8, $0
DATA tailMask<>+0x28(SB)/8, $0
DATA tailMask<>+0x30(SB)/8, $0
DATA tailMask<>+0x38(SB)/8, $0
GLOBL tailMask<>(SB), RODATA|NOPTR, $64

// FOLD sums the 8 lanes of Y0 into X0 as ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)).
#define FOLD \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0 \       // l0+l4, l1+l5, l2+l6, l3+l7
	VMOVHLPS X0, X0, X1 \
	VADDPS X1, X0, X0 \       // (l0+l4)+(l2+l6), (l1+l5)+(l3+l7)
	VMOVSHDUP X0, X1 \
	VADDSS X1, X0, X0

// TAIL sets Y7 to the mask of the CX&7 remaining words, or jumps to done where there are none.
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
