#include "textflag.h"

// The panels of Gemm in NEON: all rows and 4 or 16 columns of C. C's tile of four rows, or one, stays in registers
// from the first p to the last. VFMLA fuses. Registers, strides in bytes:
//
//	R0 C  R1 ldc  R2 A  R3 am  R4 ak  R5 B  R6 ldb  R7 rows left  R8 k
//	R9 B's row p  R10 steps left  R11–R14 A's rows at p  R15 C's row
//	V0–V15 C  V16–V19 B's row p  V20–V23 elements of A

#define PANEL \
	MOVD c+0(FP), R0 \
	MOVD ldc+8(FP), R1 \
	MOVD a+16(FP), R2 \
	MOVD am+24(FP), R3 \
	MOVD ak+32(FP), R4 \
	MOVD b+40(FP), R5 \
	MOVD ldb+48(FP), R6 \
	MOVD m+56(FP), R7 \
	MOVD k+64(FP), R8 \
	LSL $2, R1 \
	LSL $2, R3 \
	LSL $2, R4 \
	LSL $2, R6

#define START \
	MOVD R2, R11 \
	MOVD R5, R9 \
	MOVD R8, R10 \
	MOVD R0, R15

#define START4 \
	START \
	ADD R3, R11, R12 \
	ADD R3, R12, R13 \
	ADD R3, R13, R14

#define FMA16(a, c0, c1, c2, c3) \
	VFMLA V16.S4, a.S4, c0.S4 \
	VFMLA V17.S4, a.S4, c1.S4 \
	VFMLA V18.S4, a.S4, c2.S4 \
	VFMLA V19.S4, a.S4, c3.S4

// func gemmPanel16(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)
TEXT ·gemmPanel16(SB), NOSPLIT, $0-72
	PANEL

rows4:
	CMP $4, R7
	BLT rows1
	START4
	VLD1.P (R15)(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P (R15)(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1.P (R15)(R1), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1.P (R15)(R1), [V12.S4, V13.S4, V14.S4, V15.S4]

loop4:
	VLD1.P (R9)(R6), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1R.P (R11)(R4), [V20.S4]
	VLD1R.P (R12)(R4), [V21.S4]
	VLD1R.P (R13)(R4), [V22.S4]
	VLD1R.P (R14)(R4), [V23.S4]
	FMA16(V20, V0, V1, V2, V3)
	FMA16(V21, V4, V5, V6, V7)
	FMA16(V22, V8, V9, V10, V11)
	FMA16(V23, V12, V13, V14, V15)
	SUBS $1, R10
	BNE loop4
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], (R0)(R1)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], (R0)(R1)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], (R0)(R1)
	VST1.P [V12.S4, V13.S4, V14.S4, V15.S4], (R0)(R1)
	ADD R3<<2, R2, R2
	SUB $4, R7
	B rows4

rows1:
	CBZ R7, done
	START
	VLD1 (R15), [V0.S4, V1.S4, V2.S4, V3.S4]

loop1:
	VLD1.P (R9)(R6), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1R.P (R11)(R4), [V20.S4]
	FMA16(V20, V0, V1, V2, V3)
	SUBS $1, R10
	BNE loop1
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], (R0)(R1)
	ADD R3, R2, R2
	SUB $1, R7
	B rows1

done:
	RET

// func gemmPanel4(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)
TEXT ·gemmPanel4(SB), NOSPLIT, $0-72
	PANEL

rows4:
	CMP $4, R7
	BLT rows1
	START4
	VLD1.P (R15)(R1), [V0.S4]
	VLD1.P (R15)(R1), [V1.S4]
	VLD1.P (R15)(R1), [V2.S4]
	VLD1.P (R15)(R1), [V3.S4]

loop4:
	VLD1.P (R9)(R6), [V16.S4]
	VLD1R.P (R11)(R4), [V20.S4]
	VLD1R.P (R12)(R4), [V21.S4]
	VLD1R.P (R13)(R4), [V22.S4]
	VLD1R.P (R14)(R4), [V23.S4]
	VFMLA V16.S4, V20.S4, V0.S4
	VFMLA V16.S4, V21.S4, V1.S4
	VFMLA V16.S4, V22.S4, V2.S4
	VFMLA V16.S4, V23.S4, V3.S4
	SUBS $1, R10
	BNE loop4
	VST1.P [V0.S4], (R0)(R1)
	VST1.P [V1.S4], (R0)(R1)
	VST1.P [V2.S4], (R0)(R1)
	VST1.P [V3.S4], (R0)(R1)
	ADD R3<<2, R2, R2
	SUB $4, R7
	B rows4

rows1:
	CBZ R7, done
	START
	VLD1 (R15), [V0.S4]

loop1:
	VLD1.P (R9)(R6), [V16.S4]
	VLD1R.P (R11)(R4), [V20.S4]
	VFMLA V16.S4, V20.S4, V0.S4
	SUBS $1, R10
	BNE loop1
	VST1.P [V0.S4], (R0)(R1)
	ADD R3, R2, R2
	SUB $1, R7
	B rows1

done:
	RET
