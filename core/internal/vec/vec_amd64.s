#include "textflag.h"
#include "lanes_amd64.h"

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

// A block of columns stays in registers from the first row to the last, so y is read and written once.
//
// func accumulateAVX(y *float32, n int, c *float32, x *float32, m int)
TEXT ·accumulateAVX(SB), NOSPLIT, $0-40
	MOVQ y+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ c+16(FP), R8
	MOVQ x+24(FP), DI
	MOVQ m+32(FP), DX
	MOVQ CX, R12
	SHLQ $2, R12 // bytes from row to row

acc64:
	CMPQ CX, $64
	JLT  acc32
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS 128(SI), Y4
	VMOVUPS 160(SI), Y5
	VMOVUPS 192(SI), Y6
	VMOVUPS 224(SI), Y7
	MOVQ R8, R9
	MOVQ DI, R10
	MOVQ DX, R11

acc64row:
	VBROADCASTSS (R9), Y8
	VMULPS 0(R10), Y8, Y9
	VADDPS Y9, Y0, Y0
	VMULPS 32(R10), Y8, Y10
	VADDPS Y10, Y1, Y1
	VMULPS 64(R10), Y8, Y11
	VADDPS Y11, Y2, Y2
	VMULPS 96(R10), Y8, Y12
	VADDPS Y12, Y3, Y3
	VMULPS 128(R10), Y8, Y9
	VADDPS Y9, Y4, Y4
	VMULPS 160(R10), Y8, Y10
	VADDPS Y10, Y5, Y5
	VMULPS 192(R10), Y8, Y11
	VADDPS Y11, Y6, Y6
	VMULPS 224(R10), Y8, Y12
	VADDPS Y12, Y7, Y7
	ADDQ $4, R9
	ADDQ R12, R10
	DECQ R11
	JNZ  acc64row
	VMOVUPS Y0, 0(SI)
	VMOVUPS Y1, 32(SI)
	VMOVUPS Y2, 64(SI)
	VMOVUPS Y3, 96(SI)
	VMOVUPS Y4, 128(SI)
	VMOVUPS Y5, 160(SI)
	VMOVUPS Y6, 192(SI)
	VMOVUPS Y7, 224(SI)
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $64, CX
	JMP  acc64

acc32:
	CMPQ CX, $32
	JLT  acc16
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	MOVQ R8, R9
	MOVQ DI, R10
	MOVQ DX, R11

acc32row:
	VBROADCASTSS (R9), Y8
	VMULPS 0(R10), Y8, Y9
	VADDPS Y9, Y0, Y0
	VMULPS 32(R10), Y8, Y10
	VADDPS Y10, Y1, Y1
	VMULPS 64(R10), Y8, Y11
	VADDPS Y11, Y2, Y2
	VMULPS 96(R10), Y8, Y12
	VADDPS Y12, Y3, Y3
	ADDQ $4, R9
	ADDQ R12, R10
	DECQ R11
	JNZ  acc32row
	VMOVUPS Y0, 0(SI)
	VMOVUPS Y1, 32(SI)
	VMOVUPS Y2, 64(SI)
	VMOVUPS Y3, 96(SI)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, CX
	JMP  acc32

acc16:
	CMPQ CX, $16
	JLT  acc8
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	MOVQ R8, R9
	MOVQ DI, R10
	MOVQ DX, R11

acc16row:
	VBROADCASTSS (R9), Y8
	VMULPS 0(R10), Y8, Y9
	VADDPS Y9, Y0, Y0
	VMULPS 32(R10), Y8, Y10
	VADDPS Y10, Y1, Y1
	ADDQ $4, R9
	ADDQ R12, R10
	DECQ R11
	JNZ  acc16row
	VMOVUPS Y0, 0(SI)
	VMOVUPS Y1, 32(SI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JMP  acc16

acc8:
	CMPQ CX, $8
	JLT  acctail
	VMOVUPS 0(SI), Y0
	MOVQ R8, R9
	MOVQ DI, R10
	MOVQ DX, R11

acc8row:
	VBROADCASTSS (R9), Y8
	VMULPS 0(R10), Y8, Y9
	VADDPS Y9, Y0, Y0
	ADDQ $4, R9
	ADDQ R12, R10
	DECQ R11
	JNZ  acc8row
	VMOVUPS Y0, 0(SI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JMP  acc8

acctail:
	TAIL(accdone)
	VMASKMOVPS (SI), Y7, Y0
	MOVQ R8, R9
	MOVQ DI, R10
	MOVQ DX, R11

accrow:
	VBROADCASTSS (R9), Y8
	VMASKMOVPS (R10), Y7, Y9
	VMULPS Y9, Y8, Y9
	VADDPS Y9, Y0, Y0
	ADDQ $4, R9
	ADDQ R12, R10
	DECQ R11
	JNZ  accrow
	VMASKMOVPS Y0, Y7, (SI)

accdone:
	VZEROUPPER
	RET
