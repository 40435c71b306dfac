#include "textflag.h"

// func codeDotsAVX2(dst *int32, query *int16, w int, codes *int8, n int)
//
// Sixteen codes at a time become words and are multiplied and added in pairs; then the eight that may be left.
TEXT ·codeDotsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), R8
	MOVQ query+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ codes+24(FP), DI
	MOVQ n+32(FP), CX
	MOVQ DX, R9
	ANDQ $~15, R9 // whole blocks

row:
	VPXOR Y0, Y0, Y0
	XORL  AX, AX
	CMPQ  R9, $0
	JEQ   tail

block:
	VPMOVSXBW (DI)(AX*1), Y1
	VPMADDWD  (SI)(AX*2), Y1, Y1
	VPADDD    Y1, Y0, Y0
	ADDQ      $16, AX
	CMPQ      AX, R9
	JLT       block

tail:
	VEXTRACTI128 $1, Y0, X2
	VPADDD       X2, X0, X0
	CMPQ         AX, DX
	JGE          fold
	VPMOVSXBW    (DI)(AX*1), X1
	VPMADDWD     (SI)(AX*2), X1, X1
	VPADDD       X1, X0, X0

fold:
	VPSHUFD $0x4e, X0, X1
	VPADDD  X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD  X1, X0, X0
	VMOVD   X0, (R8)
	ADDQ    $4, R8
	ADDQ    DX, DI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET
