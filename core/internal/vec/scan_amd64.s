#include "textflag.h"
#include "lanes_amd64.h"

// Four rows at a time, so that the additions of one hide the latency of another's; each row's sum is made in the same
// order as for a single row.

// FOLD4 sums the 8 lanes of Y0, Y1, Y2, Y3 into the four of X0.
#define FOLD4 \
	VEXTRACTF128 $1, Y0, X4 \
	VEXTRACTF128 $1, Y1, X5 \
	VEXTRACTF128 $1, Y2, X6 \
	VEXTRACTF128 $1, Y3, X7 \
	VADDPS X4, X0, X0 \      // a0 a1 a2 a3, a_i = l_i + l_(i+4)
	VADDPS X5, X1, X1 \      // b0 …
	VADDPS X6, X2, X2 \
	VADDPS X7, X3, X3 \
	VUNPCKLPS X1, X0, X4 \   // a0 b0 a1 b1
	VUNPCKHPS X1, X0, X5 \   // a2 b2 a3 b3
	VUNPCKLPS X3, X2, X6 \
	VUNPCKHPS X3, X2, X7 \
	VADDPS X5, X4, X4 \      // a0+a2 b0+b2 a1+a3 b1+b3
	VADDPS X7, X6, X6 \
	VUNPCKLPD X6, X4, X0 \
	VUNPCKHPD X6, X4, X1 \
	VADDPS X1, X0, X0

// ROWS4 loads the arguments: query SI, its bytes DX, rows DI and three times that R12, groups of four rows CX.
#define ROWS4 \
	MOVQ dst+0(FP), R8 \
	MOVQ query+8(FP), SI \
	MOVQ w+16(FP), DX \
	MOVQ rows+24(FP), DI \
	MOVQ groups+32(FP), CX \
	MOVQ DX, R9 \
	ANDQ $7, R9 \
	MOVQ $8, AX \
	SUBQ R9, AX \
	LEAQ tailMask<>(SB), BX \
	VMOVUPS (BX)(AX*4), Y15 \
	SHLQ $2, DX \
	MOVQ DX, R13 \
	ANDQ $~31, R13 \         // bytes of whole blocks
	LEAQ (DX)(DX*2), R12

#define START4 \
	VXORPS Y0, Y0, Y0 \
	VXORPS Y1, Y1, Y1 \
	VXORPS Y2, Y2, Y2 \
	VXORPS Y3, Y3, Y3 \
	MOVQ DI, R10 \
	XORL AX, AX

#define DISTANCE(x, sum) \
	VSUBPS x, Y8, x \
	VMULPS x, x, x \
	VADDPS x, sum, sum

#define PRODUCT(x, sum) \
	VMULPS x, Y8, x \
	VADDPS x, sum, sum

#define BLOCK4(op) \
	VMOVUPS (SI)(AX*1), Y8 \
	VMOVUPS (R10), Y4 \
	VMOVUPS (R10)(DX*1), Y5 \
	VMOVUPS (R10)(DX*2), Y6 \
	VMOVUPS (R10)(R12*1), Y7 \
	op(Y4, Y0) \
	op(Y5, Y1) \
	op(Y6, Y2) \
	op(Y7, Y3) \
	ADDQ $32, AX \
	ADDQ $32, R10

#define TAIL4(op) \
	VMASKMOVPS (SI)(AX*1), Y15, Y8 \
	VMASKMOVPS (R10), Y15, Y4 \
	VMASKMOVPS (R10)(DX*1), Y15, Y5 \
	VMASKMOVPS (R10)(DX*2), Y15, Y6 \
	VMASKMOVPS (R10)(R12*1), Y15, Y7 \
	op(Y4, Y0) \
	op(Y5, Y1) \
	op(Y6, Y2) \
	op(Y7, Y3)

#define STORE4(next) \
	FOLD4 \
	VMOVUPS X0, (R8) \
	ADDQ $16, R8 \
	LEAQ (DI)(DX*4), DI \
	DECQ CX \
	JNZ  next \
	VZEROUPPER

// func squaredDistances4AVX(dst, query *float32, w int, rows *float32, groups int)
TEXT ·squaredDistances4AVX(SB), NOSPLIT, $0-40
	ROWS4

distances:
	START4
	CMPQ AX, R13
	JEQ  distancetail

distanceblock:
	BLOCK4(DISTANCE)
	CMPQ AX, R13
	JLT  distanceblock

distancetail:
	TESTQ R9, R9
	JZ    distancestore
	TAIL4(DISTANCE)

distancestore:
	STORE4(distances)
	RET

// func dots4AVX(dst, query *float32, w int, rows *float32, groups int)
TEXT ·dots4AVX(SB), NOSPLIT, $0-40
	ROWS4

dots:
	START4
	CMPQ AX, R13
	JEQ  dottail

dotblock:
	BLOCK4(PRODUCT)
	CMPQ AX, R13
	JLT  dotblock

dottail:
	TESTQ R9, R9
	JZ    dotstore
	TAIL4(PRODUCT)

dotstore:
	STORE4(dots)
	RET
