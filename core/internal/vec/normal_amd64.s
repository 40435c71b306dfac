#include "textflag.h"

// Philox4x32-10 and Box-Muller, eight blocks at a time. A word of the generator is in the lower half of a 64-bit
// lane, and the upper half is ignored, so that the product of two words is in the place for the next round.
// Blocks 0, 2, 4, 6 are in Y0–Y3, blocks 1, 3, 5, 7 in Y4–Y7, word by word; Y8–Y11 are free.

DATA blocks<>+0x00(SB)/8, $0
DATA blocks<>+0x08(SB)/8, $2
DATA blocks<>+0x10(SB)/8, $4
DATA blocks<>+0x18(SB)/8, $6
DATA blocks<>+0x20(SB)/8, $1
DATA blocks<>+0x28(SB)/8, $3
DATA blocks<>+0x30(SB)/8, $5
DATA blocks<>+0x38(SB)/8, $7
GLOBL blocks<>(SB), RODATA|NOPTR, $64

DATA multipliers<>+0x00(SB)/8, $0xD2511F53
DATA multipliers<>+0x08(SB)/8, $0xCD9E8D57
GLOBL multipliers<>(SB), RODATA|NOPTR, $16

// HALFROUND processes four blocks: words c0, c1, c2, c3 become c0, t1, c2, t0. Y12, Y13 are the round's keys, Y14, Y15 the
// multipliers.
#define HALFROUND(c0, c1, c2, c3, t0, t1) \
	VPMULUDQ Y14, c0, t0 \
	VPMULUDQ Y15, c2, t1 \
	VPXOR Y12, c1, c1 \
	VPXOR Y13, c3, c3 \
	VPSRLQ $32, t1, c0 \
	VPSRLQ $32, t0, c2 \
	VPXOR c1, c0, c0 \
	VPXOR c3, c2, c2

#define KEYS(round) \
	VPBROADCASTD (8*(round))(R8), Y12 \
	VPBROADCASTD (8*(round)+4)(R8), Y13

// TWOROUNDS returns every word to its register.
#define TWOROUNDS(round) \
	KEYS(round) \
	HALFROUND(Y0, Y1, Y2, Y3, Y8, Y9) \
	HALFROUND(Y4, Y5, Y6, Y7, Y10, Y11) \
	KEYS(round+1) \
	HALFROUND(Y0, Y9, Y2, Y8, Y3, Y1) \
	HALFROUND(Y4, Y11, Y6, Y10, Y7, Y5)

// PHILOX fills Y0–Y7 for the blocks from R10 in the stream R11.
#define PHILOX \
	VMOVQ R10, X8 \
	VPBROADCASTQ X8, Y8 \
	VPADDQ blocks<>+0(SB), Y8, Y0 \
	VPADDQ blocks<>+32(SB), Y8, Y4 \
	VPSRLQ $32, Y0, Y1 \
	VPSRLQ $32, Y4, Y5 \
	VMOVQ R11, X8 \
	VPBROADCASTQ X8, Y2 \
	VPSRLQ $32, Y2, Y3 \
	VMOVDQA Y2, Y6 \
	VMOVDQA Y3, Y7 \
	TWOROUNDS(0) \
	TWOROUNDS(2) \
	TWOROUNDS(4) \
	TWOROUNDS(6) \
	TWOROUNDS(8)

// TOGETHER merges a word of blocks 0–7 into even's 32-bit lanes.
#define TOGETHER(even, odd) \
	VPSLLQ $32, odd, odd \
	VPBLENDD $0xaa, odd, even, even

// The constants at R9.
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

#define TIMESPLUS(x, c, y) \
	VMULPS x, y, y \
	VADDPS c, y, y

// BOXMULLER is boxMuller: from the words a and b to the draws a and b. It overwrites Y8–Y11.
#define BOXMULLER(a, b) \
	VPSRLD $1, a, a \
	VCVTDQ2PS a, a \
	VADDPS HALF, a, a \
	VPSUBD OFFSET, a, a \
	VPSRAD $23, a, Y8 \
	VCVTDQ2PS Y8, Y8 \
	VPAND MANTISSA, a, a \
	VPADDD ROOTHALF, a, a \
	VSUBPS UNIT, a, a \
	VMULPS LOG(7), a, Y9 \
	VADDPS LOG(6), Y9, Y9 \
	TIMESPLUS(a, LOG(5), Y9) \
	TIMESPLUS(a, LOG(4), Y9) \
	TIMESPLUS(a, LOG(3), Y9) \
	TIMESPLUS(a, LOG(2), Y9) \
	TIMESPLUS(a, LOG(1), Y9) \
	TIMESPLUS(a, LOG(0), Y9) \
	VMULPS a, Y9, Y9 \
	VMULPS MINUS2LN2, Y8, Y8 \
	VADDPS Y8, Y9, Y9 \
	VSQRTPS Y9, Y9 \
	VANDPS SIGN, b, Y8 \
	VXORPS Y8, Y9, Y9 \
	VPSLLD $1, b, b \
	VCVTDQ2PS b, b \
	VMULPS ANGLEUNIT, b, b \
	VMULPS b, b, Y8 \
	VMULPS SIN(3), Y8, Y10 \
	VADDPS SIN(2), Y10, Y10 \
	TIMESPLUS(Y8, SIN(1), Y10) \
	TIMESPLUS(Y8, SIN(0), Y10) \
	VMULPS b, Y8, Y11 \
	TIMESPLUS(Y11, b, Y10) \
	VMULPS COS(3), Y8, Y11 \
	VADDPS COS(2), Y11, Y11 \
	TIMESPLUS(Y8, COS(1), Y11) \
	TIMESPLUS(Y8, COS(0), Y11) \
	TIMESPLUS(Y8, UNIT, Y11) \
	VMULPS Y11, Y9, a \
	VMULPS Y10, Y9, b

// func normals32(dst *float32, groups int, keys *[20]uint32, stream, block uint64, table *[8]float32)
TEXT ·normals32(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ groups+8(FP), CX
	MOVQ keys+16(FP), R8
	MOVQ stream+24(FP), R11
	MOVQ block+32(FP), R10
	MOVQ table+40(FP), R9
	VPBROADCASTQ multipliers<>+0(SB), Y14
	VPBROADCASTQ multipliers<>+8(SB), Y15

normalloop:
	PHILOX
	TOGETHER(Y0, Y4)
	TOGETHER(Y1, Y5)
	TOGETHER(Y2, Y6)
	TOGETHER(Y3, Y7)
	BOXMULLER(Y0, Y1)
	BOXMULLER(Y2, Y3)
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $8, R10
	DECQ CX
	JNZ  normalloop
	VZEROUPPER
	RET
