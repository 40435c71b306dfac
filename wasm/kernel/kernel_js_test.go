//go:build js && wasm

package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall/js"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/rank"
	"github.com/pmlam/pmlam/core/rank/ranktest"
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

// What the sieve lets through and what comes of it is what it is without the kernel.
func TestSiftFindsTheSame(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	for _, h := range []int{1, 31, 32, 50} {
		for _, n := range []int{1, 3, 4, 1023, 9001} {
			table := rank.NewCoded(h, n)
			ranktest.Uniform(h, n, table.Append)
			simd, plain := table.Sieve(kernel.Scan, kernel.Sift, nil), table.Sieve(scanGo, nil, nil)
			query := make([]float32, 2*h)
			table.Row(n/2, query)
			query[0] += 0.1
			for _, k := range []int{1, 10, 100} {
				if got, want := simd.Nearest(nil, query, nil, k, nil), plain.Nearest(nil, query, nil, k, nil); !slices.Equal(got, want) {
					t.Fatalf("h = %d, the first %d of %d: %v, without the kernel %v", h, k, n, got, want)
				}
			}
		}
	}
}

// The bounds are those of Go, to the bit, and nothing around the slices is touched.
func TestSiftIsThatOfGo(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: the kernel was left out of this run on purpose")
	}
	r := rand.New(rand.NewPCG(9, 9))
	const n = 64
	var query [64]int16
	codes, bases, wrong := make([]uint16, 16*n), make([]float32, n), make([]float32, n)
	for range 200 {
		for j := range query {
			query[j] = []int16{-32767, 32767, int16(r.IntN(65535) - 32767)}[r.IntN(3)]
		}
		for i := range codes {
			codes[i] = []uint16{0, 65535, uint16(r.IntN(65536))}[r.IntN(3)]
		}
		for i := range n {
			bases[i], wrong[i] = []float32{r.Float32(), float32(math.Inf(1)), float32(math.Inf(-1))}[min(r.IntN(9), 2)], r.Float32()
		}
		step, spread := r.Float32()*1e-6, 4*r.Float32()
		bound := func(i int) float32 {
			sum := int32(0)
			for j, q := range query {
				sum += int32(q) * int32(codes[16*i+j%16]>>(j/16*4)&15)
			}
			return bases[i] - float32(spread*wrong[i]) - float32(step*float32(sum))
		}
		limit := bound(r.IntN(n)) // one row is just let through
		var want []uint32
		for i := range n {
			if bound(i) <= limit {
				want = append(want, uint32(i))
			}
		}
		dst := make([]uint32, n+1)
		dst[n] = 99
		if got := dst[:kernel.Sift(dst[:n], &query, codes, bases, wrong, step, spread, limit)]; !slices.Equal(got, want) || dst[n] != 99 {
			t.Fatalf("%v, in Go %v", got, want)
		}
	}
	defer func() {
		if _, ok := recover().(kernel.ShapeError); !ok {
			t.Error("64 rows of codes for 68: no ShapeError")
		}
	}()
	kernel.Sift(make([]uint32, n+4), &query, codes, make([]float32, n+4), make([]float32, n+4), 1, 1, 1)
}

// BenchmarkSieve is the first hundred of very many, in the processor's time: see ranktest.BenchSieve.
func BenchmarkSieve(b *testing.B) {
	process := js.Global().Get("process")
	if !process.Truthy() {
		b.Skip("SKIPPED: only node tells the processor's time")
	}
	clock := func() time.Duration {
		u := process.Call("cpuUsage")
		return time.Duration(u.Get("user").Int()+u.Get("system").Int()) * time.Microsecond
	}
	if kernel.Available() {
		ranktest.BenchSieve(b, clock, kernel.Scan, kernel.Sift)
	} else {
		ranktest.BenchSieve(b, clock, nil, nil)
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
