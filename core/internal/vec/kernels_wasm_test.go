//go:build train

package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestMain says whether these tests compare anything: the native test that runs them under node looks for it.
func TestMain(m *testing.M) {
	fmt.Println("kernels:", Kernel())
	os.Exit(m.Run())
}

// kernels are the versions of this package that this engine supports, the simplest first.
func kernels() []struct {
	name   string
	choose func() (restore func())
} {
	has := useAVX
	set := func(simd bool) func() func() {
		return func() func() {
			useAVX, useAVX2, useAVX512 = simd, simd, simd
			return func() { useAVX, useAVX2, useAVX512 = has, has, has }
		}
	}
	type kernel = struct {
		name   string
		choose func() (restore func())
	}
	all := []kernel{{"go", set(false)}}
	if has {
		all = append(all, kernel{"simd", set(true)})
	}
	return all
}

func TestFMAIsTheKernels(t *testing.T) {
	if !useAVX {
		t.Skip("SKIPPED: this run deliberately has no kernels")
	}
	r := rand.New(rand.NewPCG(23, 24))
	for range 200_000 {
		x, y, z := fmaOperands(r)
		// One element of Gemm is one instruction, or its emulation in float64.
		c := []float32{z}
		Gemm(c, 1, []float32{x}, 1, 1, []float32{y}, 1, 1, 1, 1)
		if got := FMA(x, y, z); !sameBits(got, c[0]) {
			t.Fatalf("FMA(%g, %g, %g) = %g (%#x), the kernel gives %g (%#x)",
				x, y, z, got, math.Float32bits(got), c[0], math.Float32bits(c[0]))
		}
	}
}

// vectorLanes returns the width of the widest vectors that the kernels now use.
func vectorLanes() int { return 4 }
