package peak

import "golang.org/x/sys/cpu"

func has(v Vectors) bool {
	return cpu.X86.HasFMA && cpu.X86.HasAVX2 && (v == AVX2 || v == AVX512 && cpu.X86.HasAVX512F)
}

func run(v Vectors, n int) {
	if v == AVX512 {
		chainsAVX512(n)
		return
	}
	chainsAVX2(n)
}

func chainsAVX2(n int)

func chainsAVX512(n int)
