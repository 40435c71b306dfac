package pmlam

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/training"
)

// benchMatrix returns the training part of amazon-cds-pmlam-partial if PMLAM_DATA has it, otherwise a synthetic set of
// that shape: 14,478 users, 23,434 items, about 320,000 interactions, popularity proportional to 1/√rank.
func benchMatrix(b *testing.B) *dataset.Matrix {
	b.Helper()
	if folder := os.Getenv("PMLAM_DATA"); folder != "" {
		d, err := dataset.Load(filepath.Join(folder, "amazon-cds-pmlam-partial"), dataset.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return d.Fold(5, 0, 1).Train
	}
	const users, items = 14478, 23434
	r := rand.New(rand.NewPCG(1, 1))
	m := &dataset.Matrix{Cols: items, Offsets: make([]int, users+1)}
	for u := range users {
		n := 8 + int(14*r.ExpFloat64())
		row := make([]int32, 0, n)
		for range n {
			x := r.Float64()
			row = append(row, int32(float64(items)*x*x)) // density ∝ 1/√x
		}
		slices.Sort(row)
		row = slices.Compact(row)
		m.Indices = append(m.Indices, row...)
		m.Offsets[u+1] = len(m.Indices)
	}
	return m
}

// BenchmarkEpoch runs one epoch with the settings of a preset, from fresh rows. For the paper's this is the worst case,
// since all triplets are active.
func BenchmarkEpoch(b *testing.B) {
	m := benchMatrix(b)
	for _, name := range []string{"paper", "composed", "shared"} {
		b.Run(name, func(b *testing.B) {
			c, err := Preset(map[bool]string{true: "paper", false: "composed"}[name == "paper"])
			if err != nil {
				b.Fatal(err)
			}
			if name == "shared" { // composed, with 256 negatives for every 32 pairs
				c.Negatives, c.SharedNegatives = 256, 32
			}
			c.Epochs = math.MaxInt32
			t, err := New(context.Background(), m, c, 0)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				if err := t.Loop.Run(ctx, func(training.Epoch) { cancel() }); !errors.Is(err, context.Canceled) {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(t.pairs)*b.N)/b.Elapsed().Seconds(), "pairs/s")
		})
	}
}
