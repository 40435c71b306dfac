package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

func randomTable(r *rand.Rand, n, h int) *gaussian.Table {
	t := gaussian.NewTable(n, h)
	for i := range t.Data() {
		t.Data()[i] = float32(r.NormFloat64())
	}
	for i := range n {
		for d, s := range t.Stddev(i) {
			t.Stddev(i)[d] = float32(math.Abs(float64(s))*0.2 + gaussian.MinStddev)
		}
	}
	return t
}

// naive sorts all of keep by (W2Squared, item).
func naive(items *gaussian.Table, query []float32, k int, keep ItemSet) []Hit {
	var all []Hit
	for i := range items.Len() {
		if keep.Has(i) {
			all = append(all, Hit{i, W2Squared(query, items.Row(i))})
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].Score < all[b].Score })
	return all[:min(k, len(all))]
}

// sloppy scans in plain float32 from the last dimension to the first, so its rounding differs from vec's.
func sloppy(dst, query, rows []float32) {
	w := len(query)
	for i := range dst {
		var s float32
		for d := w - 1; d >= 0; d-- {
			x := query[d] - rows[i*w+d]
			s += float32(x * x)
		}
		dst[i] = s
	}
}

func TestNearestIsASort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, scan := range []Scan{nil, sloppy} {
		for _, n := range []int{1, 2, 63, 64, 65, 500} {
			for _, h := range []int{1, 3, 16, 50} {
				items := randomTable(r, n, h)
				// Copies make ties, and near copies make distances that are equal in float32.
				for range n / 3 {
					a, b := r.IntN(n), r.IntN(n)
					copy(items.Row(a), items.Row(b))
					if r.IntN(2) == 0 {
						d := r.IntN(2 * h)
						items.Row(a)[d] = math.Nextafter32(items.Row(a)[d], 9)
					}
				}
				x := NewIndex(items, scan)
				query := randomTable(r, 1, h).Row(0)
				keeps := []ItemSet{nil, fullItemSet(n), NewItemSet(n)}
				some := NewItemSet(n)
				for i := range n {
					if r.IntN(3) == 0 {
						some.Add(i)
					}
				}
				for _, keep := range append(keeps, some) {
					for _, k := range []int{0, 1, 2, 10, n, n + 5} {
						got := x.Nearest(nil, query, k, keep)
						if want := naive(items, query, k, keep); !slices.Equal(got, want) {
							t.Fatalf("n=%d h=%d k=%d: got %v, want %v", n, h, k, got, want)
						}
					}
				}
			}
		}
	}
}

func TestNearestOfAllTheSameGoesByIndex(t *testing.T) {
	items := gaussian.NewTable(100, 4)
	got := NewIndex(items, nil).Nearest(nil, make([]float32, 8), 5, nil)
	for i, h := range got {
		if h.Item != i || h.Score != 0 {
			t.Fatalf("hit %d is %+v", i, h)
		}
	}
}

func TestNearestAppends(t *testing.T) {
	items := randomTable(rand.New(rand.NewPCG(2, 2)), 20, 3)
	x := NewIndex(items, nil)
	got := x.Nearest([]Hit{{99, -1}}, items.Row(7), 2, nil)
	if len(got) != 3 || got[0].Item != 99 || got[1] != (Hit{7, 0}) {
		t.Errorf("got %v", got)
	}
	d := make([]float32, 20)
	x.Distances(d, items.Row(7))
	if again := x.NearestOf(nil, items.Row(7), d, nil, 2, nil); !slices.Equal(again, got[1:]) {
		t.Errorf("with the distances at hand %v, without %v", again, got[1:])
	}
	if empty := NewIndex(gaussian.NewTable(0, 3), nil).Nearest(nil, make([]float32, 6), 3, nil); len(empty) != 0 {
		t.Errorf("no items gave %v", empty)
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	x := NewIndex(gaussian.NewTable(4, 3), nil)
	for name, f := range map[string]func(){
		"query":     func() { x.Nearest(nil, make([]float32, 5), 1, nil) },
		"distances": func() { x.NearestOf(nil, make([]float32, 6), make([]float32, 3), nil, 1, nil) },
		"dst":       func() { x.Distances(make([]float32, 3), make([]float32, 6)) },
		"spread": func() {
			x.Draw(nil, make([]float32, 6), make([]float32, 2), rowsOf(make([]float32, 12), 3), nil, 1, nil, 1, 1)
		},
	} {
		func() {
			defer func() {
				if _, ok := recover().(LengthError); !ok {
					t.Errorf("%s: no LengthError", name)
				}
			}()
			f()
		}()
	}
}

func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 63, 64, 65, 200} {
		a, b, ref, reb := NewItemSet(n), NewItemSet(n), make([]bool, n), make([]bool, n)
		for range n {
			i, j := r.IntN(n), r.IntN(n)
			a.Add(i)
			b.Add(j)
			ref[i], reb[j] = true, true
			k := r.IntN(n)
			a.Remove(k)
			ref[k] = false
		}
		and, or := slices.Clone(a), slices.Clone(a)
		and.And(b)
		or.Or(b)
		count := 0
		for i := range n {
			if a.Has(i) != ref[i] || and.Has(i) != (ref[i] && reb[i]) || or.Has(i) != (ref[i] || reb[i]) {
				t.Fatalf("n=%d: item %d is wrong", n, i)
			}
			if ref[i] {
				count++
			}
		}
		if a.Len() != count || fullItemSet(n).Len() != n || NewItemSet(n).Len() != 0 {
			t.Errorf("n=%d: lengths %d, %d, %d", n, a.Len(), fullItemSet(n).Len(), NewItemSet(n).Len())
		}
	}
	if !ItemSet(nil).Has(5) {
		t.Error("the nil set must have every item")
	}
}

func TestFartherCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	d := make([]float32, 300)
	for i := range d {
		d[i] = float32(r.IntN(40))
	}
	limits := []float32{-1, 0, 3, 3, 17.5, 39, 50}
	out := make([]int, len(limits))
	countFarther(out, d, limits)
	for i, l := range limits {
		want := 0
		for _, x := range d {
			if x > l {
				want++
			}
		}
		if out[i] != want {
			t.Errorf("%d distances are greater than %v, countFarther says %d", want, l, out[i])
		}
	}
}

func TestKthIsASort(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		x := make([]float32, 1+r.IntN(60))
		for i := range x {
			x[i] = float32(r.IntN(1 + r.IntN(50)))
		}
		want := slices.Clone(x)
		slices.Sort(want)
		k := r.IntN(len(x))
		if got := kthSmallest(x, k); got != want[k] {
			t.Fatalf("value %d of %v is %v, kthSmallest says %v", k, want, got, want[k])
		}
	}
}

func TestTopRejectsWhatIsNoNumber(t *testing.T) {
	var top lowest
	top.Resize(2)
	for i, s := range []float64{math.NaN(), 3, 1, math.NaN(), 2} {
		top.offer(Hit{i, s})
	}
	if got := top.appendTo(nil); !slices.Equal(got, []Hit{{2, 1}, {4, 2}}) {
		t.Errorf("got %v", got)
	}
}

// Distances from several rows, tile by tile, equal those from each row alone.
func TestDistancesByTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, h := range []int{1, 12, 100, 3000} {
		items := gaussian.NewTable(211, h)
		for i := range items.Data() {
			items.Data()[i] = r.Float32()
		}
		x, n := NewIndex(items, nil), items.Len()
		queries := [][]float32{items.Row(7), items.Row(100), items.Row(210)}
		all, want := make([]float32, 3*n), make([]float32, n)
		x.distancesOfAll(all, queries)
		for q, query := range queries {
			x.Distances(want, query)
			if !slices.Equal(all[q*n:(q+1)*n], want) {
				t.Errorf("dimension %d: the distances are not those from query %d alone", h, q)
			}
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{10000, 70000} {
		r := rand.New(rand.NewPCG(1, 1))
		items := randomTable(r, n, 50)
		x := NewIndex(items, nil)
		query, spread := randomTable(r, 1, 50).Row(0), make([]float32, 50)
		spreads := make([]float32, n*50)
		for i := range spreads {
			spreads[i] = 0.05
		}
		dst := make([]Hit, 0, 200)
		name := map[int]string{10000: "10000x100", 70000: "70000x100"}[n]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dst = x.Nearest(dst[:0], query, 10, nil)
			}
		})
		b.Run(name+"/draw", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dst = x.Draw(dst[:0], query, spread, rowsOf(spreads, len(spread)), nil, 10, nil, 1, 7)
			}
		})
		b.Run(name+"/diverse", func(b *testing.B) {
			for b.Loop() {
				dst = x.Nearest(dst[:0], query, pool(10), nil)
				vary(items, dst, 10, openPlaces(0.5), nil)
			}
		})
	}
}
