#include "textflag.h"
#include "gemm_amd64.h"

// The panels of Gemm in AVX-512: like gemm_amd64.s, with up to 64 columns. K1 masks the last vector of every panel.
//
//	rows × vectors   6×4, 8×3, 8×2, 8×1     Z0… the tile; Z24… a row of B; Z31 an element of A

// Four vectors: up to 64 columns.

#define LOAD4(c0, c1, c2, c3) \
	VMOVUPS 0(BX), c0 \
	VMOVUPS 64(BX), c1 \
	VMOVUPS 128(BX), c2 \
	VMOVUPS.Z 192(BX), K1, c3 \
	ADDQ R8, BX

#define STORE4(c0, c1, c2, c3) \
	VMOVUPS c0, 0(BX) \
	VMOVUPS c1, 64(BX) \
	VMOVUPS c2, 128(BX) \
	VMOVUPS c3, K1, 192(BX) \
	ADDQ R8, BX

#define B4 \
	VMOVUPS 0(BX), Z24 \
	VMOVUPS 64(BX), Z25 \
	VMOVUPS 128(BX), Z26 \
	VMOVUPS.Z 192(BX), K1, Z27

#define FMA4(a, c0, c1, c2, c3) \
	VBROADCASTSS a, Z31 \
	VFMADD231PS Z24, Z31, c0 \
	VFMADD231PS Z25, Z31, c1 \
	VFMADD231PS Z26, Z31, c2 \
	VFMADD231PS Z27, Z31, c3

#define LOAD4x1 LOAD4(Z0, Z1, Z2, Z3)
#define LOAD4x2 LOAD4x1; LOAD4(Z4, Z5, Z6, Z7)
#define LOAD4x4 LOAD4x2; LOAD4(Z8, Z9, Z10, Z11); LOAD4(Z12, Z13, Z14, Z15)
#define LOAD4x6 LOAD4x4; LOAD4(Z16, Z17, Z18, Z19); LOAD4(Z20, Z21, Z22, Z23)
#define STORE4x1 STORE4(Z0, Z1, Z2, Z3)
#define STORE4x2 STORE4x1; STORE4(Z4, Z5, Z6, Z7)
#define STORE4x4 STORE4x2; STORE4(Z8, Z9, Z10, Z11); STORE4(Z12, Z13, Z14, Z15)
#define STORE4x6 STORE4x4; STORE4(Z16, Z17, Z18, Z19); STORE4(Z20, Z21, Z22, Z23)
#define STEP4x1 B4; FMA4(ROW0, Z0, Z1, Z2, Z3)
#define STEP4x2 STEP4x1; FMA4(ROW1, Z4, Z5, Z6, Z7)
#define STEP4x4 STEP4x2; FMA4(ROW2, Z8, Z9, Z10, Z11); FMA4(ROW3, Z12, Z13, Z14, Z15)
#define STEP4x6 STEP4x4; FMA4(ROW4, Z16, Z17, Z18, Z19); FMA4(ROW5, Z20, Z21, Z22, Z23)

// Three vectors: up to 48 columns.

#define LOAD3(c0, c1, c2) \
	VMOVUPS 0(BX), c0 \
	VMOVUPS 64(BX), c1 \
	VMOVUPS.Z 128(BX), K1, c2 \
	ADDQ R8, BX

#define STORE3(c0, c1, c2) \
	VMOVUPS c0, 0(BX) \
	VMOVUPS c1, 64(BX) \
	VMOVUPS c2, K1, 128(BX) \
	ADDQ R8, BX

#define B3 \
	VMOVUPS 0(BX), Z24 \
	VMOVUPS 64(BX), Z25 \
	VMOVUPS.Z 128(BX), K1, Z26

#define FMA3(a, c0, c1, c2) \
	VBROADCASTSS a, Z31 \
	VFMADD231PS Z24, Z31, c0 \
	VFMADD231PS Z25, Z31, c1 \
	VFMADD231PS Z26, Z31, c2

#define LOAD3x1 LOAD3(Z0, Z1, Z2)
#define LOAD3x2 LOAD3x1; LOAD3(Z3, Z4, Z5)
#define LOAD3x4 LOAD3x2; LOAD3(Z6, Z7, Z8); LOAD3(Z9, Z10, Z11)
#define LOAD3x8 LOAD3x4; LOAD3(Z12, Z13, Z14); LOAD3(Z15, Z16, Z17); LOAD3(Z18, Z19, Z20); LOAD3(Z21, Z22, Z23)
#define STORE3x1 STORE3(Z0, Z1, Z2)
#define STORE3x2 STORE3x1; STORE3(Z3, Z4, Z5)
#define STORE3x4 STORE3x2; STORE3(Z6, Z7, Z8); STORE3(Z9, Z10, Z11)
#define STORE3x8 STORE3x4; STORE3(Z12, Z13, Z14); STORE3(Z15, Z16, Z17); STORE3(Z18, Z19, Z20); STORE3(Z21, Z22, Z23)
#define STEP3x1 B3; FMA3(ROW0, Z0, Z1, Z2)
#define STEP3x2 STEP3x1; FMA3(ROW1, Z3, Z4, Z5)
#define STEP3x4 STEP3x2; FMA3(ROW2, Z6, Z7, Z8); FMA3(ROW3, Z9, Z10, Z11)
#define STEP3x8 STEP3x4; FMA3(ROW4, Z12, Z13, Z14); FMA3(ROW5, Z15, Z16, Z17); \
	FMA3(ROW6, Z18, Z19, Z20); FMA3(ROW7, Z21, Z22, Z23)

// Two vectors: up to 32 columns.

#define LOAD2(c0, c1) \
	VMOVUPS 0(BX), c0 \
	VMOVUPS.Z 64(BX), K1, c1 \
	ADDQ R8, BX

#define STORE2(c0, c1) \
	VMOVUPS c0, 0(BX) \
	VMOVUPS c1, K1, 64(BX) \
	ADDQ R8, BX

#define B2 \
	VMOVUPS 0(BX), Z24 \
	VMOVUPS.Z 64(BX), K1, Z25

#define FMA2(a, c0, c1) \
	VBROADCASTSS a, Z31 \
	VFMADD231PS Z24, Z31, c0 \
	VFMADD231PS Z25, Z31, c1

#define LOAD2x1 LOAD2(Z0, Z1)
#define LOAD2x2 LOAD2x1; LOAD2(Z2, Z3)
#define LOAD2x4 LOAD2x2; LOAD2(Z4, Z5); LOAD2(Z6, Z7)
#define LOAD2x8 LOAD2x4; LOAD2(Z8, Z9); LOAD2(Z10, Z11); LOAD2(Z12, Z13); LOAD2(Z14, Z15)
#define STORE2x1 STORE2(Z0, Z1)
#define STORE2x2 STORE2x1; STORE2(Z2, Z3)
#define STORE2x4 STORE2x2; STORE2(Z4, Z5); STORE2(Z6, Z7)
#define STORE2x8 STORE2x4; STORE2(Z8, Z9); STORE2(Z10, Z11); STORE2(Z12, Z13); STORE2(Z14, Z15)
#define STEP2x1 B2; FMA2(ROW0, Z0, Z1)
#define STEP2x2 STEP2x1; FMA2(ROW1, Z2, Z3)
#define STEP2x4 STEP2x2; FMA2(ROW2, Z4, Z5); FMA2(ROW3, Z6, Z7)
#define STEP2x8 STEP2x4; FMA2(ROW4, Z8, Z9); FMA2(ROW5, Z10, Z11); FMA2(ROW6, Z12, Z13); FMA2(ROW7, Z14, Z15)

// One vector: up to 16 columns.

#define LOAD1(c0) \
	VMOVUPS.Z 0(BX), K1, c0 \
	ADDQ R8, BX

#define STORE1(c0) \
	VMOVUPS c0, K1, 0(BX) \
	ADDQ R8, BX

#define B1 \
	VMOVUPS.Z 0(BX), K1, Z24

#define FMA1(a, c0) \
	VBROADCASTSS a, Z31 \
	VFMADD231PS Z24, Z31, c0

#define LOAD1x1 LOAD1(Z0)
#define LOAD1x2 LOAD1x1; LOAD1(Z1)
#define LOAD1x4 LOAD1x2; LOAD1(Z2); LOAD1(Z3)
#define LOAD1x8 LOAD1x4; LOAD1(Z4); LOAD1(Z5); LOAD1(Z6); LOAD1(Z7)
#define STORE1x1 STORE1(Z0)
#define STORE1x2 STORE1x1; STORE1(Z1)
#define STORE1x4 STORE1x2; STORE1(Z2); STORE1(Z3)
#define STORE1x8 STORE1x4; STORE1(Z4); STORE1(Z5); STORE1(Z6); STORE1(Z7)
#define STEP1x1 B1; FMA1(ROW0, Z0)
#define STEP1x2 STEP1x1; FMA1(ROW1, Z1)
#define STEP1x4 STEP1x2; FMA1(ROW2, Z2); FMA1(ROW3, Z3)
#define STEP1x8 STEP1x4; FMA1(ROW4, Z4); FMA1(ROW5, Z5); FMA1(ROW6, Z6); FMA1(ROW7, Z7)

// func gemmWide4(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)
TEXT ·gemmWide4(SB), NOSPLIT, $0-80
	PANEL
	MOVQ  mask+72(FP), AX
	KMOVW AX, K1

w4x6:
	CMPQ CX, $6
	JLT  w4x4
	TILE(LOAD4x6, STEP4x6, STORE4x6, loopw4x6)
	LEAQ (SI)(R9*4), SI
	LEAQ (SI)(R9*2), SI
	SUBQ $6, CX
	JMP  w4x6

w4x4:
	TESTQ $4, CX
	JZ    w4x2
	TILE(LOAD4x4, STEP4x4, STORE4x4, loopw4x4)
	LEAQ  (SI)(R9*4), SI

w4x2:
	TESTQ $2, CX
	JZ    w4x1
	TILE(LOAD4x2, STEP4x2, STORE4x2, loopw4x2)
	LEAQ  (SI)(R9*2), SI

w4x1:
	TESTQ $1, CX
	JZ    w4done
	TILE(LOAD4x1, STEP4x1, STORE4x1, loopw4x1)

w4done:
	VZEROUPPER
	RET

// func gemmWide3(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)
TEXT ·gemmWide3(SB), NOSPLIT, $0-80
	PANEL
	MOVQ  mask+72(FP), AX
	KMOVW AX, K1

w3x8:
	CMPQ CX, $8
	JLT  w3x4
	TILE(LOAD3x8, STEP3x8, STORE3x8, loopw3x8)
	LEAQ (SI)(R9*8), SI
	SUBQ $8, CX
	JMP  w3x8

w3x4:
	TESTQ $4, CX
	JZ    w3x2
	TILE(LOAD3x4, STEP3x4, STORE3x4, loopw3x4)
	LEAQ  (SI)(R9*4), SI

w3x2:
	TESTQ $2, CX
	JZ    w3x1
	TILE(LOAD3x2, STEP3x2, STORE3x2, loopw3x2)
	LEAQ  (SI)(R9*2), SI

w3x1:
	TESTQ $1, CX
	JZ    w3done
	TILE(LOAD3x1, STEP3x1, STORE3x1, loopw3x1)

w3done:
	VZEROUPPER
	RET

// func gemmWide2(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)
TEXT ·gemmWide2(SB), NOSPLIT, $0-80
	PANEL
	MOVQ  mask+72(FP), AX
	KMOVW AX, K1

w2x8:
	CMPQ CX, $8
	JLT  w2x4
	TILE(LOAD2x8, STEP2x8, STORE2x8, loopw2x8)
	LEAQ (SI)(R9*8), SI
	SUBQ $8, CX
	JMP  w2x8

w2x4:
	TESTQ $4, CX
	JZ    w2x2
	TILE(LOAD2x4, STEP2x4, STORE2x4, loopw2x4)
	LEAQ  (SI)(R9*4), SI

w2x2:
	TESTQ $2, CX
	JZ    w2x1
	TILE(LOAD2x2, STEP2x2, STORE2x2, loopw2x2)
	LEAQ  (SI)(R9*2), SI

w2x1:
	TESTQ $1, CX
	JZ    w2done
	TILE(LOAD2x1, STEP2x1, STORE2x1, loopw2x1)

w2done:
	VZEROUPPER
	RET

// func gemmWide1(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)
TEXT ·gemmWide1(SB), NOSPLIT, $0-80
	PANEL
	MOVQ  mask+72(FP), AX
	KMOVW AX, K1

w1x8:
	CMPQ CX, $8
	JLT  w1x4
	TILE(LOAD1x8, STEP1x8, STORE1x8, loopw1x8)
	LEAQ (SI)(R9*8), SI
	SUBQ $8, CX
	JMP  w1x8

w1x4:
	TESTQ $4, CX
	JZ    w1x2
	TILE(LOAD1x4, STEP1x4, STORE1x4, loopw1x4)
	LEAQ  (SI)(R9*4), SI

w1x2:
	TESTQ $2, CX
	JZ    w1x1
	TILE(LOAD1x2, STEP1x2, STORE1x2, loopw1x2)
	LEAQ  (SI)(R9*2), SI

w1x1:
	TESTQ $1, CX
	JZ    w1done
	TILE(LOAD1x1, STEP1x1, STORE1x1, loopw1x1)

w1done:
	VZEROUPPER
	RET
