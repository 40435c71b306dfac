#include "textflag.h"

// Like normal_amd64.s, in AVX-512: 32 blocks at a time, since ten rounds are a long chain, whose latency four of them
// side by side hide, and so do four of Box-Muller. A word of blocks 0, 2, … 14, of 1, 3, … 15, and of the next sixteen
// is in Z0–Z3, Z4–Z7, Z8–Z11, Z12–Z15.

DATA even<>+0x00(SB)/8, $0
DATA even<>+0x08(SB)/8, $2
DATA even<>+0x10(SB)/8, $4
DATA even<>+0x18(SB)/8, $6
DATA even<>+0x20(SB)/8, $8
DATA even<>+0x28(SB)/8, $10
DATA even<>+0x30(SB)/8, $12
DATA even<>+0x38(SB)/8, $14
GLOBL even<>(SB), RODATA|NOPTR, $64

DATA small<>+0x00(SB)/8, $1
DATA small<>+0x08(SB)/8, $16
DATA small<>+0x10(SB)/8, $0xD2511F53
DATA small<>+0x18(SB)/8, $0xCD9E8D57
GLOBL small<>(SB), RODATA|NOPTR, $32

// MULTIPLY and MIX turn words c0, c1, c2, c3 into c0, t1, c2, t0. Z24, Z25 are the round's keys, Z26, Z27 the
// multipliers.
#define MULTIPLY(c0, c2, t0, t1) \
	VPMULUDQ Z26, c0, t0 \
	VPMULUDQ Z27, c2, t1

// One high word of the products comes from a shift and one from a shuffle, which use different ports. The upper halves
// are left with values that no multiplication reads.
#define MIX(c0, c1, c2, c3, t0, t1) \
	VPSRLQ $32, t1, c0 \
	VPSHUFD $0xf5, t0, c2 \
	VPTERNLOGQ $0x96, Z24, c1, c0 \ // c0 ^ c1 ^ key
	VPTERNLOGQ $0x96, Z25, c3, c2

#define KEYS(round) \
	VPBROADCASTD (8*(round))(R8), Z24 \
	VPBROADCASTD (8*(round)+4)(R8), Z25

// TWOROUNDS returns every word to its register.
#define TWOROUNDS(round) \
	KEYS(round) \
	MULTIPLY(Z0, Z2, Z16, Z17) \
	MULTIPLY(Z4, Z6, Z18, Z19) \
	MULTIPLY(Z8, Z10, Z20, Z21) \
	MULTIPLY(Z12, Z14, Z22, Z23) \
	MIX(Z0, Z1, Z2, Z3, Z16, Z17) \
	MIX(Z4, Z5, Z6, Z7, Z18, Z19) \
	MIX(Z8, Z9, Z10, Z11, Z20, Z21) \
	MIX(Z12, Z13, Z14, Z15, Z22, Z23) \
	KEYS(round+1) \
	MULTIPLY(Z0, Z2, Z3, Z1) \
	MULTIPLY(Z4, Z6, Z7, Z5) \
	MULTIPLY(Z8, Z10, Z11, Z9) \
	MULTIPLY(Z12, Z14, Z15, Z13) \
	MIX(Z0, Z17, Z2, Z16, Z3, Z1) \
	MIX(Z4, Z19, Z6, Z18, Z7, Z5) \
	MIX(Z8, Z21, Z10, Z20, Z11, Z9) \
	MIX(Z12, Z23, Z14, Z22, Z15, Z13)

// TOGETHER merges a word of sixteen blocks into even's 32-bit lanes; K1 are the odd lanes.
#define TOGETHER(even, odd) VPSHUFD $0xa0, odd, K1, even

// The constants at R9, each one float32 in 32 bytes.
#define HALF     0(R9)
#define OFFSET   32(R9)
#define MANTISSA 64(R9)
#define ROOTHALF 96(R9)
#define UNIT     128(R9)
#define LOG(i)     (160+32*(7-i))(R9)
#define MINUS2LN2  416(R9)
#define ANGLEUNIT  448(R9)
#define SIN(i)     (480+32*(3-i))(R9)
#define COS(i)     (608+32*(3-i))(R9)
#define SIGN       736(R9)

// ALL does a step of boxMuller for the four pairs of words a and b, with e, l, s, c as scratch.
#define ALL(step) \
	step(Z0, Z1, Z4, Z5, Z6, Z7) \
	step(Z2, Z3, Z12, Z13, Z14, Z15) \
	step(Z8, Z9, Z16, Z17, Z18, Z19) \
	step(Z10, Z11, Z20, Z21, Z22, Z23)

#define RADIUS1(a, b, e, l, s, c) \
	VPSRLD $1, a, a \
	VCVTDQ2PS a, a \
	VPSLLD $1, b, s \
	VCVTDQ2PS s, s
#define RADIUS2(a, b, e, l, s, c) \
	VADDPS.BCST HALF, a, a \
	VMULPS.BCST ANGLEUNIT, s, s // v
#define RADIUS3(a, b, e, l, s, c) \
	VPSUBD.BCST OFFSET, a, a \
	VPSRAD $23, a, e \
	VCVTDQ2PS e, e \
	VPANDD.BCST MANTISSA, a, a \
	VPADDD.BCST ROOTHALF, a, a \
	VSUBPS.BCST UNIT, a, a // f
#define RADIUS4(a, b, e, l, s, c) \
	VMULPS.BCST MINUS2LN2, e, e \
	VMULPS.BCST LOG(7), a, l \
	VADDPS.BCST LOG(6), l, l
#define HORNER(i, a, l) \
	VMULPS a, l, l \
	VADDPS.BCST LOG(i), l, l
#define HORNER5(a, b, e, l, s, c) HORNER(5, a, l)
#define HORNER4(a, b, e, l, s, c) HORNER(4, a, l)
#define HORNER3(a, b, e, l, s, c) HORNER(3, a, l)
#define HORNER2(a, b, e, l, s, c) HORNER(2, a, l)
#define HORNER1(a, b, e, l, s, c) HORNER(1, a, l)
#define HORNER0(a, b, e, l, s, c) HORNER(0, a, l)
#define RADIUS5(a, b, e, l, s, c) \
	VMULPS a, l, l \
	VADDPS e, l, l \
	VSQRTPS l, l \
	VPANDD.BCST SIGN, b, b \
	VPXORD b, l, l // r, with its sign
// From here on v is in s, v² in a, and the polynomials in e and c.
#define ANGLE1(a, b, e, l, s, c) \
	VMULPS s, s, a \
	VMULPS.BCST SIN(3), a, e \
	VADDPS.BCST SIN(2), e, e \
	VMULPS.BCST COS(3), a, c \
	VADDPS.BCST COS(2), c, c
#define ANGLE2(a, b, e, l, s, c) \
	VMULPS a, e, e \
	VADDPS.BCST SIN(1), e, e \
	VMULPS a, c, c \
	VADDPS.BCST COS(1), c, c
#define ANGLE3(a, b, e, l, s, c) \
	VMULPS a, e, e \
	VADDPS.BCST SIN(0), e, e \
	VMULPS a, c, c \
	VADDPS.BCST COS(0), c, c
#define ANGLE4(a, b, e, l, s, c) \
	VMULPS a, c, c \
	VADDPS.BCST UNIT, c, c \
	VMULPS s, a, a \
	VMULPS a, e, e \
	VADDPS s, e, e \
	VMULPS c, l, a \
	VMULPS e, l, b

// STORE writes the draws of a word of sixteen blocks, which are two groups.
#define STORE(y, z, at) \
	VMOVUPS y, at(DI) \
	VEXTRACTF64X4 $1, z, (at+128)(DI)

// func normals128(dst *float32, groups int, keys *[20]uint32, stream, block uint64, table *[8]float32)
TEXT ·normals128(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ groups+8(FP), CX
	MOVQ keys+16(FP), R8
	MOVQ stream+24(FP), R11
	MOVQ block+32(FP), R10
	MOVQ table+40(FP), R9
	VPBROADCASTQ small<>+16(SB), Z26
	VPBROADCASTQ small<>+24(SB), Z27
	VPBROADCASTQ small<>+0(SB), Z28
	VPBROADCASTQ small<>+8(SB), Z29
	VMOVDQU64 even<>(SB), Z30
	VPBROADCASTQ R11, Z31
	MOVL $0xaaaa, AX
	KMOVW AX, K1

normalloop:
	VPBROADCASTQ R10, Z0
	VPADDQ Z30, Z0, Z0
	VPADDQ Z28, Z0, Z4
	VPADDQ Z29, Z0, Z8
	VPADDQ Z29, Z4, Z12
	VPSRLQ $32, Z0, Z1
	VPSRLQ $32, Z4, Z5
	VPSRLQ $32, Z8, Z9
	VPSRLQ $32, Z12, Z13
	VMOVDQA64 Z31, Z2
	VMOVDQA64 Z31, Z6
	VMOVDQA64 Z31, Z10
	VMOVDQA64 Z31, Z14
	VPSRLQ $32, Z31, Z3
	VMOVDQA64 Z3, Z7
	VMOVDQA64 Z3, Z11
	VMOVDQA64 Z3, Z15
	TWOROUNDS(0)
	TWOROUNDS(2)
	TWOROUNDS(4)
	TWOROUNDS(6)
	TWOROUNDS(8)
	TOGETHER(Z0, Z4)
	TOGETHER(Z1, Z5)
	TOGETHER(Z2, Z6)
	TOGETHER(Z3, Z7)
	TOGETHER(Z8, Z12)
	TOGETHER(Z9, Z13)
	TOGETHER(Z10, Z14)
	TOGETHER(Z11, Z15)
	ALL(RADIUS1)
	ALL(RADIUS2)
	ALL(RADIUS3)
	ALL(RADIUS4)
	ALL(HORNER5)
	ALL(HORNER4)
	ALL(HORNER3)
	ALL(HORNER2)
	ALL(HORNER1)
	ALL(HORNER0)
	ALL(RADIUS5)
	ALL(ANGLE1)
	ALL(ANGLE2)
	ALL(ANGLE3)
	ALL(ANGLE4)
	STORE(Y0, Z0, 0)
	STORE(Y1, Z1, 32)
	STORE(Y2, Z2, 64)
	STORE(Y3, Z3, 96)
	STORE(Y8, Z8, 256)
	STORE(Y9, Z9, 288)
	STORE(Y10, Z10, 320)
	STORE(Y11, Z11, 352)
	ADDQ $512, DI
	ADDQ $32, R10
	DECQ CX
	JNZ  normalloop
	VZEROUPPER
	RET
