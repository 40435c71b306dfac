package dataset

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func randomMatrix(seed uint64, rows, cols, n int) *Matrix {
	r := rand.New(rand.NewPCG(seed, 0))
	pairs := make([]Pair, n)
	for i := range pairs {
		pairs[i] = Pair{Row: int32(r.IntN(rows)), Col: int32(r.IntN(cols))}
	}
	return NewMatrix(rows, cols, pairs)
}

// naive compares all pairs of rows, the threshold being the number that is written there.
func naive(t *testing.T, m *Matrix, threshold string) *Matrix {
	bound, ok := new(big.Rat).SetString(threshold)
	if !ok {
		t.Fatalf("%q is no number", threshold)
	}
	bound.Mul(bound, bound)
	var pairs []Pair
	for a := range m.Rows() {
		for b := range m.Rows() {
			common := int64(0)
			for _, c := range m.Row(a) {
				if m.Contains(b, c) {
					common++
				}
			}
			if a == b || common == 0 {
				continue
			}
			if big.NewRat(common*common, int64(len(m.Row(a))*len(m.Row(b)))).Cmp(bound) >= 0 {
				pairs = append(pairs, Pair{Row: int32(a), Col: int32(b)})
			}
		}
	}
	return NewMatrix(m.Rows(), m.Rows(), pairs)
}

func sameRelation(a, b *Matrix) bool {
	return a.Cols == b.Cols && slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Indices, b.Indices)
}

func neighbours(t *testing.T, m *Matrix, threshold float64, workers int) *Matrix {
	t.Helper()
	got, err := Neighbours(context.Background(), m, threshold, workers)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var thresholds = map[string]float64{
	"0.000000001": 1e-9, "0.01": 0.01, "0.1": 0.1, "0.2": 0.2, "0.3": 0.3, "0.4": 0.4, "0.6": 0.6,
	"0.999999999": 0.999999999, "1": 1,
}

func checkAgainstNaive(t *testing.T, name string, m *Matrix) {
	t.Helper()
	for text, threshold := range thresholds {
		want := naive(t, m, text)
		for _, workers := range []int{0, 1, 3} {
			if got := neighbours(t, m, threshold, workers); !sameRelation(got, want) {
				t.Fatalf("%s, threshold %v, %d workers: %v, want %v", name, threshold, workers, got, want)
			}
		}
	}
}

func TestNeighboursAreThoseOfTheNaiveComparison(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(30) {
		// Over several chunks, from nearly empty to nearly full.
		rows, cols := 1+r.IntN(3*chunkRows), 1+r.IntN(30)
		checkAgainstNaive(t, "random", randomMatrix(seed, rows, cols, r.IntN(rows*cols)))
	}
	for seed := range uint64(3) {
		m := drawBooks(150, 200, 3000, seed)
		checkAgainstNaive(t, "skewed users", m)
		checkAgainstNaive(t, "skewed items", m.Transpose())
	}
}

// Rows a and b of lengths na and nb that share their first c columns.
func overlapping(na, nb, c int) *Matrix {
	var pairs []Pair
	for i := range na {
		pairs = append(pairs, Pair{Row: 0, Col: int32(i)})
	}
	for i := range nb {
		col := i
		if i >= c {
			col = na + i
		}
		pairs = append(pairs, Pair{Row: 1, Col: int32(col)})
	}
	return NewMatrix(2, na+nb, pairs)
}

// A cosine of exactly the threshold counts, whichever lengths it comes from, and one just below never does.
func TestTheThresholdItselfIsReached(t *testing.T) {
	for _, c := range []struct {
		na, nb, shared int
		threshold      float64
		near           bool
	}{
		{5, 5, 1, 0.2, true}, {1, 25, 1, 0.2, true}, {10, 40, 4, 0.2, true}, {35, 35, 7, 0.2, true},
		{75, 75, 15, 0.2, true},
		{5, 6, 1, 0.2, false}, {1, 26, 1, 0.2, false}, {49, 51, 10, 0.2, true}, {50, 51, 10, 0.2, false},
		{5, 5, 2, 0.4, true}, {4, 25, 4, 0.4, true}, {5, 6, 2, 0.4, false}, {10, 10, 6, 0.6, true},
		{10, 10, 3, 0.3, true}, {10, 10, 7, 0.7, true},
		{3, 3, 3, 1, true}, {3, 4, 3, 1, false}, {1000, 1001, 1000, 1, false}, {1, 1, 1, 1, true},
	} {
		for _, m := range []*Matrix{overlapping(c.na, c.nb, c.shared), overlapping(c.nb, c.na, c.shared)} {
			if got := neighbours(t, m, c.threshold, 1); (got.Len() == 2) != c.near || got.Len() == 1 {
				t.Errorf("rows of %d and %d that share %d, threshold %v: %d neighbours, want near = %v", c.na, c.nb,
					c.shared, c.threshold, got.Len(), c.near)
			}
		}
	}
}

// Reached must hold where float64 and 64-bit products would not.
func TestReachedIsExactForTheLongestRows(t *testing.T) {
	const n = 1<<31 - 1
	for _, c := range []struct {
		t                 float64
		shared, a, b      int
		reached, oneFewer bool
	}{
		{1, n, n, n, true, false},
		{0.5, 1 << 30, n, n, true, false},
		{0.2, 400_000_000, 2_000_000_000, 2_000_000_000, true, false},
		{1e-9, 1, 1_000_000_000, 1_000_000_000, true, false},
		{1e-9, 2, 2_000_000_000, 2_000_000_000, true, false},
	} {
		if got := NewThreshold(c.t).Reached(c.shared, c.a, c.b); got != c.reached {
			t.Errorf("%d shared of %d and %d at %v: %v", c.shared, c.a, c.b, c.t, got)
		}
		if got := NewThreshold(c.t).Reached(c.shared-1, c.a, c.b); got != c.oneFewer {
			t.Errorf("%d shared of %d and %d at %v: %v", c.shared-1, c.a, c.b, c.t, got)
		}
	}
}

// Rows that are alike in every way a bound could trip over: all of one length, all equal, all apart, one within
// another.
func TestRowsThatAreAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const rows = 2*chunkRows + 5
	build := func(columns func(row int) []int) *Matrix {
		var pairs []Pair
		for row := range rows {
			for _, c := range columns(row) {
				pairs = append(pairs, Pair{Row: int32(row), Col: int32(c)})
			}
		}
		return NewMatrix(rows, 2*rows, pairs)
	}
	up := func(n int) []int {
		s := make([]int, n)
		for i := range s {
			s[i] = i
		}
		return s
	}
	checkAgainstNaive(t, "one length", build(func(int) []int { return r.Perm(12)[:5] }))
	checkAgainstNaive(t, "equal", build(func(int) []int { return up(4) }))
	checkAgainstNaive(t, "apart", build(func(row int) []int { return []int{2 * row, 2*row + 1} }))
	checkAgainstNaive(t, "one within the next", build(up))
	checkAgainstNaive(t, "one within the last", build(func(row int) []int { return up(rows - row) }))
	checkAgainstNaive(t, "one column for all", build(func(row int) []int {
		return append([]int{0},
			r.Perm(2 * rows)[:row]...)
	}))
	checkAgainstNaive(t, "empty ones between", build(func(row int) []int { return up(row % 3) }))
	checkAgainstNaive(t, "no rows", new(Matrix))
	checkAgainstNaive(t, "no columns", NewMatrix(3, 0, nil))
}

func TestNeighboursDoNotDependOnTheWorkers(t *testing.T) {
	m := drawBooks(3000, 2500, 60000, 3)
	want := neighbours(t, m, 0.1, 1)
	if want.Len() < 1000 {
		t.Fatalf("only %d neighbours to compare", want.Len())
	}
	for _, workers := range []int{0, 2, 8, 1000} {
		if got := neighbours(t, m, 0.1, workers); !sameRelation(got, want) {
			t.Errorf("%d workers find other neighbours than one", workers)
		}
	}
	if back := want.Transpose(); !reflect.DeepEqual(want, back) {
		t.Error("the neighbour relation is not its own transpose")
	}
}

func TestNeighboursStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := Neighbours(ctx, randomMatrix(1, 5000, 10, 20000), 0.2, 1); got != nil ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v; want context.Canceled", got, err)
	}
}

// ends is a context that is done after being asked n times.
type ends struct {
	context.Context
	n int
}

func (e *ends) Err() error {
	if e.n--; e.n < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the context ends, there is an error and no half result.
func TestNeighboursStopWheneverCancelled(t *testing.T) {
	m := randomMatrix(4, 3*chunkRows, 10, 500)
	for n := range 10 * chunkRows {
		got, err := Neighbours(&ends{context.Background(), n}, m, 0.2, 1)
		if (got == nil) != (err != nil) {
			t.Fatalf("ended after %d questions: %v, %v", n, got, err)
		}
		if err == nil {
			return
		}
	}
	t.Error("never got to the end")
}

func TestThresholdsOutOfRangePanic(t *testing.T) {
	for _, threshold := range []float64{0, -0.1, 1.0000001, 2} {
		func() {
			defer func() {
				if _, ok := recover().(ThresholdError); !ok {
					t.Errorf("threshold %v does not panic with ThresholdError", threshold)
				}
			}()
			Neighbours(context.Background(), new(Matrix), threshold, 1)
		}()
	}
}
