// Masks for the last, incomplete block: the 8 words from tailMask+4*(8-r) are r ones, then zeros.
DATA tailMask<>+0x00(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x08(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x10(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x18(SB)/8, $0xffffffffffffffff
DATA tailMask<>+0x20(SB)/8, $0
DATA tailMask<>+0x28(SB)/8, $0
DATA tailMask<>+0x30(SB)/8, $0
DATA tailMask<>+0x38(SB)/8, $0
GLOBL tailMask<>(SB), RODATA|NOPTR, $64

// FOLD sums the 8 lanes of Y0 into X0 as ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)).
#define FOLD \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0 \       // l0+l4, l1+l5, l2+l6, l3+l7
	VMOVHLPS X0, X0, X1 \
	VADDPS X1, X0, X0 \       // (l0+l4)+(l2+l6), (l1+l5)+(l3+l7)
	VMOVSHDUP X0, X1 \
	VADDSS X1, X0, X0
