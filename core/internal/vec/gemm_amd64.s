#include "textflag.h"
#include "gemm_amd64.h"

// The panels of Gemm in AVX2 and FMA: all rows and 8, 16 or 24 columns of C.
//
//	rows × vectors   4×3, 6×2, 8×1     Y0… the tile, row after row; Y12… a row of B; Y15 an element of A

// Three vectors: 24 columns.

#define LOAD3(c0, c1, c2) \
	VMOVUPS 0(BX), c0 \
	VMOVUPS 32(BX), c1 \
	VMOVUPS 64(BX), c2 \
	ADDQ R8, BX

#define STORE3(c0, c1, c2) \
	VMOVUPS c0, 0(BX) \
	VMOVUPS c1, 32(BX) \
	VMOVUPS c2, 64(BX) \
	ADDQ R8, BX

#define B3 \
	VMOVUPS 0(BX), Y12 \
	VMOVUPS 32(BX), Y13 \
	VMOVUPS 64(BX), Y14

#define FMA3(a, c0, c1, c2) \
	VBROADCASTSS a, Y15 \
	VFMADD231PS Y12, Y15, c0 \
	VFMADD231PS Y13, Y15, c1 \
	VFMADD231PS Y14, Y15, c2

#define LOAD3x1 LOAD3(Y0, Y1, Y2)
#define LOAD3x2 LOAD3x1; LOAD3(Y3, Y4, Y5)
#define LOAD3x4 LOAD3x2; LOAD3(Y6, Y7, Y8); LOAD3(Y9, Y10, Y11)
#define STORE3x1 STORE3(Y0, Y1, Y2)
#define STORE3x2 STORE3x1; STORE3(Y3, Y4, Y5)
#define STORE3x4 STORE3x2; STORE3(Y6, Y7, Y8); STORE3(Y9, Y10, Y11)
#define STEP3x1 B3; FMA3(ROW0, Y0, Y1, Y2)
#define STEP3x2 STEP3x1; FMA3(ROW1, Y3, Y4, Y5)
#define STEP3x4 STEP3x2; FMA3(ROW2, Y6, Y7, Y8); FMA3(ROW3, Y9, Y10, Y11)

// Two vectors: 16 columns.

#define LOAD2(c0, c1) \
	VMOVUPS 0(BX), c0 \
	VMOVUPS 32(BX), c1 \
	ADDQ R8, BX

#define STORE2(c0, c1) \
	VMOVUPS c0, 0(BX) \
	VMOVUPS c1, 32(BX) \
	ADDQ R8, BX

#define B2 \
	VMOVUPS 0(BX), Y12 \
	VMOVUPS 32(BX), Y13

#define FMA2(a, c0, c1) \
	VBROADCASTSS a, Y15 \
	VFMADD231PS Y12, Y15, c0 \
	VFMADD231PS Y13, Y15, c1

#define LOAD2x1 LOAD2(Y0, Y1)
#define LOAD2x2 LOAD2x1; LOAD2(Y2, Y3)
#define LOAD2x4 LOAD2x2; LOAD2(Y4, Y5); LOAD2(Y6, Y7)
#define LOAD2x6 LOAD2x4; LOAD2(Y8, Y9); LOAD2(Y10, Y11)
#define STORE2x1 STORE2(Y0, Y1)
#define STORE2x2 STORE2x1; STORE2(Y2, Y3)
#define STORE2x4 STORE2x2; STORE2(Y4, Y5); STORE2(Y6, Y7)
#define STORE2x6 STORE2x4; STORE2(Y8, Y9); STORE2(Y10, Y11)
#define STEP2x1 B2; FMA2(ROW0, Y0, Y1)
#define STEP2x2 STEP2x1; FMA2(ROW1, Y2, Y3)
#define STEP2x4 STEP2x2; FMA2(ROW2, Y4, Y5); FMA2(ROW3, Y6, Y7)
#define STEP2x6 STEP2x4; FMA2(ROW4, Y8, Y9); FMA2(ROW5, Y10, Y11)

// One vector; Y14 masks its columns.

#define LOAD1(c0) \
	VMASKMOVPS (BX), Y14, c0 \
	ADDQ R8, BX

#define STORE1(c0) \
	VMASKMOVPS c0, Y14, (BX) \
	ADDQ R8, BX

#define FMA1(a, c0) \
	VBROADCASTSS a, Y15 \
	VFMADD231PS Y12, Y15, c0

#define LOAD1x1 LOAD1(Y0)
#define LOAD1x2 LOAD1x1; LOAD1(Y1)
#define LOAD1x4 LOAD1x2; LOAD1(Y2); LOAD1(Y3)
#define LOAD1x8 LOAD1x4; LOAD1(Y4); LOAD1(Y5); LOAD1(Y6); LOAD1(Y7)
#define STORE1x1 STORE1(Y0)
#define STORE1x2 STORE1x1; STORE1(Y1)
#define STORE1x4 STORE1x2; STORE1(Y2); STORE1(Y3)
#define STORE1x8 STORE1x4; STORE1(Y4); STORE1(Y5); STORE1(Y6); STORE1(Y7)
#define STEP1x1 VMASKMOVPS (BX), Y14, Y12; FMA1(ROW0, Y0)
#define STEP1x2 STEP1x1; FMA1(ROW1, Y1)
#define STEP1x4 STEP1x2; FMA1(ROW2, Y2); FMA1(ROW3, Y3)
#define STEP1x8 STEP1x4; FMA1(ROW4, Y4); FMA1(ROW5, Y5); FMA1(ROW6, Y6); FMA1(ROW7, Y7)

// func gemmPanel3(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)
TEXT ·gemmPanel3(SB), NOSPLIT, $0-72
	PANEL

p3x4:
	CMPQ CX, $4
	JLT  p3x2
	TILE(LOAD3x4, STEP3x4, STORE3x4, loop3x4)
	LEAQ (SI)(R9*4), SI
	SUBQ $4, CX
	JMP  p3x4

p3x2:
	TESTQ $2, CX
	JZ    p3x1
	TILE(LOAD3x2, STEP3x2, STORE3x2, loop3x2)
	LEAQ  (SI)(R9*2), SI

p3x1:
	TESTQ $1, CX
	JZ    p3done
	TILE(LOAD3x1, STEP3x1, STORE3x1, loop3x1)

p3done:
	VZEROUPPER
	RET

// func gemmPanel2(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)
TEXT ·gemmPanel2(SB), NOSPLIT, $0-72
	PANEL

p2x6:
	CMPQ CX, $6
	JLT  p2x4
	TILE(LOAD2x6, STEP2x6, STORE2x6, loop2x6)
	LEAQ (SI)(R9*4), SI
	LEAQ (SI)(R9*2), SI
	SUBQ $6, CX
	JMP  p2x6

p2x4:
	TESTQ $4, CX
	JZ    p2x2
	TILE(LOAD2x4, STEP2x4, STORE2x4, loop2x4)
	LEAQ  (SI)(R9*4), SI

p2x2:
	TESTQ $2, CX
	JZ    p2x1
	TILE(LOAD2x2, STEP2x2, STORE2x2, loop2x2)
	LEAQ  (SI)(R9*2), SI

p2x1:
	TESTQ $1, CX
	JZ    p2done
	TILE(LOAD2x1, STEP2x1, STORE2x1, loop2x1)

p2done:
	VZEROUPPER
	RET

// func gemmPanel1(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int, mask *[8]int32)
TEXT ·gemmPanel1(SB), NOSPLIT, $0-80
	PANEL
	MOVQ mask+72(FP), AX
	VMOVUPS (AX), Y14

p1x8:
	CMPQ CX, $8
	JLT  p1x4
	TILE(LOAD1x8, STEP1x8, STORE1x8, loop1x8)
	LEAQ (SI)(R9*8), SI
	SUBQ $8, CX
	JMP  p1x8

p1x4:
	TESTQ $4, CX
	JZ    p1x2
	TILE(LOAD1x4, STEP1x4, STORE1x4, loop1x4)
	LEAQ  (SI)(R9*4), SI

p1x2:
	TESTQ $2, CX
	JZ    p1x1
	TILE(LOAD1x2, STEP1x2, STORE1x2, loop1x2)
	LEAQ  (SI)(R9*2), SI

p1x1:
	TESTQ $1, CX
	JZ    p1done
	TILE(LOAD1x1, STEP1x1, STORE1x1, loop1x1)

p1done:
	VZEROUPPER
	RET
