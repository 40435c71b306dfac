#include "textflag.h"

// func prefetchRows(x *float32, n int, rows *int32, m int)
TEXT ·prefetchRows(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), DX
	MOVQ rows+16(FP), R8
	MOVQ m+24(FP), CX
	SHLQ $2, DX

prefetchrow:
	MOVLQSX (R8), AX
	IMULQ DX, AX
	ADDQ SI, AX
	LEAQ (AX)(DX*1), BX

prefetchline:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	CMPQ AX, BX
	JLT  prefetchline
	ADDQ $4, R8
	DECQ CX
	JNZ  prefetchrow
	RET

// Sums of rows: up to 128 columns of y stay in registers, Z0 to Z7, from the first row to the last. K1 masks the last
// of them.
//
//	DI y  SI x  DX a row's bytes  R8 rows  R9 c  R11 rows left  R12 whether to add to y  AX the row  Z31 c_i

#define ADD(at, t, sum) \
	VMULPS at(AX), Z31, t \
	VADDPS t, sum, sum
#define LAST(at, t, sum) \
	VMULPS.Z at(AX), Z31, K1, t \
	VADDPS t, sum, sum

#define ADD1 ADD(0, Z16, Z0)
#define ADD2 ADD1; ADD(64, Z17, Z1)
#define ADD3 ADD2; ADD(128, Z18, Z2)
#define ADD4 ADD3; ADD(192, Z19, Z3)
#define ADD5 ADD4; ADD(256, Z20, Z4)
#define ADD6 ADD5; ADD(320, Z21, Z5)
#define ADD7 ADD6; ADD(384, Z22, Z6)
#define LOAD1 VMOVUPS 0(DI), Z0
#define LOAD2 LOAD1; VMOVUPS 64(DI), Z1
#define LOAD3 LOAD2; VMOVUPS 128(DI), Z2
#define LOAD4 LOAD3; VMOVUPS 192(DI), Z3
#define LOAD5 LOAD4; VMOVUPS 256(DI), Z4
#define LOAD6 LOAD5; VMOVUPS 320(DI), Z5
#define LOAD7 LOAD6; VMOVUPS 384(DI), Z6
#define STORE1 VMOVUPS Z0, 0(DI)
#define STORE2 STORE1; VMOVUPS Z1, 64(DI)
#define STORE3 STORE2; VMOVUPS Z2, 128(DI)
#define STORE4 STORE3; VMOVUPS Z3, 192(DI)
#define STORE5 STORE4; VMOVUPS Z4, 256(DI)
#define STORE6 STORE5; VMOVUPS Z5, 320(DI)
#define STORE7 STORE6; VMOVUPS Z6, 384(DI)
#define NONE

// SUM processes a block of columns: the whole vectors of load, add and store, and the last vector, at.
#define SUM(load, add, store, at, t, sum, loop) \
	TESTQ R12, R12 \
	JZ   loop \
	load \
	VMOVUPS.Z at(DI), K1, sum \
loop: \
	MOVLQSX (R8), AX \
	IMULQ DX, AX \
	ADDQ SI, AX \
	VBROADCASTSS (R9), Z31 \
	add \
	LAST(at, t, sum) \
	ADDQ $4, R8 \
	ADDQ $4, R9 \
	DECQ R11 \
	JNZ  loop \
	store \
	VMOVUPS sum, K1, at(DI)

// func accumulateRows512(y *float32, n int, c, x *float32, rows *int32, m, keep int)
TEXT ·accumulateRows512(SB), NOSPLIT, $0-56
	MOVQ y+0(FP), DI
	MOVQ n+8(FP), R10
	MOVQ x+24(FP), SI
	MOVQ keep+48(FP), R12
	MOVQ R10, DX
	SHLQ $2, DX

sumblock:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	MOVQ c+16(FP), R9
	MOVQ rows+32(FP), R8
	MOVQ m+40(FP), R11
	CMPQ R10, $128
	JLE  sumrest
	MOVL $0xffff, AX
	KMOVW AX, K1
	SUM(LOAD7, ADD7, STORE7, 448, Z23, Z7, sumloop)
	ADDQ $512, DI
	ADDQ $512, SI
	SUBQ $128, R10
	JMP  sumblock

sumrest:
	// The last vector has the R10 − 16·(vectors − 1) lowest lanes.
	LEAQ -1(R10), CX
	MOVQ CX, BX
	ANDQ $15, CX
	MOVL $2, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	SHRQ $4, BX
	CMPQ BX, $3
	JEQ  sum4
	JGT  sum5up
	CMPQ BX, $1
	JLT  sum1
	JEQ  sum2
	SUM(LOAD2, ADD2, STORE2, 128, Z18, Z2, sumloop3)
	JMP  sumdone

sum1:
	SUM(NONE, NONE, NONE, 0, Z16, Z0, sumloop1)
	JMP  sumdone

sum2:
	SUM(LOAD1, ADD1, STORE1, 64, Z17, Z1, sumloop2)
	JMP  sumdone

sum4:
	SUM(LOAD3, ADD3, STORE3, 192, Z19, Z3, sumloop4)
	JMP  sumdone

sum5up:
	CMPQ BX, $5
	JLT  sum5
	JEQ  sum6
	CMPQ BX, $6
	JEQ  sum7
	SUM(LOAD7, ADD7, STORE7, 448, Z23, Z7, sumloop8)
	JMP  sumdone

sum5:
	SUM(LOAD4, ADD4, STORE4, 256, Z20, Z4, sumloop5)
	JMP  sumdone

sum6:
	SUM(LOAD5, ADD5, STORE5, 320, Z21, Z5, sumloop6)
	JMP  sumdone

sum7:
	SUM(LOAD6, ADD6, STORE6, 384, Z22, Z6, sumloop7)

sumdone:
	VZEROUPPER
	RET
