#include "textflag.h"

// Like activate.go, eight values at a time. R8 is expTable, R9 logTable.

#define EXP4  0(R8)
#define EXP3  32(R8)
#define EXP2  64(R8)
#define EXP1  96(R8)
#define EXP0  128(R8)
#define LOG2E 160(R8)
#define MAGIC 192(R8)
#define LN2HIGH 224(R8)
#define LN2LOW  256(R8)
#define ONE     288(R8)
#define TWO     320(R8)
#define TWENTY  352(R8)
#define LOWEST  384(R8)
#define HIGHEST 416(R8)
#define INF     448(R8)

// Minima and maxima have the value last in Intel's order, first in Go's, so that a NaN stays.

// SIGNBIT sets y to the sign bit in all lanes.
#define SIGNBIT(y) \
	VPCMPEQD y, y, y \
	VPSLLD $31, y, y

// REDUCED is reduced: from a in Y1 to e^r − 1 in Y5 and 2^k in Y4. It overwrites Y3 and Y6.
#define REDUCED \
	VMULPS LOG2E, Y1, Y4 \
	VADDPS MAGIC, Y4, Y4 \
	VSUBPS MAGIC, Y4, Y5 \
	VMULPS LN2HIGH, Y5, Y3 \
	VSUBPS Y3, Y1, Y3 \
	VMULPS LN2LOW, Y5, Y5 \
	VSUBPS Y5, Y3, Y3 \
	VMULPS EXP4, Y3, Y5 \
	VADDPS EXP3, Y5, Y5 \
	VMULPS Y3, Y5, Y5 \
	VADDPS EXP2, Y5, Y5 \
	VMULPS Y3, Y5, Y5 \
	VADDPS EXP1, Y5, Y5 \
	VMULPS Y3, Y5, Y5 \
	VADDPS EXP0, Y5, Y5 \
	VMULPS Y3, Y3, Y6 \
	VMULPS Y6, Y5, Y5 \
	VADDPS Y3, Y5, Y5 \
	VPSLLD $23, Y4, Y4 \
	VPADDD ONE, Y4, Y4

// func exps8(dst, x *float32, n int, exp *[8]float32)
TEXT ·exps8(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ exp+24(FP), R8
	VMOVUPS LOWEST, Y15
	VMOVUPS HIGHEST, Y14
	VMOVUPS INF, Y13

exploop:
	VMOVUPS (SI), Y0
	VMINPS Y0, Y14, Y1
	VMAXPS Y1, Y15, Y1
	REDUCED
	VMULPS Y4, Y5, Y5
	VADDPS Y4, Y5, Y5
	VCMPPS $0x1e, Y14, Y0, Y2 // x > 88
	VBLENDVPS Y2, Y13, Y5, Y5
	VCMPPS $0x11, Y15, Y0, Y2 // x < −87
	VANDNPS Y5, Y2, Y5
	VMOVUPS Y5, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  exploop
	VZEROUPPER
	RET

// func tanhs8(dst, x *float32, n int, exp *[8]float32)
TEXT ·tanhs8(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ exp+24(FP), R8
	VMOVUPS TWENTY, Y15
	SIGNBIT(Y14)

tanhloop:
	VMOVUPS (SI), Y0
	VANDNPS Y0, Y14, Y1
	VANDPS Y0, Y14, Y2
	VADDPS Y1, Y1, Y1
	VMINPS Y1, Y15, Y1
	REDUCED
	VMULPS Y4, Y5, Y5
	VSUBPS ONE, Y4, Y4
	VADDPS Y4, Y5, Y5
	VADDPS TWO, Y5, Y6
	VDIVPS Y6, Y5, Y5
	VORPS  Y2, Y5, Y5
	VMOVUPS Y5, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  tanhloop
	VZEROUPPER
	RET

// func softplusSigmoids8(softplus, sigmoid, x *float32, n int, exp, log *[8]float32)
TEXT ·softplusSigmoids8(SB), NOSPLIT, $0-48
	MOVQ softplus+0(FP), DI
	MOVQ sigmoid+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ exp+32(FP), R8
	MOVQ log+40(FP), R9
	VMOVUPS LOWEST, Y15
	VMOVUPS ONE, Y14
	VXORPS Y13, Y13, Y13
	SIGNBIT(Y12)

softplusloop:
	VMOVUPS (SI), Y0
	VORPS Y0, Y12, Y1
	VMAXPS Y1, Y15, Y1
	REDUCED
	VMULPS Y4, Y5, Y5
	VADDPS Y4, Y5, Y5 // e
	VBLENDVPS Y0, Y5, Y14, Y6 // by the sign of x
	VADDPS Y14, Y5, Y7
	VDIVPS Y7, Y6, Y6
	VMULPS 0(R9), Y5, Y8
	VADDPS 32(R9), Y8, Y8
	VMULPS Y5, Y8, Y8
	VADDPS 64(R9), Y8, Y8
	VMULPS Y5, Y8, Y8
	VADDPS 96(R9), Y8, Y8
	VMULPS Y5, Y8, Y8
	VADDPS 128(R9), Y8, Y8
	VMULPS Y5, Y8, Y8
	VADDPS 160(R9), Y8, Y8
	VMULPS Y5, Y8, Y8
	VADDPS 192(R9), Y8, Y8
	VMULPS Y5, Y8, Y8
	VADDPS 224(R9), Y8, Y8
	VMULPS Y5, Y5, Y9
	VMULPS Y9, Y8, Y8
	VADDPS Y5, Y8, Y8
	VMAXPS Y0, Y13, Y0
	VADDPS Y0, Y8, Y8
	VMOVUPS Y6, (DX)
	VMOVUPS Y8, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, DX
	SUBQ $8, CX
	JNZ  softplusloop
	VZEROUPPER
	RET
