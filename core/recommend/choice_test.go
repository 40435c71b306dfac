package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// A slider opens the right number of places in ten, never the first, and fills them only with titles that would not be
// on the page; the others keep their order. This holds for any hits, so for visitors with few or with many likes.
func TestSlidersOpenPlaces(t *testing.T) {
	hits := make([]Hit, 400)
	for i := range hits {
		hits[i] = Hit{Item: 399 - i, Score: float64(i)}
	}
	for strength, changed := range map[float64]int{0: 0, 0.25: 2, 0.5: 4, 0.75: 6, 1: 8} {
		for seed := range uint64(5) {
			got := surprise(hits, 60, strength, seed)
			for from := 0; from < 60; from += page {
				next, n := 0, 0
				for at, h := range got[from : from+page] {
					place := 399 - h.Item // among the hits
					switch {
					case place >= from+page && place < from+page+reach:
						n++
						if at == 0 {
							t.Errorf("strength %v: the first of a page is drawn", strength)
						}
					case place < next:
						t.Errorf("strength %v: place %d of the hits comes after place %d", strength, place, next)
					default:
						next = place
					}
				}
				if from == 0 && n != changed {
					t.Errorf("strength %v: %d of the first ten are replaced, want %d", strength, n, changed)
				}
			}
			if short := surprise(hits, 7, strength, seed); !slices.Equal(short, got[:7]) {
				t.Errorf("strength %v: a longer list does not begin with the shorter one", strength)
			}
			if short := surprise(hits[:pool(17)], 17, strength, seed); !slices.Equal(short, got[:17]) {
				t.Errorf("strength %v: pool(17) hits do not make the first 17 of the list", strength)
			}
			if other := surprise(hits, 60, strength, seed+9); changed > 0 && slices.Equal(other, got) {
				t.Errorf("strength %v: two seeds draw the same", strength)
			}
		}
	}
	if got := surprise(hits[:12], 12, 1, 3); len(got) != 12 {
		t.Errorf("got %d of 12 hits", len(got))
	}
}

// vary is maximal marginal relevance, computed here without a running minimum: all distances again at every place.
func TestVaryIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	items := randomTable(r, 400, 8)
	x := NewIndex(items, nil)
	hits := x.root(items.Row(3), 150)
	before := []int{hits[0].Item, hits[4].Item, 399}
	for name, w := range map[string]window{"half": openPlaces(0.5), "whole": openPlaces(1), "everywhere": everywhere} {
		from := before
		if name != "everywhere" {
			from = nil
		}
		got := vary(items, hits[5:], 20, w, from)
		var want []Hit
		used := map[int]bool{}
		for t := range 20 {
			best, at := math.Inf(-1), -1
			lo, hi := w(t)
			for j := lo; j < min(hi, len(hits)-5); j++ {
				h, apart := hits[5+j], math.Inf(1)
				for _, o := range want {
					apart = min(apart, math.Sqrt(float64(gaussian.W2Squared(items.Row(o.Item), items.Row(h.Item)))))
				}
				for _, o := range from {
					apart = min(apart, math.Sqrt(float64(gaussian.W2Squared(items.Row(o), items.Row(h.Item)))))
				}
				if v := apart - h.Score; !used[j] && v > best {
					best, at = v, j
				}
			}
			for j := 0; at < 0; j++ {
				if !used[j] {
					at = j
				}
			}
			used[at] = true
			want = append(want, hits[5+at])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// root is Nearest with distances instead of their squares.
func (x *Index) root(query []float32, k int) []Hit {
	hits := x.Nearest(nil, query, k, nil)
	for i := range hits {
		hits[i].Score = math.Sqrt(hits[i].Score)
	}
	return hits
}

func TestMoreDiversityIsMoreApart(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	items := randomTable(r, 1000, 8)
	x := NewIndex(items, nil)
	spread := func(strength float64) (apart, far float64) {
		for q := range 20 {
			hits := vary(items, x.root(items.Row(q), pool(10)), 10, openPlaces(strength), nil)
			for i := range hits {
				far += hits[i].Score
				for j := range i {
					apart += math.Sqrt(W2Squared(items.Row(hits[i].Item), items.Row(hits[j].Item)))
				}
			}
		}
		return
	}
	a0, f0 := spread(0)
	a1, f1 := spread(0.5)
	a2, f2 := spread(1)
	if !(a0 < a1 && a1 < a2) {
		t.Errorf("the lists must spread out with the strength: %v, %v, %v", a0, a1, a2)
	}
	if !(f0 < f1 && f1 < f2) {
		t.Errorf("and pay for it in distance: %v, %v, %v", f0, f1, f2)
	}
}

func TestDrawOfNothingIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	items := randomTable(r, 300, 10)
	x := NewIndex(items, nil)
	spread, spreads := make([]float32, 10), make([]float32, 3000)
	for i := range spread {
		spread[i] = 0.3
	}
	for i := range spreads {
		spreads[i] = 0.2
	}
	query := items.Row(5)
	want := x.Nearest(nil, query, 10, nil)
	if got := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, 10, nil, 0, 9); !slices.Equal(got, want) {
		t.Errorf("an amount of 0 gave %v, Nearest gives %v", got, want)
	}
	// Without uncertainty, a draw is the mean itself.
	got := x.Draw(nil, query, make([]float32, 10), rowsOf(make([]float32, 3000), 10), nil, 10, nil, 1, 9)
	for i := range got {
		if got[i].Item != want[i].Item || math.Abs(got[i].Score-want[i].Score) > 1e-12 {
			t.Errorf("without any spread hit %d is %v, Nearest has %v", i, got[i], want[i])
		}
	}
	a, b := x.Draw(
		nil,
		query,
		spread,
		rowsOf(spreads, len(spread)),
		nil,
		10,
		nil,
		1,
		9,
	), x.Draw(
		nil,
		query,
		spread,
		rowsOf(spreads, len(spread)),
		nil,
		10,
		nil,
		1,
		9,
	)
	if !slices.Equal(a, b) {
		t.Error("the same seed gave two answers")
	}
	if c := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, 10, nil, 1, 10); slices.Equal(a, c) {
		t.Error("two seeds gave one answer")
	}
	// An item's draw does not depend on the other items kept.
	keep := fullItemSet(300)
	for _, h := range a[:4] {
		keep.Remove(h.Item)
	}
	if d := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, 6, keep, 1, 9); !slices.Equal(d, a[4:]) {
		t.Errorf("without the first four, the draw gave %v, want %v", d, a[4:])
	}
}

// Draw can stop early on items that cannot make the list; the result equals drawing all in full.
func TestDrawIsASortOfAllDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 7))
	for _, h := range []int{1, 4, 5, 6, 50} {
		items := randomTable(r, 200, h)
		spread, spreads := make([]float32, h), make([]float32, 200*h)
		for i := range spread {
			spread[i] = r.Float32()
		}
		for i := range spreads {
			spreads[i] = r.Float32()
		}
		x := NewIndex(items, nil)
		query := slices.Clone(items.Row(0))
		full := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, 200, nil, 0.7, 3)
		if len(full) != 200 || !slices.IsSortedFunc(full, func(a, b Hit) int {
			if a.before(b) {
				return -1
			}
			return 1
		}) {
			t.Fatalf("h=%d: a draw of all items is not a full sorted list", h)
		}
		mean := make([]float32, h)
		DrawMean(mean, query[:h], spread, 0.7, 3)
		for _, hit := range full {
			want, s := 0.0, newStream(3, uint64(hit.Item))
			for d := range h {
				z := float64(float32(0.7)*spreads[hit.Item*h+d]) * float64(s.normal(normals()))
				f := float64(mean[d]) - float64(items.Mean(hit.Item)[d]) - z
				e := float64(query[h+d]) - float64(items.Stddev(hit.Item)[d])
				want += f*f + e*e
			}
			if math.Abs(hit.Score-want) > 1e-5*(1+want) {
				t.Fatalf("h=%d: item %d was drawn at %v, want %v", h, hit.Item, hit.Score, want)
			}
		}
		if got := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, 10, nil, 0.7, 3); !slices.Equal(
			got,
			full[:10],
		) {
			t.Errorf("h=%d: ten of the draws are %v, of all they were %v", h, got, full[:10])
		}
	}
}

// The scores of many draws have the moments of distanceMoments.
func TestDrawsHaveTheMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const h, draws = 50, 20000
	items := gaussian.NewTable(1, h)
	query, spread, spreads := make([]float32, 2*h), make([]float32, h), make([]float32, h)
	for d := range h {
		items.Mean(0)[d] = float32(0.12 * r.NormFloat64())
		query[d] = float32(0.12 * r.NormFloat64())
		spread[d] = float32(0.1 * r.Float64())
		spreads[d] = float32(0.1 * r.Float64())
	}
	x := NewIndex(items, nil)
	mean, variance := distanceMoments(query[:h], spread, items.Mean(0), spreads)
	var sum, sum2 float64
	for s := range draws {
		v := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, 1, nil, 1, uint64(s))[0].Score
		sum += v
		sum2 += v * v
	}
	m := sum / draws
	v := sum2/draws - m*m
	if e := math.Abs(m - mean); e > 5*math.Sqrt(variance/draws) {
		t.Errorf("the draws' mean is %v, distanceMoments says %v", m, mean)
	}
	if math.Abs(v/variance-1) > 0.06 {
		t.Errorf("the draws' variance is %v, distanceMoments says %v", v, variance)
	}
}

func TestNormalTableIsNormal(t *testing.T) {
	table := normals()
	var m, v, k float64
	sorted := slices.Clone(table[:])
	slices.Sort(sorted)
	for i, x := range sorted {
		x := float64(x)
		m += x / quantiles
		v += x * x / quantiles
		k += x * x * x * x / quantiles
		// Compare the share of values up to x with the distribution function, on both sides of the step.
		cdf := 0.5 * math.Erfc(-x/math.Sqrt2)
		if e := max(math.Abs(float64(i+1)/quantiles-cdf), math.Abs(float64(i)/quantiles-cdf)); e > 2.5e-4 {
			t.Fatalf("at %v the distribution function is off by %g", x, e)
		}
	}
	if math.Abs(m) > 1e-7 || math.Abs(v-1) > 1e-6 || math.Abs(k-3) > 0.03 || sorted[0] < -3.7 {
		t.Errorf("mean %g, variance %v, fourth moment %v, smallest %v", m, v, k, sorted[0])
	}
}

func TestStreamIsUniformAndUncorrelated(t *testing.T) {
	table := normals()
	const n = 200000
	var sum, sum2, lag, across float64
	last := 0.0
	for item := range uint64(n / 50) {
		s, o := newStream(7, item), newStream(8, item)
		for range 50 {
			a, b := float64(s.normal(table)), float64(o.normal(table))
			sum += a
			sum2 += a * a
			lag += a * last
			across += a * b
			last = a
		}
	}
	bound := 5 / math.Sqrt(n)
	if math.Abs(sum/n) > bound || math.Abs(sum2/n-1) > 5*math.Sqrt2/math.Sqrt(n) || math.Abs(lag/n) > bound ||
		math.Abs(across/n) > bound {
		t.Errorf(
			"mean %g, variance %g, autocorrelation %g, correlation of two seeds %g",
			sum/n,
			sum2/n,
			lag/n,
			across/n,
		)
	}
}

func TestFunctionsWithoutPackageMath(t *testing.T) {
	for p := 1e-6; p <= 0.5; p += 1e-4 {
		x := quantile(p)
		if got := 0.5 * math.Erfc(-x/math.Sqrt2); math.Abs(got/p-1) > 1e-7 {
			t.Fatalf("Φ(quantile(%v)) = %v", p, got)
		}
	}
	for x := -8.0; x <= 8; x += 0.01 {
		if got, want := normalCDF(x), 0.5*math.Erfc(-x/math.Sqrt2); math.Abs(got-want) > 3e-7 {
			t.Fatalf("Φ(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestReasonsAreTheSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	items := randomTable(r, 60, 6)
	likes := []int{3, 9, 14, 20, 31, 55}
	const item, tau = 40, 2.0
	all := Reasons(nil, items, likes, nil, item, tau, len(likes))
	total, z := 0.0, 0.0
	for _, l := range likes {
		z += math.Exp(-W2Squared(items.Row(item), items.Row(l)) / tau)
	}
	for i, x := range all {
		total += x.Share
		want := math.Exp(-W2Squared(items.Row(item), items.Row(x.Item))/tau) / z
		if math.Abs(x.Share-want) > 1e-6 {
			t.Errorf("the share of like %d is %v, want %v", x.Item, x.Share, want)
		}
		if i > 0 && x.Share > all[i-1].Share {
			t.Errorf("reason %d is stronger than the one before it", i)
		}
	}
	if math.Abs(total-1) > 1e-6 {
		t.Errorf("the shares of all likes sum to %v", total)
	}
	if top := Reasons(nil, items, likes, nil, item, tau, 3); !slices.Equal(top, all[:3]) {
		t.Errorf("the top three are %v, of all they were %v", top, all[:3])
	}
	if none := Reasons(nil, items, nil, nil, item, tau, 3); len(none) != 0 {
		t.Errorf("no likes gave %v", none)
	}
	// Equal items have equal shares, the lower item first.
	copy(items.Row(9), items.Row(3))
	if twins := Reasons(nil, items, []int{9, 3}, nil, 3, tau, 2); twins[0].Item != 3 ||
		twins[0].Share != twins[1].Share {
		t.Errorf("twins gave %v", twins)
	}
}

// rowsOf returns the rows of width h of a block.
func rowsOf(block []float32, h int) func(i int) []float32 {
	return func(i int) []float32 { return block[i*h : (i+1)*h] }
}

// distanceMoments returns the mean and variance of D² = ‖x_u − x_j‖² between two random means, x_u ~ N(μ_u,
// diag(spread²)) and x_j ~ N(μ_j, diag(itemSpread²)). With δ = μ_u − μ_j and v = spread² + itemSpread² per dimension,
//
//	E D² = Σ_d δ_d² + v_d        Var D² = Σ_d 2v_d² + 4δ_d²v_d
//
// which is exact. All four have length h. O(h).
func distanceMoments(mean, spread, item, itemSpread []float32) (expected, variance float64) {
	h := len(mean)
	spread, item, itemSpread = spread[:h], item[:h], itemSpread[:h]
	for d, m := range mean {
		delta := float64(m) - float64(item[d])
		s, t := float64(spread[d]), float64(itemSpread[d])
		v := float64(s*s) + float64(t*t)
		d2 := float64(delta * delta)
		expected += d2 + v
		variance += float64(v * (2*v + 4*d2))
	}
	return expected, variance
}
