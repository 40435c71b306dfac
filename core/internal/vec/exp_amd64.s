#include "textflag.h"

// The constants of exp32, each once.
DATA exp_log2e<>+0(SB)/4, $0x3fb8aa3b
GLOBL exp_log2e<>(SB), RODATA|NOPTR, $4
DATA exp_ln2hi<>+0(SB)/4, $0x3f318000
GLOBL exp_ln2hi<>(SB), RODATA|NOPTR, $4
DATA exp_ln2lo<>+0(SB)/4, $0xb95e8083
GLOBL exp_ln2lo<>(SB), RODATA|NOPTR, $4
DATA exp_min<>+0(SB)/4, $0xc2ae0000
GLOBL exp_min<>(SB), RODATA|NOPTR, $4
DATA exp_max<>+0(SB)/4, $0x42b00000
GLOBL exp_max<>(SB), RODATA|NOPTR, $4
DATA exp_c7<>+0(SB)/4, $0x39500d01
GLOBL exp_c7<>(SB), RODATA|NOPTR, $4
DATA exp_c6<>+0(SB)/4, $0x3ab60b61
GLOBL exp_c6<>(SB), RODATA|NOPTR, $4
DATA exp_c5<>+0(SB)/4, $0x3c088889
GLOBL exp_c5<>(SB), RODATA|NOPTR, $4
DATA exp_c4<>+0(SB)/4, $0x3d2aaaab
GLOBL exp_c4<>(SB), RODATA|NOPTR, $4
DATA exp_c3<>+0(SB)/4, $0x3e2aaaab
GLOBL exp_c3<>(SB), RODATA|NOPTR, $4
DATA exp_half<>+0(SB)/4, $0x3f000000
GLOBL exp_half<>(SB), RODATA|NOPTR, $4
DATA exp_one<>+0(SB)/4, $0x3f800000
GLOBL exp_one<>(SB), RODATA|NOPTR, $4
DATA exp_bias<>+0(SB)/4, $127
GLOBL exp_bias<>(SB), RODATA|NOPTR, $4

// STEP is p = p·r + c, product and sum rounded each.
#define STEP(c) \
	VMULPS Y2, Y3, Y3 \
	VADDPS c, Y3, Y3

// func expsAVX2(dst, x *float32, n int)
TEXT ·expsAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS exp_log2e<>(SB), Y4
	VBROADCASTSS exp_ln2hi<>(SB), Y5
	VBROADCASTSS exp_ln2lo<>(SB), Y6
	VBROADCASTSS exp_min<>(SB), Y7
	VBROADCASTSS exp_max<>(SB), Y8
	VBROADCASTSS exp_c6<>(SB), Y9
	VBROADCASTSS exp_c5<>(SB), Y10
	VBROADCASTSS exp_c4<>(SB), Y11
	VBROADCASTSS exp_c3<>(SB), Y12
	VBROADCASTSS exp_half<>(SB), Y13
	VBROADCASTSS exp_one<>(SB), Y14
	VPBROADCASTD exp_bias<>(SB), Y15

exps:
	VMOVUPS (SI), Y0
	VCMPPS $1, Y7, Y0, Y1 // x < −87, which the result is cleared by; false for NaN
	VMINPS Y0, Y8, Y0     // NaN stays: the second operand is taken
	VMULPS Y4, Y0, Y2
	VROUNDPS $0, Y2, Y2   // k
	VMULPS Y5, Y2, Y3
	VSUBPS Y3, Y0, Y0
	VMULPS Y6, Y2, Y3
	VSUBPS Y3, Y0, Y0     // r
	VCVTPS2DQ Y2, Y3
	VPADDD Y15, Y3, Y3
	VPSLLD $23, Y3, Y3
	VMOVAPS Y0, Y2        // r
	VMOVAPS Y3, Y0        // 2^k
	VBROADCASTSS exp_c7<>(SB), Y3
	STEP(Y9)
	STEP(Y10)
	STEP(Y11)
	STEP(Y12)
	STEP(Y13)
	STEP(Y14)
	STEP(Y14)
	VMULPS Y0, Y3, Y3
	VANDNPS Y3, Y1, Y3
	VMOVUPS Y3, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  exps
	VZEROUPPER
	RET
