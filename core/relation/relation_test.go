package relation

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

func random(seed uint64, rows, cols, n int) *dataset.Matrix {
	r := rand.New(rand.NewPCG(seed, 0))
	pairs := make([]dataset.Pair, n)
	for i := range pairs {
		pairs[i] = dataset.Pair{Row: int32(r.IntN(rows)), Col: int32(r.IntN(cols))}
	}
	return dataset.NewMatrix(rows, cols, pairs)
}

// naive compares all pairs of dense rows.
func naive(m *dataset.Matrix, threshold float64) *dataset.Matrix {
	var pairs []dataset.Pair
	for a := range m.Rows() {
		for b := range m.Rows() {
			common := 0
			for _, c := range m.Row(a) {
				if m.Contains(b, c) {
					common++
				}
			}
			size := math.Sqrt(float64(len(m.Row(a))) * float64(len(m.Row(b))))
			if a != b && common > 0 && float64(common) >= threshold*size {
				pairs = append(pairs, dataset.Pair{Row: int32(a), Col: int32(b)})
			}
		}
	}
	return dataset.NewMatrix(m.Rows(), m.Rows(), pairs)
}

func TestNeighboursAreThoseOfTheNaiveComparison(t *testing.T) {
	for seed := range uint64(20) {
		m := random(seed, 30, 25, 200)
		for _, threshold := range []float64{0.01, 0.2, 0.4, 1} {
			got, err := Neighbours(context.Background(), m, threshold, 3)
			if err != nil {
				t.Fatal(err)
			}
			want := naive(m, threshold)
			if !reflect.DeepEqual(got.Offsets, want.Offsets) || !reflect.DeepEqual(append([]int32{}, got.Indices...), append([]int32{}, want.Indices...)) {
				t.Fatalf("seed %d, threshold %v: %v, want %v", seed, threshold, got, want)
			}
		}
	}
}

func TestNeighboursAreSymmetric(t *testing.T) {
	got, err := Neighbours(context.Background(), random(7, 60, 40, 500), 0.2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if back := got.Transpose(); !reflect.DeepEqual(got, back) {
		t.Error("the neighbour relation is not its own transpose")
	}
}

func TestNeighboursStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Neighbours(ctx, random(1, 5000, 10, 20000), 0.2, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
