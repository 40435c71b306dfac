package recommend

import (
	"fmt"
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/yield"
)

// Scan writes ‖query − row_i‖² into dst[i] for consecutive rows, len(dst)×len(query), in float32 with an error of a few
// roundings per addition. vec.SquaredDistances is one.
type Scan func(dst, query, rows []float32)

// Index finds the items of a table with the lowest W2², or the lowest cost. It is safe for concurrent use if its Scan
// is.
type Index struct {
	items *gaussian.Table
	scan  Scan
	pool  sync.Pool // of *scratch
}

type scratch struct {
	distances []float32
	first     lowest
	second    lowest
	drawn     []float32
	noise     []float32
	bonus     []float32
	row       []float64
}

// NewIndex returns an index over the items, which must not change while it is in use. A nil scan stands for
// vec.SquaredDistances.
func NewIndex(items *gaussian.Table, scan Scan) *Index {
	if scan == nil {
		scan = vec.SquaredDistances
	}
	x := &Index{items: items, scan: scan}
	x.pool.New = func() any { return new(scratch) }
	return x
}

// LengthError is the value that this package's functions panic with for a row of the wrong length.
type LengthError struct{ Got, Want int }

func (e LengthError) Error() string {
	return fmt.Sprintf("recommend: got a row of %d values, want %d", e.Got, e.Want)
}

func (x *Index) check(got int) {
	if want := 2 * x.items.Dim(); got != want {
		panic(LengthError{got, want})
	}
}

// Len returns I, the number of items.
func (x *Index) Len() int { return x.items.Len() }

// Distances writes the scan's W2² from the query (2h) to every item into dst (I). O(I·h).
func (x *Index) Distances(dst, query []float32) {
	x.check(len(query))
	if len(dst) != x.items.Len() {
		panic(LengthError{len(dst), x.items.Len()})
	}
	rows, w := x.items.Data(), len(query)
	for len(dst) > yieldRows {
		x.scan(dst[:yieldRows], query, rows[:yieldRows*w])
		dst, rows = dst[yieldRows:], rows[yieldRows*w:]
		yield.Now()
	}
	if len(dst) > 0 {
		x.scan(dst, query, rows)
	}
}

// distancesOfAll writes the scan's W2² from each query (2h) to every item into dst (queries×I). Rows that fit in a
// processor's cache are read once for all queries. O(queries·I·h).
func (x *Index) distancesOfAll(dst []float32, queries [][]float32) {
	rows, w, n := x.items.Data(), 2*x.items.Dim(), x.items.Len()
	tile := max(cacheFloats/w&^3, 4) // kernels take four rows at a time
	for from := 0; from < n; from += tile {
		to := min(from+tile, n)
		for q, query := range queries {
			x.scan(dst[q*n+from:q*n+to], query, rows[from*w:to*w])
		}
		yield.Now()
	}
}

// cacheFloats is the number of values in a tile of rows: 32 KB, the size of an L1 cache.
const cacheFloats = 1 << 13

// yieldRows is the number of items between two calls of yield.Now, a millisecond or two of work.
const yieldRows = 1 << 14

// W2Squared returns W2² of two rows of equal length in float64. Operations are rounded and in a fixed order, so the
// bits are the same everywhere. O(h).
func W2Squared(a, b []float32) float64 {
	b = b[:len(a)]
	var even, odd float64
	i := 0
	for ; i+1 < len(a); i += 2 {
		d, e := float64(a[i])-float64(b[i]), float64(a[i+1])-float64(b[i+1])
		even += float64(d * d)
		odd += float64(e * e)
	}
	if i < len(a) {
		d := float64(a[i]) - float64(b[i])
		even += float64(d * d)
	}
	return even + odd
}

// Nearest appends to dst the k items of keep (nil: all) nearest to the query by W2, nearest first, with Score = W2² in
// float64. The order is exactly as if all of keep were sorted by (W2Squared, item). If keep holds fewer, fewer are
// appended. O(I·h + I log k).
func (x *Index) Nearest(dst []Hit, query []float32, k int, keep ItemSet) []Hit {
	w := x.pool.Get().(*scratch)
	defer x.pool.Put(w)
	w.distances = grow(w.distances, x.items.Len())
	x.Distances(w.distances, query)
	return x.shortlist(dst, w, query, w.distances, nil, k, keep)
}

// NearestOf is Nearest for a query whose Distances are known, with a bonus for each item (nil: none). It sorts by
//
//	cost_i = W2Squared(query, i) − bonus_i
//
// and sets Score to it. A bonus must be finite, may have either sign, and is exact: the same number on every engine.
func (x *Index) NearestOf(dst []Hit, query, distances, bonus []float32, k int, keep ItemSet) []Hit {
	x.check(len(query))
	if len(distances) != x.items.Len() {
		panic(LengthError{len(distances), x.items.Len()})
	}
	x.checkBonus(bonus)
	w := x.pool.Get().(*scratch)
	defer x.pool.Put(w)
	return x.shortlist(dst, w, query, distances, bonus, k, keep)
}

func (x *Index) checkBonus(bonus []float32) {
	if bonus != nil && len(bonus) != x.items.Len() {
		panic(LengthError{len(bonus), x.items.Len()})
	}
}

// shortlist does the exact selection. Let e_i bound the error of item i's scanned cost, and let t be the k-th smallest
// value of scanned cost + e_i within keep. Then k items have a true cost ≤ t, so every item of the true k best has
// scanned cost − e_i ≤ t. All items up to that bound are scored again; no other can matter.
func (x *Index) shortlist(dst []Hit, w *scratch, query, distances, bonus []float32, k int, keep ItemSet) []Hit {
	n := len(distances)
	k = min(k, n)
	if k <= 0 {
		return dst
	}
	// 1e-37 covers underflow. For a bonus, add the rounding error of subtracting it in float64.
	e := scanError(len(query))
	bounds := func(i int, d float32) (low, high float64) {
		slack := float64(d)*e + 1e-37
		cost := float64(d)
		if bonus != nil {
			b := float64(bonus[i])
			slack += math.Abs(b) * 0x1p-50
			cost -= b
		}
		return cost - slack, cost + slack
	}
	w.first.Resize(k)
	worst := math.Inf(1)
	for i, d := range distances {
		_, high := bounds(i, d)
		if !(high < worst) || !keep.Has(i) {
			continue
		}
		w.first.offer(Hit{i, high})
		if last, full := w.first.worst(); full {
			worst = last
		}
	}
	if w.first.Len() == 0 {
		return dst
	}
	// If keep holds fewer than k items, worst is still infinite and all of keep is on the shortlist.
	w.second.Resize(k)
	for i, d := range distances {
		if low, _ := bounds(i, d); low <= worst && keep.Has(i) {
			w.second.offer(Hit{i, cost(W2Squared(query, x.items.Row(i)), bonus, i)})
		}
	}
	return w.second.appendTo(dst)
}

// scanError returns ε, the bound on the relative error of a scan of rows of width w. It counts one rounding for a
// difference, twice because it is squared, one for the square, and one for each addition in the worst order,
// (w+3)·2⁻²⁴; four times that for safety.
func scanError(w int) float64 { return 4 * float64(w+3) / (1 << 24) }

// cost returns the cost by which item i is ranked.
func cost(distance float64, bonus []float32, i int) float64 {
	if bonus == nil {
		return distance
	}
	return distance - float64(bonus[i])
}
