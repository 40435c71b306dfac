package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// kernels are the versions of this package that this machine supports, the simplest first.
func kernels() []struct {
	name   string
	choose func() (restore func())
} {
	hasAVX, hasAVX2, hasFMA, has512 := useAVX, useAVX2, useFMA, useAVX512
	set := func(avx, avx2, fma, z bool) func() func() {
		return func() func() {
			useAVX, useAVX2, useFMA, useAVX512 = avx, avx2, fma, z
			return func() { useAVX, useAVX2, useFMA, useAVX512 = hasAVX, hasAVX2, hasFMA, has512 }
		}
	}
	type kernel = struct {
		name   string
		choose func() (restore func())
	}
	all := []kernel{{"go", set(false, false, false, false)}}
	if hasFMA {
		all = append(all, kernel{"avx2", set(true, true, true, false)})
	}
	if has512 {
		all = append(all, kernel{"avx512", set(true, true, true, true)})
	}
	return all
}

func TestFMAIsTheInstruction(t *testing.T) {
	if !useFMA {
		t.Skip("SKIPPED: this machine has no FMA instruction to compare with")
	}
	r := rand.New(rand.NewPCG(23, 24))
	for range 2_000_000 {
		x, y, z := fmaOperands(r)
		// One element of Gemm is one instruction.
		c := []float32{z}
		Gemm(c, 1, []float32{x}, 1, 1, []float32{y}, 1, 1, 1, 1)
		if got := FMA(x, y, z); !sameBits(got, c[0]) {
			t.Fatalf("FMA(%g, %g, %g) = %g (%#x), the instruction gives %g (%#x)",
				x, y, z, got, math.Float32bits(got), c[0], math.Float32bits(c[0]))
		}
	}
}

// vectorLanes returns the width of the widest vectors that the kernels now use.
func vectorLanes() int {
	if useAVX512 {
		return 16
	}
	return 8
}
