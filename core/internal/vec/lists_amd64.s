#include "textflag.h"
#include "lanes_amd64.h"

// Like lists.go: the row kernels for many rows in one call. Columns are the outer loop, so that data of all rows
// stay in registers: first the caller's number of blocks of 16 columns, in AVX-512, then blocks of 8, in AVX. Both
// have the same source, with V0 to V15 for Z0 to Z15 or Y0 to Y15. In all of them
//
//	CX bytes of h values  SI x at the block's columns  AX bytes of the columns done  R15 address of a row

DATA factors<>+0(SB)/4, $0x3f800000 // 1
DATA factors<>+4(SB)/4, $0xc0000000 // −2
GLOBL factors<>(SB), RODATA|NOPTR, $8

#define ONE      factors<>+0(SB)
#define MINUSTWO factors<>+4(SB)

// ROW sets R15 to the block's columns in row number k of the list R10; the row's other half is CX bytes after.
#define ROW(k) \
	MOVLQSX (R10)(k*4), R15 \
	IMULQ CX, R15 \
	LEAQ (SI)(R15*2), R15

// AHEAD prefetches the block's columns of row number k of the list R13.
#define AHEAD(k) \
	MOVLQSX (R13)(k*4), R15 \
	IMULQ CX, R15 \
	LEAQ (SI)(R15*2), R15 \
	PREFETCHT0 (R15) \
	PREFETCHT0 (R15)(CX*1)

// BLOCKS processes all columns.
#define BLOCKS(wide, narrow, wideblock, narrowblock, done) \
	TESTQ R12, R12 \
	JZ    narrowblock \
wideblock: \
	wide \
	ADDQ $64, AX \
	ADDQ $64, SI \
	DECQ R12 \
	JNZ  wideblock \
narrowblock: \
	CMPQ AX, CX \
	JGE  done \
	narrow \
	ADDQ $32, AX \
	ADDQ $32, SI \
	JMP  narrowblock \
done: \
	VZEROUPPER \
	RET

#define SAMPLE(V0, V1, V7, loop) \
	VMOVUPS (R9)(AX*1), V7 \
	MOVQ AX, BX \ // where the block is in diff, z and eps
	XORL R14, R14 \
loop: \
	ROW(R14) \
	VMOVUPS (R15)(CX*1), V0 \
	VMULPS (DX)(BX*1), V0, V0 \
	VADDPS (R15), V0, V0 \
	VSUBPS V0, V7, V0 \
	VMULPS V0, V0, V1 \
	VMOVUPS V0, (DI)(BX*1) \
	VMOVUPS V1, (R8)(BX*1) \
	ADDQ CX, BX \
	INCQ R14 \
	CMPQ R14, R11 \
	JLT  loop

#define TWO(V0, V1, V2, V7, loop) \
	VMOVUPS (R9)(AX*1), V7 \
	MOVQ AX, BX \ // where the block is in dst and square
	MOVQ $0, i-8(SP) \
loop: \
	MOVQ i-8(SP), R14 \
	AHEAD(R14) \
	MOVQ at+64(FP), R15 \
	MOVLQSX (R15)(R14*4), R14 \
	ROW(R14) \
	IMULQ CX, R14 \
	ADDQ AX, R14 \ // where it is in diff and eps
	VMOVUPS (R15)(CX*1), V0 \
	VMULPS (DX)(R14*1), V0, V0 \
	VADDPS (R15), V0, V0 \
	VSUBPS V0, V7, V0 \
	VMOVUPS (R11)(R14*1), V1 \
	VMULPS V1, V1, V2 \
	VADDPS V1, V1, V1 \ // 2·diff, exactly
	VMULPS V0, V1, V1 \
	VMOVUPS V2, (R8)(BX*1) \
	VMOVUPS V1, (DI)(BX*1) \
	ADDQ CX, BX \
	MOVQ i-8(SP), R14 \
	INCQ R14 \
	MOVQ R14, i-8(SP) \
	CMPQ R14, n+80(FP) \
	JLT  loop

#define LIFT(V0, V1, V2, V3, V4, V5, V6, V7, V8, V14, loop) \
	MOVQ anchor+24(FP), R15 \
	ADDQ AX, R15 \
	VMOVUPS (R15), V6 \
	VMOVUPS (R15)(CX*1), V7 \
	MOVQ accD+8(FP), R15 \
	ADDQ AX, R15 \
	VMOVUPS (R15), V3 \
	VMOVUPS (R15)(CX*1), V4 \
	MOVQ accX+16(FP), R15 \
	VMOVUPS (R15)(AX*1), V5 \
	VBROADCASTSS MINUSTWO, V14 \
	MOVQ beta+56(FP), R13 \
	ADDQ AX, R13 \
	MOVQ at+80(FP), R8 \
	MOVQ n+96(FP), BX \
loop: \
	MOVLQSX (R8), R14 \
	VBROADCASTSS (R9)(R14*4), V8 \
	VADDPS V8, V8, V8 \ // 2c, exactly
	ROW(R14) \
	IMULQ CX, R14 \
	VMOVUPS (R15), V0 \
	VSUBPS V6, V0, V0 \
	VMULPS V8, V0, V0 \ // e
	VMOVUPS (R15)(CX*1), V1 \
	VSUBPS V7, V1, V1 \
	VMULPS V8, V1, V1 \ // e of the other half
	LEAQ (DI)(R14*2), R15 \
	ADDQ AX, R14 \ // where the block is in diff and eps
	VMOVUPS (R11)(R14*1), V2 \
	VMULPS (R13), V2, V2 \
	VMULPS V14, V2, V2 \ // dx
	VSUBPS V0, V3, V3 \
	VSUBPS V1, V4, V4 \
	VSUBPS V2, V5, V5 \
	VADDPS V2, V0, V0 \
	VMULPS (DX)(R14*1), V2, V2 \
	VADDPS V2, V1, V1 \
	VMOVUPS V0, (R15)(AX*1) \
	ADDQ CX, R15 \
	VMOVUPS V1, (R15)(AX*1) \
	ADDQ CX, R13 \
	ADDQ $4, R8 \
	DECQ BX \
	JNZ  loop \
	MOVQ accD+8(FP), R15 \
	ADDQ AX, R15 \
	VMOVUPS V3, (R15) \
	VMOVUPS V4, (R15)(CX*1) \
	MOVQ accX+16(FP), R15 \
	VMOVUPS V5, (R15)(AX*1)

#define SLOPE(V0, V1, V2, V3, V14, loop) \
	VMOVUPS (R9)(AX*1), V3 \
	VMOVUPS (R8)(AX*1), V2 \
	VBROADCASTSS ONE, V14 \
	MOVQ AX, BX \ // where the block is in e
	MOVQ R10, R15 \
	MOVQ n+56(FP), R13 \
loop: \
	MOVLQSX (R15), R14 \
	VBROADCASTSS (DX)(R14*4), V1 \
	IMULQ CX, R14 \
	VMOVUPS (SI)(R14*1), V0 \
	VMULPS V0, V0, V0 \
	VSUBPS V0, V14, V0 \
	VMULPS V3, V1, V1 \
	VMULPS V0, V1, V1 \
	VADDPS V1, V2, V2 \
	VMOVUPS V1, (DI)(BX*1) \
	ADDQ CX, BX \
	ADDQ $4, R15 \
	DECQ R13 \
	JNZ  loop \
	VMOVUPS V2, (R8)(AX*1)

#define SECOND(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V14, loop) \
	MOVQ gw+16(FP), R15 \
	VMOVUPS (R15)(AX*1), V5 \
	MOVQ sumA+24(FP), R15 \
	VMOVUPS (R15)(AX*1), V6 \
	MOVQ sumT+32(FP), R15 \
	VMOVUPS (R15)(AX*1), V7 \
	MOVQ w2+48(FP), R15 \
	VMOVUPS (R15)(AX*1), V8 \
	VBROADCASTSS ONE, V14 \
	MOVQ AX, BX \ // where the block is in da and dt
	XORL R13, R13 \
loop: \
	MOVLQSX (R10)(R13*4), R14 \
	VBROADCASTSS (R9)(R13*4), V9 \ // ρ
	VBROADCASTSS (R11)(R13*4), V10 \ // ws
	IMULQ CX, R14 \
	VMOVUPS (SI)(R14*1), V0 \ // g
	VMULPS V0, V0, V1 \
	VSUBPS V1, V14, V1 \ // slope
	VMULPS V8, V1, V2 \ // w2·slope
	VMOVUPS (DI)(BX*1), V3 \ // t
	VMULPS V3, V1, V1 \
	VMULPS V10, V1, V1 \
	VMULPS V9, V0, V4 \
	VADDPS V1, V4, V4 \
	VADDPS V4, V5, V5 \
	VMULPS V3, V2, V3 \
	VADDPS V10, V10, V11 \
	VMULPS V11, V0, V0 \
	VMULPS V3, V0, V0 \
	VMULPS V9, V2, V4 \
	VSUBPS V0, V4, V4 \
	VMULPS V10, V2, V2 \
	VADDPS V4, V6, V6 \
	VADDPS V2, V7, V7 \
	VMOVUPS V4, (DI)(BX*1) \
	VMOVUPS V2, (R8)(BX*1) \
	ADDQ CX, BX \
	INCQ R13 \
	CMPQ R13, DX \
	JLT  loop \
	MOVQ gw+16(FP), R15 \
	VMOVUPS V5, (R15)(AX*1) \
	MOVQ sumA+24(FP), R15 \
	VMOVUPS V6, (R15)(AX*1) \
	MOVQ sumT+32(FP), R15 \
	VMOVUPS V7, (R15)(AX*1)

// func sampleDiffs(diff, z, xa, x *float32, rows *int32, eps *float32, h, n, wide int)
TEXT ·sampleDiffs(SB), NOSPLIT, $0-72
	MOVQ diff+0(FP), DI
	MOVQ z+8(FP), R8
	MOVQ xa+16(FP), R9
	MOVQ x+24(FP), SI
	MOVQ rows+32(FP), R10
	MOVQ eps+40(FP), DX
	MOVQ h+48(FP), CX
	MOVQ n+56(FP), R11
	MOVQ wide+64(FP), R12
	SHLQ $2, CX
	XORL AX, AX
	BLOCKS(SAMPLE(Z0, Z1, Z7, sample16), SAMPLE(Y0, Y1, Y7, sample8), samplewide, samplenarrow, sampledone)

// func twoDiffs(dst, square, diff, va, x *float32, rows, ahead *int32, eps *float32, at *int32, h, n, wide int)
TEXT ·twoDiffs(SB), NOSPLIT, $8-96
	MOVQ dst+0(FP), DI
	MOVQ square+8(FP), R8
	MOVQ diff+16(FP), R11
	MOVQ va+24(FP), R9
	MOVQ x+32(FP), SI
	MOVQ rows+40(FP), R10
	MOVQ ahead+48(FP), R13
	MOVQ eps+56(FP), DX
	MOVQ h+72(FP), CX
	MOVQ wide+88(FP), R12
	SHLQ $2, CX
	XORL AX, AX
	BLOCKS(TWO(Z0, Z1, Z2, Z7, two16), TWO(Y0, Y1, Y2, Y7, two8), twowide, twonarrow, twodone)

#define LIFT16 LIFT(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z14, lift16)
#define LIFT8 LIFT(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y14, lift8)

// func tripletsBackward(grad, accD, accX, anchor, x *float32, rows *int32, diff, beta, eps, c *float32, at *int32, h,
// n, wide int)
TEXT ·tripletsBackward(SB), NOSPLIT, $0-112
	MOVQ grad+0(FP), DI
	MOVQ x+32(FP), SI
	MOVQ rows+40(FP), R10
	MOVQ diff+48(FP), R11
	MOVQ eps+64(FP), DX
	MOVQ c+72(FP), R9
	MOVQ h+88(FP), CX
	MOVQ wide+104(FP), R12
	SHLQ $2, CX
	XORL AX, AX
	BLOCKS(LIFT16, LIFT8, liftwide, liftnarrow, liftdone)

// func slopesScale(e, sum, tanh, w2, c *float32, at *int32, h, n, wide int)
TEXT ·slopesScale(SB), NOSPLIT, $0-72
	MOVQ e+0(FP), DI
	MOVQ sum+8(FP), R8
	MOVQ tanh+16(FP), SI
	MOVQ w2+24(FP), R9
	MOVQ c+32(FP), DX
	MOVQ at+40(FP), R10
	MOVQ h+48(FP), CX
	MOVQ wide+64(FP), R12
	SHLQ $2, CX
	XORL AX, AX
	BLOCKS(SLOPE(Z0, Z1, Z2, Z3, Z14, slope16), SLOPE(Y0, Y1, Y2, Y3, Y14, slope8), slopewide, slopenarrow, slopedone)

#define SECOND16 SECOND(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z14, second16)
#define SECOND8 SECOND(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y14, second8)

// func secondOrders(da, dt, gw, sumA, sumT, tanh, w2, rho, ws *float32, at *int32, h, n, wide int)
TEXT ·secondOrders(SB), NOSPLIT, $0-104
	MOVQ da+0(FP), DI
	MOVQ dt+8(FP), R8
	MOVQ tanh+40(FP), SI
	MOVQ rho+56(FP), R9
	MOVQ ws+64(FP), R11
	MOVQ at+72(FP), R10
	MOVQ h+80(FP), CX
	MOVQ n+88(FP), DX
	MOVQ wide+96(FP), R12
	SHLQ $2, CX
	XORL AX, AX
	BLOCKS(SECOND16, SECOND8, secondwide, secondnarrow, seconddone)

// Row after row:

// func slopeDots(kappa, tanh, t, w2 *float32, at *int32, h, n int)
TEXT ·slopeDots(SB), NOSPLIT, $0-56
	MOVQ kappa+0(FP), DI
	MOVQ tanh+8(FP), SI
	MOVQ t+16(FP), R8
	MOVQ w2+24(FP), DX
	MOVQ at+32(FP), R10
	MOVQ h+40(FP), CX
	MOVQ n+48(FP), R11
	VBROADCASTSS ONE, Y14
	SHLQ $2, CX

slopedotrow:
	MOVLQSX (R10), R14
	IMULQ CX, R14
	ADDQ SI, R14
	XORL AX, AX
	VXORPS Y0, Y0, Y0

slopedotloop:
	VMOVUPS (R14)(AX*1), Y1
	VMULPS Y1, Y1, Y1
	VSUBPS Y1, Y14, Y1
	VMULPS (DX)(AX*1), Y1, Y1
	VMULPS (R8)(AX*1), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  slopedotloop
	FOLD
	MOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ $4, R10
	ADDQ CX, R8
	DECQ R11
	JNZ  slopedotrow
	VZEROUPPER
	RET

// func squaredDistancesOf(dst, query, x *float32, rows, ahead *int32, w, n int)
TEXT ·squaredDistancesOf(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ query+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ rows+24(FP), R10
	MOVQ ahead+32(FP), R13
	MOVQ w+40(FP), CX
	MOVQ n+48(FP), R11
	SHLQ $2, CX

distrow:
	MOVLQSX (R13), R14
	IMULQ CX, R14
	ADDQ SI, R14
	MOVLQSX (R10), R15
	IMULQ CX, R15
	ADDQ SI, R15
	XORL AX, AX
	VXORPS Y0, Y0, Y0

distloop:
	PREFETCHT0 (R14)(AX*1) // half of them for nothing, but nothing waits
	VMOVUPS (DX)(AX*1), Y1
	VSUBPS (R15)(AX*1), Y1, Y1
	VMULPS Y1, Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  distloop
	FOLD
	MOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ $4, R10
	ADDQ $4, R13
	DECQ R11
	JNZ  distrow
	VZEROUPPER
	RET

// func spread(dst, row *float32, h, n int)
TEXT ·spread(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ h+16(FP), CX
	MOVQ n+24(FP), R11
	SHLQ $2, CX
	XORL AX, AX

spreadblock:
	VMOVUPS (SI)(AX*1), Y0
	MOVQ AX, BX
	MOVQ R11, R10

spreadloop:
	VMOVUPS Y0, (DI)(BX*1)
	ADDQ CX, BX
	DECQ R10
	JNZ  spreadloop
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  spreadblock
	VZEROUPPER
	RET
