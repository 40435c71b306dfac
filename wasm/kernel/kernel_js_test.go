//go:build js && wasm

package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/rank"
	"github.com/pmlam/pmlam/wasm/kernel"
)

func scanGo(dst, query, rows []float32) {
	w := len(query)
	for i := range dst {
		dst[i] = gaussian.W2Squared(query, rows[i*w:(i+1)*w])
	}
}

func TestGoGivesTheBitsOfTheNativeProgram(t *testing.T) {
	if difference := compare(scanGo); difference != "" {
		t.Fatal(difference)
	}
}

func TestSIMDGivesTheBitsOfTheNativeProgram(t *testing.T) {
	if !kernel.Available() {
		fmt.Println("this engine scans with go")
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	fmt.Println("this engine scans with simd")
	if difference := compare(kernel.Scan); difference != "" {
		t.Fatal(difference)
	}
}

func TestSIMDTouchesNothingAroundItsSlices(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	const guard = 77
	for w := range 20 {
		for offset := range 4 { // slices that no vector is aligned with
			const n = 3
			block := make([]float32, 64+w+n*w+n)
			for i := range block {
				block[i] = guard
			}
			nan := float32(math.NaN())
			query := block[offset : offset+w]
			rows := block[offset+w+1:][:n*w]
			dst := block[offset+w+1+n*w+1:][:n]
			for i := range query {
				query[i] = 1
			}
			for i := range rows {
				rows[i] = 3
			}
			block[offset+w], block[offset+w+1+n*w] = nan, nan // read by mistake, these would spread
			kernel.Scan(dst, query, rows)
			for i, d := range dst {
				if d != float32(4*w) {
					t.Fatalf("width %d, offset %d: distance %d is %v, want %d", w, offset, i, d, 4*w)
				}
			}
			for i, v := range block[offset+w+1+n*w+1+n:] {
				if v != guard {
					t.Fatalf("width %d, offset %d: word %d behind the result is %v", w, offset, i, v)
				}
			}
		}
	}
}

// A memory that grows gets a new buffer in JavaScript; the kernel must go on seeing Go's.
func TestSIMDSeesMemoryThatHasGrown(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	rows := make([]float32, 48<<20/4) // more than the program starts with
	for i := range rows {
		rows[i] = float32(i % 3)
	}
	query := make([]float32, 12)
	dst, want := make([]float32, len(rows)/12), make([]float32, len(rows)/12)
	kernel.Scan(dst, query, rows)
	scanGo(want, query, rows)
	for i := range want {
		if dst[i] != want[i] {
			t.Fatalf("distance %d is %v, want %v", i, dst[i], want[i])
		}
	}
}

func TestScanRefusesTooFewRows(t *testing.T) {
	defer func() {
		if _, ok := recover().(kernel.ShapeError); !ok {
			t.Error("two rows of three values out of five values: no ShapeError")
		}
	}()
	kernel.Scan(make([]float32, 2), make([]float32, 3), make([]float32, 5))
}

// coded is a table of n Gaussians in clusters and a query near one of them.
func coded(n, h int, sift rank.Sift) (*rank.Coded, []float32) {
	r := rand.New(rand.NewPCG(5, 5))
	centres := make([]float32, 200*h)
	for i := range centres {
		centres[i] = float32(r.NormFloat64()) / float32(1+i%h/8)
	}
	c := rank.NewCoded(h, n, sift)
	row := make([]float32, 2*h)
	for range n {
		centre := centres[r.IntN(200)*h:][:h]
		for d, x := range centre {
			row[d], row[h+d] = x/3+0.2*(r.Float32()-0.5), 0.1+0.04*r.Float32()
		}
		gaussian.Bound(row, 1)
		c.Append(row)
	}
	query := make([]float32, 2*h)
	c.Row(query, min(7, n-1))
	for d := range h {
		query[d] *= 0.95
	}
	return c, query
}

// What the sieve lets through and what comes of it is what it is without the kernel.
func TestSiftFindsTheSame(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	for _, h := range []int{1, 7, 8, 13, 50} {
		for _, n := range []int{1, 3, 4, 1023, 5001} {
			c, query := coded(n, h, kernel.Sift)
			plain, _ := coded(n, h, nil)
			for _, k := range []int{1, 10, 100} {
				if got, want := c.Nearest(nil, query, k, nil), plain.Nearest(nil, query, k, nil); !slices.Equal(got, want) {
					t.Fatalf("h = %d, the first %d of %d: %v, without the kernel %v", h, k, n, got, want)
				}
			}
		}
	}
}

func TestSiftTouchesNothingElse(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	query, codes := []int16{1, -2, 3, 0, 0, 0, 0, 32767}, make([]int8, 8*8)
	figures := [3][]float32{make([]float32, 8), make([]float32, 8), make([]float32, 8)}
	for i := range 8 {
		codes[8*i], codes[8*i+7] = int8(10*i), int8(-i)
		figures[0][i], figures[1][i], figures[2][i] = 1, float32(i), 0.5
	}
	dst := []uint32{99, 99, 99, 99, 99, 99, 99, 99, 99}
	// i − 2·0.5 − 0.5·(10i − 32767i) ≤ limit
	n := kernel.Sift(dst, query, codes, figures[0], figures[1], figures[2], 0.5, 2, 40000)
	if n != 3 || !slices.Equal(dst, []uint32{0, 1, 2, 99, 99, 99, 99, 99, 99}) {
		t.Errorf("%d: %v", n, dst)
	}
	defer func() {
		if _, ok := recover().(kernel.ShapeError); !ok {
			t.Error("eight rows of codes for twelve: no ShapeError")
		}
	}()
	kernel.Sift(make([]uint32, 12), query, codes, make([]float32, 12), make([]float32, 12), make([]float32, 12), 1, 1, 1)
}

// BenchmarkCoded is the first hundred of very many that are kept in a byte a number: the mean, and the least, which a busy
// machine lengthens least.
func BenchmarkCoded(b *testing.B) {
	const h = 50
	for _, n := range []int{200_000, 1_000_000} {
		var sift rank.Sift
		name := "go"
		if kernel.Available() {
			sift, name = kernel.Sift, "simd"
		}
		c, query := coded(n, h, sift)
		b.Run(fmt.Sprintf("%dx%d/%s", n, 2*h, name), func(b *testing.B) {
			var hits []rank.Hit
			least := time.Hour
			for b.Loop() {
				since := time.Now()
				hits = c.Nearest(hits[:0], query, 100, nil)
				least = min(least, time.Since(since))
			}
			b.ReportMetric(float64(least)/1e6, "min-ms")
		})
	}
}

func BenchmarkScan(b *testing.B) {
	for _, n := range []int{1947, 10_000, 70_000} {
		const w = 100
		query, rows, dst := make([]float32, w), make([]float32, n*w), make([]float32, n)
		for i := range rows {
			rows[i] = float32(i%17) / 17
		}
		run := func(name string, scan func(dst, query, rows []float32)) {
			b.Run(fmt.Sprintf("%dx%d/%s", n, w, name), func(b *testing.B) {
				b.SetBytes(int64(4 * n * w))
				for b.Loop() {
					scan(dst, query, rows)
				}
			})
		}
		run("go", scanGo)
		if kernel.Available() {
			run("simd", kernel.Scan)
		}
	}
}
