#include "textflag.h"

// func repulsions8(cells *cell, count int, x, y, xs, ys *float64, opening float64, out *[24]float64)
//
// The walk of repulsion for eight points at once, one in each lane. A lane adds the same numbers in the same order as
// repulsion does; K1 masks the lanes that have not skipped the cell.
//
//	AX the cell's index  BX its address  CX count  SI cells  R8 x  R9 y  R10, R11 points of a leaf
//	Z0 x  Z1 y  Z2 fx  Z3 fy  Z4 weights  Z5 1  Z6 opening  Z7 index of the first cell that the lane has not skipped
//	Z10 dx  Z11 dy  Z12 square, then w  Z13 m
TEXT ·repulsions8(SB), NOSPLIT, $0-64
	MOVQ cells+0(FP), SI
	MOVQ count+8(FP), CX
	MOVQ x+16(FP), DX
	MOVQ y+24(FP), DI
	MOVQ xs+32(FP), R8
	MOVQ ys+40(FP), R9
	VBROADCASTSD opening+48(FP), Z6
	VMOVUPD (DX), Z0
	VMOVUPD (DI), Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z7, Z7, Z7
	MOVQ $0x3ff0000000000000, AX
	VPBROADCASTQ AX, Z5
	XORQ AX, AX
	MOVQ SI, BX

walk:
	CMPQ AX, CX
	JGE  done
	VPBROADCASTQ AX, Z8
	VPCMPQ $2, Z8, Z7, K1 // Z7 ≤ index
	VSUBPD.BCST (BX), Z0, Z10
	VSUBPD.BCST 8(BX), Z1, Z11
	VMULPD Z10, Z10, Z12
	VMULPD Z11, Z11, Z13
	VADDPD Z13, Z12, Z12
	VMULPD Z6, Z12, Z13
	VBROADCASTSD 24(BX), Z14
	VCMPPD $1, Z13, Z14, K1, K2 // size < opening·square
	MOVLQSX 40(BX), R12 // skip
	KORTESTW K2, K2
	JZ     within
	VADDPD Z5, Z12, Z12
	VDIVPD Z12, Z5, Z12
	VMULPD.BCST 16(BX), Z12, Z13
	VADDPD Z13, Z4, K2, Z4
	VMULPD Z12, Z13, Z13
	VMULPD Z10, Z13, Z10
	VMULPD Z11, Z13, Z11
	VADDPD Z10, Z2, K2, Z2
	VADDPD Z11, Z3, K2, Z3
	VPBROADCASTQ R12, K2, Z7

within:
	KANDNW K1, K2, K3 // the lanes that open the cell
	KORTESTW K3, K3
	JZ     skip
	CMPB 44(BX), $0
	JNE  leaf
	INCQ AX
	ADDQ $48, BX
	JMP  walk

leaf:
	MOVLQSX 32(BX), R10
	MOVLQSX 36(BX), R11

point:
	CMPQ R10, R11
	JGE  skip
	VSUBPD.BCST (R8)(R10*8), Z0, Z10
	VSUBPD.BCST (R9)(R10*8), Z1, Z11
	VMULPD Z10, Z10, Z12
	VMULPD Z11, Z11, Z13
	VADDPD Z13, Z12, Z12
	VADDPD Z5, Z12, Z12
	VDIVPD Z12, Z5, Z12
	VADDPD Z12, Z4, K3, Z4
	VMULPD Z12, Z12, Z12
	VMULPD Z10, Z12, Z10
	VMULPD Z11, Z12, Z11
	VADDPD Z10, Z2, K3, Z2
	VADDPD Z11, Z3, K3, Z3
	INCQ R10
	JMP  point

skip:
	MOVQ R12, AX
	LEAQ (R12)(R12*2), BX
	SHLQ $4, BX
	ADDQ SI, BX
	JMP  walk

done:
	MOVQ out+56(FP), DX
	VMOVUPD Z2, (DX)
	VMOVUPD Z3, 64(DX)
	VMOVUPD Z4, 128(DX)
	VZEROUPPER
	RET
