#include "textflag.h"
#include "lanes_amd64.h"

// Like rows.go and adam.go, eight values at a time. AX counts bytes from 0 to half a row, CX; BX is AX + CX, the
// position in the other half.

DATA constants<>+0(SB)/4, $0x3f800000  // 1
DATA constants<>+4(SB)/4, $0xc0000000  // −2
DATA constants<>+8(SB)/4, $0x3f666666  // β₁
DATA constants<>+12(SB)/4, $0x3dcccccd // 1−β₁
DATA constants<>+16(SB)/4, $0x3f7fbe77 // β₂
DATA constants<>+20(SB)/4, $0x3a83126f // 1−β₂
GLOBL constants<>(SB), RODATA|NOPTR, $24

#define ONE      constants<>+0(SB)
#define MINUSTWO constants<>+4(SB)
#define BETA1    constants<>+8(SB)
#define REST1    constants<>+12(SB)
#define BETA2    constants<>+16(SB)
#define REST2    constants<>+20(SB)

// DRAWN sets Y0 to x = μ + s⊙ε of the row SI and the noise DX, or to μ if DX is nil.
#define DRAWN(nonoise) \
	VMOVUPS (SI)(AX*1), Y0 \
	TESTQ DX, DX \
	JZ nonoise \
	VMOVUPS (SI)(BX*1), Y1 \
	VMULPS (DX)(AX*1), Y1, Y1 \
	VADDPS Y1, Y0, Y0 \
nonoise:

#define NEXT(loop) \
	ADDQ $32, AX \
	ADDQ $32, BX \
	CMPQ AX, CX \
	JLT  loop

// func lowerAVX(dst, row, eps *float32, h int)
TEXT ·lowerAVX(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ eps+16(FP), DX
	MOVQ h+24(FP), CX
	SHLQ $2, CX
	MOVQ CX, BX
	XORL AX, AX

lowerloop:
	DRAWN(lowernonoise)
	VMOVUPS Y0, (DI)(AX*1)
	NEXT(lowerloop)
	VZEROUPPER
	RET

// func sampleDiffAVX(diff, z, xa, row, eps *float32, h int)
TEXT ·sampleDiffAVX(SB), NOSPLIT, $0-48
	MOVQ diff+0(FP), DI
	MOVQ z+8(FP), R8
	MOVQ xa+16(FP), R9
	MOVQ row+24(FP), SI
	MOVQ eps+32(FP), DX
	MOVQ h+40(FP), CX
	SHLQ $2, CX
	MOVQ CX, BX
	XORL AX, AX

sampleloop:
	DRAWN(samplenonoise)
	VMOVUPS (R9)(AX*1), Y2
	VSUBPS Y0, Y2, Y2
	VMULPS Y2, Y2, Y3
	VMOVUPS Y2, (DI)(AX*1)
	VMOVUPS Y3, (R8)(AX*1)
	NEXT(sampleloop)
	VZEROUPPER
	RET

// func twoDiffAVX(dst, diff, va, row, eps *float32, h int)
TEXT ·twoDiffAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ diff+8(FP), R8
	MOVQ va+16(FP), R9
	MOVQ row+24(FP), SI
	MOVQ eps+32(FP), DX
	MOVQ h+40(FP), CX
	SHLQ $2, CX
	MOVQ CX, BX
	XORL AX, AX

twoloop:
	DRAWN(twononoise)
	VMOVUPS (R9)(AX*1), Y2
	VSUBPS Y0, Y2, Y2
	VMOVUPS (R8)(AX*1), Y3
	VADDPS Y3, Y3, Y3 // 2·diff, exactly
	VMULPS Y2, Y3, Y3
	VMOVUPS Y3, (DI)(AX*1)
	NEXT(twoloop)
	VZEROUPPER
	RET

// func tripletBackwardAVX(grad, accD, accX, anchor, row, diff, beta, eps *float32, h int, c2 float32)
TEXT ·tripletBackwardAVX(SB), NOSPLIT, $0-76
	MOVQ grad+0(FP), DI
	MOVQ accD+8(FP), R8
	MOVQ accX+16(FP), R9
	MOVQ anchor+24(FP), R10
	MOVQ row+32(FP), SI
	MOVQ diff+40(FP), R11
	MOVQ beta+48(FP), R12
	MOVQ eps+56(FP), DX
	MOVQ h+64(FP), CX
	VBROADCASTSS c2+72(FP), Y15
	VBROADCASTSS MINUSTWO, Y14
	SHLQ $2, CX
	MOVQ CX, BX
	XORL AX, AX

backloop:
	VMOVUPS (SI)(AX*1), Y0
	VSUBPS (R10)(AX*1), Y0, Y0
	VMULPS Y15, Y0, Y0 // e
	VMOVUPS (SI)(BX*1), Y1
	VSUBPS (R10)(BX*1), Y1, Y1
	VMULPS Y15, Y1, Y1 // e of the other half
	VMOVUPS (R11)(AX*1), Y2
	VMULPS (R12)(AX*1), Y2, Y2
	VMULPS Y14, Y2, Y2 // dx
	VMOVUPS (R8)(AX*1), Y3
	VSUBPS Y0, Y3, Y3
	VMOVUPS Y3, (R8)(AX*1)
	VMOVUPS (R8)(BX*1), Y4
	VSUBPS Y1, Y4, Y4
	VMOVUPS Y4, (R8)(BX*1)
	VMOVUPS (R9)(AX*1), Y5
	VSUBPS Y2, Y5, Y5
	VMOVUPS Y5, (R9)(AX*1)
	VADDPS Y2, Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	TESTQ DX, DX
	JZ backnonoise
	VMULPS (DX)(AX*1), Y2, Y2
	VADDPS Y2, Y1, Y1

backnonoise:
	VMOVUPS Y1, (DI)(BX*1)
	NEXT(backloop)
	VZEROUPPER
	RET

// func addProductAVX(y, x, z *float32, n int)
TEXT ·addProductAVX(SB), NOSPLIT, $0-32
	MOVQ y+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ z+16(FP), DX
	MOVQ n+24(FP), CX
	SHLQ $2, CX
	XORL AX, AX
	XORL BX, BX

productloop:
	VMOVUPS (SI)(AX*1), Y0
	VMULPS (DX)(AX*1), Y0, Y0
	VADDPS (DI)(AX*1), Y0, Y0
	VMOVUPS Y0, (DI)(AX*1)
	NEXT(productloop)
	VZEROUPPER
	RET

// func slopeScaleAVX(e, tanh, w2 *float32, n int, c float32)
TEXT ·slopeScaleAVX(SB), NOSPLIT, $0-36
	MOVQ e+0(FP), DI
	MOVQ tanh+8(FP), SI
	MOVQ w2+16(FP), DX
	MOVQ n+24(FP), CX
	VBROADCASTSS c+32(FP), Y15
	VBROADCASTSS ONE, Y14
	SHLQ $2, CX
	XORL AX, AX
	XORL BX, BX

slopeloop:
	VMOVUPS (SI)(AX*1), Y0
	VMULPS Y0, Y0, Y0
	VSUBPS Y0, Y14, Y0
	VMULPS (DX)(AX*1), Y15, Y1
	VMULPS Y0, Y1, Y1
	VMOVUPS Y1, (DI)(AX*1)
	NEXT(slopeloop)
	VZEROUPPER
	RET

// func slopeDotAVX(tanh, t, w2 *float32, n int) float32
TEXT ·slopeDotAVX(SB), NOSPLIT, $0-36
	MOVQ tanh+0(FP), SI
	MOVQ t+8(FP), R8
	MOVQ w2+16(FP), DX
	MOVQ n+24(FP), CX
	VBROADCASTSS ONE, Y14
	SHLQ $2, CX
	XORL AX, AX
	XORL BX, BX
	VXORPS Y0, Y0, Y0

slopedotloop:
	VMOVUPS (SI)(AX*1), Y1
	VMULPS Y1, Y1, Y1
	VSUBPS Y1, Y14, Y1
	VMULPS (DX)(AX*1), Y1, Y1
	VMULPS (R8)(AX*1), Y1, Y1
	VADDPS Y1, Y0, Y0
	NEXT(slopedotloop)
	FOLD
	VZEROUPPER
	MOVSS X0, ret+32(FP)
	RET

// func secondOrderAVX(da, dt, gw, tanh, t, w2 *float32, n int, rho, ws float32)
TEXT ·secondOrderAVX(SB), NOSPLIT, $0-64
	MOVQ da+0(FP), DI
	MOVQ dt+8(FP), R9
	MOVQ gw+16(FP), R10
	MOVQ tanh+24(FP), SI
	MOVQ t+32(FP), R8
	MOVQ w2+40(FP), DX
	MOVQ n+48(FP), CX
	VBROADCASTSS rho+56(FP), Y15
	VBROADCASTSS ws+60(FP), Y13
	VADDPS Y13, Y13, Y12
	VBROADCASTSS ONE, Y14
	SHLQ $2, CX
	XORL AX, AX
	XORL BX, BX

secondloop:
	VMOVUPS (SI)(AX*1), Y0 // g
	VMULPS Y0, Y0, Y1
	VSUBPS Y1, Y14, Y1 // slope
	VMULPS (DX)(AX*1), Y1, Y2 // w2·slope
	VMOVUPS (R8)(AX*1), Y3 // t
	VMULPS Y3, Y1, Y1
	VMULPS Y13, Y1, Y1
	VMULPS Y15, Y0, Y4
	VADDPS Y1, Y4, Y4
	VADDPS (R10)(AX*1), Y4, Y4
	VMOVUPS Y4, (R10)(AX*1)
	VMULPS Y3, Y2, Y3
	VMULPS Y12, Y0, Y0
	VMULPS Y3, Y0, Y0
	VMULPS Y15, Y2, Y4
	VSUBPS Y0, Y4, Y4
	VMULPS Y13, Y2, Y2
	VMOVUPS Y4, (DI)(AX*1)
	VMOVUPS Y2, (R9)(AX*1)
	NEXT(secondloop)
	VZEROUPPER
	RET

// func adamAVX(x, grad, m, v *float32, n int, step, eps float32)
TEXT ·adamAVX(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), DI
	MOVQ grad+8(FP), SI
	MOVQ m+16(FP), R8
	MOVQ v+24(FP), R9
	MOVQ n+32(FP), CX
	VBROADCASTSS step+40(FP), Y15
	VBROADCASTSS eps+44(FP), Y14
	VBROADCASTSS BETA1, Y13
	VBROADCASTSS REST1, Y12
	VBROADCASTSS BETA2, Y11
	VBROADCASTSS REST2, Y10
	SHLQ $2, CX
	XORL AX, AX
	XORL BX, BX

adamloop:
	VMOVUPS (SI)(AX*1), Y0
	VMULPS (R8)(AX*1), Y13, Y1
	VMULPS Y0, Y12, Y2
	VADDPS Y2, Y1, Y1
	VMOVUPS Y1, (R8)(AX*1)
	VMULPS (R9)(AX*1), Y11, Y3
	VMULPS Y0, Y10, Y4
	VMULPS Y0, Y4, Y4
	VADDPS Y4, Y3, Y3
	VMOVUPS Y3, (R9)(AX*1)
	VSQRTPS Y3, Y3
	VADDPS Y14, Y3, Y3
	VMULPS Y1, Y15, Y1
	VDIVPS Y3, Y1, Y1
	VMOVUPS (DI)(AX*1), Y5
	VSUBPS Y1, Y5, Y5
	VMOVUPS Y5, (DI)(AX*1)
	NEXT(adamloop)
	VZEROUPPER
	RET
