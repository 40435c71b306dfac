package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// drawPositive draws a symmetric positive definite matrix, XᵀX + λI, with an invalid upper triangle, which must not be
// read.
func drawPositive(r *rand.Rand, n int, lambda float64) (*mat.SymDense, []float32) {
	x := mat.NewDense(2*n, n, nil)
	for i := range 2 * n {
		for j := range n {
			x.Set(i, j, r.NormFloat64())
		}
	}
	var g mat.SymDense
	g.SymOuterK(1, x.T())
	a := make([]float32, n*n)
	for i := range n {
		g.SetSym(i, i, g.At(i, i)+lambda)
		for j := range n {
			a[i*n+j] = float32(math.NaN())
			if j <= i {
				a[i*n+j] = float32(g.At(i, j))
				g.SetSym(i, j, float64(a[i*n+j]))
			}
		}
	}
	return &g, a
}

func TestInvertGivesTheInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 7, 8, 9, 16, 23, 40, 65} {
		for _, width := range []int{1, 3, 8, 64} {
			g, a := drawPositive(r, n, 1)
			if err := invert(context.Background(), a, n, width, 3); err != nil {
				t.Fatal(err)
			}
			var want mat.Dense
			if err := want.Inverse(g); err != nil {
				t.Fatal(err)
			}
			largest := mat.Max(&want) // the largest element of a positive definite matrix is on its diagonal
			for i := range n {
				for j := range i + 1 {
					if got := float64(a[i*n+j]); !(math.Abs(got-want.At(i, j)) <= 2e-5*largest) {
						t.Fatalf("%d×%d by blocks of %d: element (%d,%d) is %v, want %v", n, n, width, i, j, got,
							want.At(i, j))
					}
				}
			}
		}
	}
}

func TestInvertDoesNotDependOnTheWorkers(t *testing.T) {
	_, a := drawPositive(rand.New(rand.NewPCG(2, 2)), 50, 1)
	for i := range 50 {
		for j := i + 1; j < 50; j++ {
			a[i*50+j] = 0
		}
	}
	var want []float32
	for _, workers := range []int{1, 2, 7} {
		got := slices.Clone(a)
		if err := invert(context.Background(), got, 50, 8, workers); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers give another inverse than one", workers)
		}
	}
}

func TestInvertRefuses(t *testing.T) {
	// Columns 0 and 5 are equal, so nothing is left of the second pivot block.
	a := make([]float32, 36)
	for i := range 6 {
		a[i*6+i] = 1
	}
	a[5*6] = 1
	if err := invert(context.Background(), a, 6, 3, 1); err != errSingular {
		t.Errorf("singular: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, a = drawPositive(rand.New(rand.NewPCG(3, 3)), 6, 1)
	if err := invert(ctx, a, 6, 3, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

// Flops per second count a Cholesky factorisation and an inverse from it, n³.
func BenchmarkInvert(b *testing.B) {
	const n = 2000
	_, a := drawPositive(rand.New(rand.NewPCG(4, 4)), n/10, 1)
	big := make([]float32, n*n)
	for b.Loop() {
		b.StopTimer()
		clear(big)
		for i := range n { // the drawn one along the diagonal
			for j := i / 200 * 200; j <= i; j++ {
				big[i*n+j] = a[i%200*200+j%200]
			}
		}
		b.StartTimer()
		if err := invert(context.Background(), big, n, tile, 2); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*n*n*n/1e9/b.Elapsed().Seconds(), "GFLOP/s")
}
