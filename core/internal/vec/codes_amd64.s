#include "textflag.h"

// func codeDotsAVX2(dst *int32, query *int16, codes *uint16, n int)
//
// The k-th nibbles of a row's sixteen words become sixteen words, which are multiplied and added in pairs.
TEXT ·codeDotsAVX2(SB), NOSPLIT, $0-32
	MOVQ     dst+0(FP), R8
	MOVQ     query+8(FP), SI
	MOVQ     codes+16(FP), DI
	MOVQ     n+24(FP), CX
	VMOVDQU  (SI), Y8
	VMOVDQU  32(SI), Y9
	VMOVDQU  64(SI), Y10
	VMOVDQU  96(SI), Y11
	VPCMPEQW Y7, Y7, Y7
	VPSRLW   $12, Y7, Y7 // 15 in every word

row:
	VMOVDQU  (DI), Y1
	VPAND    Y7, Y1, Y0
	VPSRLW   $4, Y1, Y2
	VPSRLW   $8, Y1, Y3
	VPSRLW   $12, Y1, Y4
	VPAND    Y7, Y2, Y2
	VPAND    Y7, Y3, Y3
	VPMADDWD Y8, Y0, Y0
	VPMADDWD Y9, Y2, Y2
	VPMADDWD Y10, Y3, Y3
	VPMADDWD Y11, Y4, Y4
	VPADDD   Y2, Y0, Y0
	VPADDD   Y4, Y3, Y3
	VPADDD   Y3, Y0, Y0

	VEXTRACTI128 $1, Y0, X2
	VPADDD       X2, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (R8)
	ADDQ         $4, R8
	ADDQ         $32, DI
	DECQ         CX
	JNZ          row
	VZEROUPPER
	RET
