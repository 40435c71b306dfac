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
	set := func(neon bool) func() func() {
		return func() func() {
			was := useNEON
			useNEON = neon
			return func() { useNEON = was }
		}
	}
	return []struct {
		name   string
		choose func() (restore func())
	}{{"go", set(false)}, {"neon", set(true)}}
}

func TestFMAIsTheInstruction(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 200_000 {
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
func vectorLanes() int { return 4 }
