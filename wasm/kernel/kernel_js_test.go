//go:build js && wasm

package kernel_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
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
		t.Skip("SKIPPED: this run deliberately has no kernel")
	}
	fmt.Println("this engine scans with simd")
	if difference := compare(kernel.Scan); difference != "" {
		t.Fatal(difference)
	}
}

func TestSIMDTouchesNothingAroundItsSlices(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: this run deliberately has no kernel")
	}
	const guard = 77
	for w := range 20 {
		for offset := range 4 { // unaligned slices
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
			block[offset+w], block[offset+w+1+n*w] = nan, nan // reading them would give NaN
			kernel.Scan(dst, query, rows)
			for i, d := range dst {
				if d != float32(4*w) {
					t.Fatalf("width %d, offset %d: distance %d is %v, want %d", w, offset, i, d, 4*w)
				}
			}
			for i, v := range block[offset+w+1+n*w+1+n:] {
				if v != guard {
					t.Fatalf("width %d, offset %d: word %d after the result is %v", w, offset, i, v)
				}
			}
		}
	}
}

// Memory that grows gets a new buffer in JavaScript; the kernel must still see Go's.
func TestSIMDSeesMemoryThatHasGrown(t *testing.T) {
	if !kernel.Available() {
		t.Skip("SKIPPED: this run deliberately has no kernel")
	}
	rows := make([]float32, 48<<20/4) // more memory than the program starts with
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
