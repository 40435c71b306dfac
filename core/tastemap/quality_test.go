package tastemap

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// naive is Measure by its definitions, from full rankings.
func naive(rows, places Rows, kind []int32, k int) (q Quality) {
	n := rows.Len()
	rank := func(r Rows, i int) []int { // the others, nearest first
		var all []int
		for j := range n {
			if j != i {
				all = append(all, j)
			}
		}
		slices.SortStableFunc(all, func(a, b int) int {
			x, y := vec.SquaredDistance(r.Row(i), r.Row(a)), vec.SquaredDistance(r.Row(i), r.Row(b))
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		return all
	}
	penalty := 0
	for i := range n {
		truly, shown := rank(rows, i), rank(places, i)
		for _, j := range shown[:k] {
			at := slices.Index(truly, j) + 1
			if at <= k {
				q.Overlap++
			} else {
				penalty += at - k
			}
			if kind[i] >= 0 && kind[j] == kind[i] {
				q.SameGenre++
			}
		}
	}
	q.Overlap /= float64(n * k)
	q.SameGenre /= float64(n * k)
	q.Trustworthiness = 1 - 2*float64(penalty)/float64(n*k*(2*n-3*k-1))
	return q
}

func near(a, b Quality) bool {
	return math.Abs(a.Overlap-b.Overlap) < 1e-12 && math.Abs(a.SameGenre-b.SameGenre) < 1e-12 &&
		math.Abs(a.Trustworthiness-b.Trustworthiness) < 1e-12
}

func TestMeasureIsItsDefinition(t *testing.T) {
	rows, places := cloud(120, 6, 7), cloud(120, 2, 8)
	copy(places.Data[20:40], places.Data[:20]) // ties
	kind := make([]int32, 120)
	for i := range kind {
		kind[i] = int32(i*i%4) - 1
	}
	for _, k := range []int{1, 5, 10, 59} {
		got, err := Measure(context.Background(), rows, places, kind, k, 3)
		if want := naive(rows, places, kind, k); err != nil || !near(got, want) {
			t.Errorf("at %d: %+v, want %+v, %v", k, got, want, err)
		}
	}
	if _, err := Measure(context.Background(), rows, places, kind, 60, 1); err == nil {
		t.Error("120 titles were measured at 60 neighbours")
	}
}

// Closed forms: the space itself is perfect, and so are its copies in other units. If n points of a line are shown with
// those at even places first, each point's neighbour on the map is the next but one.
func TestMeasureInClosedForm(t *testing.T) {
	const n = 101
	line, folded := Rows{make([]float32, n), 1}, Rows{make([]float32, 2*n), 2}
	kind := make([]int32, n)
	for i := range n {
		line.Data[i] = float32(i * i) // the nearest is the one before, except for the first
		folded.Data[2*i] = float32(7 * i * i)
	}
	q, err := Measure(context.Background(), line, folded, kind, 1, 2)
	if err != nil || q != (Quality{1, 1, 1}) {
		t.Errorf("a space in other units: %+v, %v", q, err)
	}
	// Points 0 … n−1 are at i², and the map has i at ((i+2) mod n)². Place p's nearest is p−1 (0's is 1), so title i's
	// is i−1. Exceptions are title n−2 (at place 0), which has n−1, and title 0 (at place 2), which has n−1, the
	// farthest of all.
	for i := range n {
		p := float32((i + 2) % n)
		folded.Data[2*i] = p * p
	}
	q, err = Measure(context.Background(), line, folded, kind, 1, 2)
	// Strangers: title 0 with n−1 (rank n−1), title n−2 with n−1 (rank 2), title n−1 at place 1 with n−2 (right).
	want := Quality{float64(n-2) / n, 1 - 2*float64(n-2+1)/(n*(2*n-4)), 1}
	if err != nil || !near(q, want) {
		t.Errorf("a line that is cut: %+v, want %+v, %v", q, want, err)
	}
}
