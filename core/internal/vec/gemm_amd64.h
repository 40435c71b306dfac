// Shared by the panels of Gemm in AVX2 and in AVX-512. C's tile of some rows stays in registers from the first p to
// the last; remaining rows are done in tiles of 4, 2 and 1. Registers, strides in bytes:
//
//	DI C  R8 ldc  SI A  R9 am  R12, R14, R15 3, 5, 7 am  R10 ak  DX B  R11 ldb  CX rows left  R13 steps left
//	AX A's row 0 at p  BX B's row p, and before and after the steps C's row

#define ROW0 (AX)
#define ROW1 (AX)(R9*1)
#define ROW2 (AX)(R9*2)
#define ROW3 (AX)(R12*1)
#define ROW4 (AX)(R9*4)
#define ROW5 (AX)(R14*1)
#define ROW6 (AX)(R12*2)
#define ROW7 (AX)(R15*1)

// PANEL loads the arguments common to all panels.
#define PANEL \
	MOVQ c+0(FP), DI \
	MOVQ ldc+8(FP), R8 \
	MOVQ a+16(FP), SI \
	MOVQ am+24(FP), R9 \
	MOVQ ak+32(FP), R10 \
	MOVQ b+40(FP), DX \
	MOVQ ldb+48(FP), R11 \
	MOVQ m+56(FP), CX \
	SHLQ $2, R8 \
	SHLQ $2, R9 \
	SHLQ $2, R10 \
	SHLQ $2, R11 \
	LEAQ (R9)(R9*2), R12 \
	LEAQ (R9)(R9*4), R14 \
	LEAQ (R12)(R9*4), R15

// TILE processes the next rows: load C, a step for each p, store C, advance C. Every addition in the loop takes a
// slot from a multiplication, so the rows of A are addressed by multiples of am instead of more pointers.
#define TILE(load, step, store, loop) \
	MOVQ DI, BX \
	load \
	MOVQ SI, AX \
	MOVQ DX, BX \
	MOVQ k+64(FP), R13 \
loop: \
	step \
	ADDQ R10, AX \
	ADDQ R11, BX \
	DECQ R13 \
	JNZ  loop \
	MOVQ DI, BX \
	store \
	MOVQ BX, DI
