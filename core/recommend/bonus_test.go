package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawBonus returns a sparse bonus of the given size, as from item-item links; sometimes negative.
func drawBonus(r *rand.Rand, n int, size float32) []float32 {
	b := make([]float32, n)
	for range n / 4 {
		b[r.IntN(n)] = size * (r.Float32() - 0.2)
	}
	return b
}

// sortedByCost is the definition: all of keep by (W2² − bonus, item).
func sortedByCost(x *Index, query, bonus []float32, k int, keep ItemSet) []Hit {
	var all []Hit
	for i := range x.Len() {
		if keep.Has(i) {
			all = append(all, Hit{i, W2Squared(query, x.items.Row(i)) - float64(bonus[i])})
		}
	}
	slices.SortFunc(all, func(a, b Hit) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return all[:min(k, len(all))]
}

// TestBonusIsASort: the shortlist is exact with a bonus too, whatever the scan's rounding, for bonuses far below and
// far above the distances, and for ties.
func TestBonusIsASort(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for _, scan := range []Scan{nil, sloppy} {
		for _, size := range []float32{1e-9, 0.01, 1, 100, 1e9} {
			for _, n := range []int{1, 65, 400} {
				items := randomTable(r, n, 7)
				bonus := drawBonus(r, n, size)
				for range n / 3 {
					a, b := r.IntN(n), r.IntN(n)
					copy(items.Row(a), items.Row(b))
					bonus[a] = bonus[b]
					if r.IntN(2) == 0 {
						bonus[a] = math.Nextafter32(bonus[a], 9)
					}
				}
				x := NewIndex(items, scan)
				query, some := randomTable(r, 1, 7).Row(0), NewItemSet(n)
				for i := range n {
					if r.IntN(2) == 0 {
						some.Add(i)
					}
				}
				d := make([]float32, n)
				x.Distances(d, query)
				for _, keep := range []ItemSet{nil, some} {
					for _, k := range []int{0, 1, 10, n} {
						want := sortedByCost(x, query, bonus, k, keep)
						if got := x.NearestOf(nil, query, d, bonus, k, keep); !slices.Equal(got, want) {
							t.Fatalf("size %g, n=%d k=%d: got %v, want %v", size, n, k, got, want)
						}
						// A draw without any uncertainty gives the same.
						if got := x.Draw(nil, query, nil, nil, bonus, k, keep, 0, 1); !slices.Equal(got, want) {
							t.Fatalf("size %g, n=%d k=%d: drawn %v, want %v", size, n, k, got, want)
						}
					}
				}
			}
		}
	}
}

// TestNoBonusIsNone: a bonus of zeros gives exactly the scores without a bonus.
func TestNoBonusIsNone(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	items := randomTable(r, 100, 5)
	x, d := NewIndex(items, nil), make([]float32, 100)
	query := slices.Clone(items.Row(3))
	x.Distances(d, query)
	if a, b := x.NearestOf(nil, query, d, nil, 20, nil), x.NearestOf(nil, query, d, make([]float32, 100), 20, nil); !slices.Equal(
		a,
		b,
	) {
		t.Errorf("got %v, want %v", a, b)
	}
}

// TestDrawWithABonus: draws with a bonus are the draws without one minus the bonus, although Draw drops hopeless items
// early.
func TestDrawWithABonus(t *testing.T) {
	const n, h = 200, 6
	r := rand.New(rand.NewPCG(23, 1))
	items := randomTable(r, n, h)
	spread, spreads := make([]float32, h), make([]float32, n*h)
	for i := range spread {
		spread[i] = r.Float32()
	}
	for i := range spreads {
		spreads[i] = r.Float32()
	}
	x, query, bonus := NewIndex(items, nil), slices.Clone(items.Row(0)), drawBonus(r, n, 3)
	want := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), nil, n, nil, 0.7, 3)
	for i := range want {
		want[i].Score -= float64(bonus[want[i].Item])
	}
	slices.SortFunc(want, func(a, b Hit) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	for _, k := range []int{1, 10, n} {
		if got := x.Draw(nil, query, spread, rowsOf(spreads, len(spread)), bonus, k, nil, 0.7, 3); !slices.Equal(
			got,
			want[:k],
		) {
			t.Errorf("k=%d: got %v, want %v", k, got, want[:k])
		}
	}
}

// TestReasonsWithABonus: shares are the softmax over both parts. A link raises a like that is far away, and a bonus of
// zeros changes nothing.
func TestReasonsWithABonus(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	items := randomTable(r, 60, 6)
	likes, bonus := []int{3, 9, 14, 20}, []float32{0, 2.5, 0, 0.5}
	const item, tau = 40, 0.8
	z := 0.0
	score := func(i int) float64 {
		return math.Exp((-W2Squared(items.Row(item), items.Row(likes[i])) + float64(bonus[i])) / tau)
	}
	for i := range likes {
		z += score(i)
	}
	got := Reasons(nil, items, likes, bonus, item, tau, 4)
	for _, x := range got {
		i := slices.Index(likes, x.Item)
		if math.Abs(x.Share-score(i)/z) > 1e-6 {
			t.Errorf("the share of like %d is %v, want %v", x.Item, x.Share, score(i)/z)
		}
	}
	if !slices.IsSortedFunc(got, func(a, b Reason) int {
		if a.Share >= b.Share {
			return -1
		}
		return 1
	}) || len(got) != 4 {
		t.Errorf("not in order: %v", got)
	}
	if a, b := Reasons(nil, items, likes, nil, item, tau, 4), Reasons(nil, items, likes, make([]float32, 4), item, tau, 4); !slices.Equal(
		a,
		b,
	) {
		t.Errorf("got %v, want %v", a, b)
	}
}

func TestBonusOfAnotherLengthPanics(t *testing.T) {
	x := NewIndex(randomTable(rand.New(rand.NewPCG(1, 1)), 4, 3), nil)
	defer func() {
		if _, ok := recover().(LengthError); !ok {
			t.Error("no LengthError")
		}
	}()
	x.NearestOf(nil, make([]float32, 6), make([]float32, 4), make([]float32, 3), 1, nil)
}
