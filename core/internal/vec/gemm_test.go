package vec

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// guard fills the gaps between rows and around the buffers of the tests, which must not be written.
const guard = 12345

// matrix draws rows×cols values in rows ld apart, with guards after every row.
func matrix(r *rand.Rand, rows, cols, ld int) []float32 {
	x := make([]float32, rows*ld+guardWords)
	for i := range x {
		x[i] = guard
	}
	for i := range rows {
		copy(x[i*ld:], draw(r, cols))
	}
	return x
}

const guardWords = 32

func gemmCase(t *testing.T, r *rand.Rand, m, n, k int) {
	t.Helper()
	ldb, ldc, lda := n+r.IntN(9), n+r.IntN(9), k+r.IntN(9)
	am, ak := lda, 1
	a := matrix(r, m, k, lda)
	if r.IntN(2) == 0 {
		lda = m + r.IntN(9)
		am, ak = 1, lda
		a = matrix(r, k, m, lda)
	}
	b, c := matrix(r, k, n, ldb), matrix(r, m, n, ldc)
	want := append([]float32{}, c...)
	// The slices end with the last element, so that at least the bounds check catches reads past it.
	Gemm(c[:(m-1)*ldc+n], ldc, a[:(m-1)*am+(k-1)*ak+1], am, ak, b[:(k-1)*ldb+n], ldb, m, n, k)
	gemmGo(want, ldc, a, am, ak, b, ldb, m, n, k)
	for i := range want {
		if !sameBits(c[i], want[i]) {
			t.Fatalf("%d×%d×%d, strides C %d, A %d and %d, B %d: element (%d, %d): %v, want %v",
				m, n, k, ldc, am, ak, ldb, i/ldc, i%ldc, c[i], want[i])
		}
	}
}

func TestGemmGivesTheBitsOfItsTwin(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 12))
		// All numbers of columns up to more than two of the widest panels, and of rows up to three tiles.
		for n := 1; n <= 150; n++ {
			gemmCase(t, r, 1+r.IntN(20), n, 1+r.IntN(6))
		}
		for m := 1; m <= 40; m++ {
			for _, n := range []int{3, 8, 16, 24, 40, 48, 64, 70} {
				gemmCase(t, r, m, n, 1+r.IntN(6))
			}
		}
		// The shapes of the training, and shapes that are cut into blocks.
		for _, s := range [][3]int{{80, 56, 56}, {56, 56, 80}, {32, 256, 112}, {13, 17, 300}, {700, 9, 3},
			{5, 1030, 140}} {
			gemmCase(t, r, s[0], s[1], s[2])
		}
	})
}

func TestGemmOfNothingDoesNothing(t *testing.T) {
	c := []float32{1}
	Gemm(c, 1, nil, 1, 1, nil, 1, 1, 1, 0)
	Gemm(nil, 1, nil, 1, 1, nil, 1, 0, 1, 1)
	Gemm(nil, 1, nil, 1, 1, nil, 1, 1, 0, 1)
	if c[0] != 1 {
		t.Errorf("C = %v after a product over nothing", c[0])
	}
}

func TestGemmPanicsOnShortSlices(t *testing.T) {
	x := make([]float32, 99)
	for name, f := range map[string]func(){
		"C": func() { Gemm(x, 10, make([]float32, 100), 10, 1, make([]float32, 100), 10, 10, 10, 10) },
		"A": func() { Gemm(make([]float32, 100), 10, x, 10, 1, make([]float32, 100), 10, 10, 10, 10) },
		"B": func() { Gemm(make([]float32, 100), 10, make([]float32, 100), 10, 1, x, 10, 10, 10, 10) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s too short: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkGemm(b *testing.B) {
	type shape struct {
		name                      string
		m, n, k, am, ak, ldb, ldc int
	}
	for _, s := range []shape{
		{"forward", 80, 56, 56, 56, 1, 56, 56},
		{"gradient", 56, 56, 80, 1, 56, 56, 56},
		{"softmax", 32, 256, 112, 112, 1, 256, 256},
		{"scores", 64, 4096, 112, 112, 1, 4096, 4096},
	} {
		b.Run(fmt.Sprintf("%s_%dx%dx%d", s.name, s.m, s.n, s.k), func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				x, y, z := draw(r, s.m*s.k), draw(r, s.k*s.ldb), draw(r, s.m*s.ldc)
				gflops(b, 2*s.m*s.n*s.k, func() { Gemm(z, s.ldc, x, s.am, s.ak, y, s.ldb, s.m, s.n, s.k) })
			})
		})
	}
}
