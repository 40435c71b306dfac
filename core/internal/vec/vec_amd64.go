package vec

import "golang.org/x/sys/cpu"

// AVX (not AVX2, not FMA) is all the kernels need: they multiply, round and add.
var useAVX = cpu.X86.HasAVX

//go:noescape
func dotAVX(x, y *float32, n int) float32

//go:noescape
func squaredDistanceAVX(x, y *float32, n int) float32

//go:noescape
func axpyAVX(alpha float32, x, y *float32, n int)

//go:noescape
func accumulateAVX(y *float32, n int, c *float32, x *float32, m int)
