package eval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Families of tables, from ordinary ones to those for which a product rules nothing out.
var families = []struct {
	name string
	draw func(r *rand.Rand, n, h int) *gaussian.Table
}{
	{"normal", drawTable},
	{"in the unit ball", func(r *rand.Rand, n, h int) *gaussian.Table {
		t := drawTable(r, n, h)
		for i := range n {
			for p := range t.Stddev(i) {
				t.Stddev(i)[p] = 0.1 + 0.01*t.Stddev(i)[p]
			}
			gaussian.Bound(t.Row(i), 1)
		}
		return t
	}},
	{"few places", func(r *rand.Rand, n, h int) *gaussian.Table { // almost all distances tie
		return around(r, n, h, 5, 1, 0)
	}},
	{"few places, one ulp apart", func(r *rand.Rand, n, h int) *gaussian.Table {
		t := around(r, n, h, 5, 1, 0)
		for i, v := range t.Data() {
			if r.IntN(4) == 0 {
				t.Data()[i] = math.Nextafter32(v, float32(math.Inf(1-2*r.IntN(2))))
			}
		}
		return t
	}},
	{"far away and close together", func(r *rand.Rand, n, h int) *gaussian.Table {
		return around(r, n, h, 1, 1000,
			1e-3)
	}},
	{"close together within the rounding", func(r *rand.Rand, n, h int) *gaussian.Table {
		return around(r, n, h, 2, 1e6,
			0.1)
	}},
	{"of all sizes", func(r *rand.Rand, n, h int) *gaussian.Table {
		t := drawTable(r, n, h)
		for i := range n {
			scale := float32(math.Exp2(float64(r.IntN(60) - 30)))
			for p := range t.Row(i) {
				t.Row(i)[p] *= scale
			}
		}
		return t
	}},
	{"huge", func(r *rand.Rand, n, h int) *gaussian.Table { return scaled(drawTable(r, n, h), 1e13) }},
	{"tiny, with subnormal squares", func(r *rand.Rand, n, h int) *gaussian.Table {
		return scaled(drawTable(r, n, h),
			1e-22)
	}},
	{"subnormal", func(r *rand.Rand, n, h int) *gaussian.Table { return scaled(drawTable(r, n, h), 1e-42) }},
	{"zero", func(r *rand.Rand, n, h int) *gaussian.Table { return gaussian.NewTable(n, h) }},
}

func scaled(t *gaussian.Table, by float32) *gaussian.Table {
	for i := range t.Data() {
		t.Data()[i] *= by
	}
	return t
}

// around draws rows near centres of the given size, which are the same whatever was drawn before.
func around(r *rand.Rand, n, h, centres int, size, spread float32) *gaussian.Table {
	at := scaled(drawTable(rand.New(rand.NewPCG(99, 99)), centres, h), size)
	t := drawTable(r, n, h)
	for i := range n {
		centre := at.Row(r.IntN(centres))
		for p := range t.Row(i) {
			t.Row(i)[p] = centre[p] + spread*t.Row(i)[p]
		}
	}
	return t
}

func drawMatrix(r *rand.Rand, users, items int, share float64) *dataset.Matrix {
	var pairs []dataset.Pair
	for u := range users {
		s := share * r.Float64()
		for _, i := range drawSubset(r, items, s) {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	return dataset.NewMatrix(users, items, pairs)
}

func everybody(n int) []int32 {
	users := make([]int32, n)
	for u := range users {
		users[u] = int32(u)
	}
	return users
}

// ranked returns a ranker's lists of the users, block by block.
func ranked(t *testing.T, r ranker, users []int32) (all [][]int32) {
	t.Helper()
	lists := make([][]int32, r.width())
	for part := range slices.Chunk(users, r.width()) {
		if err := r.rank(part, lists); err != nil {
			t.Fatal(err)
		}
		for _, l := range lists[:len(part)] {
			all = append(all, slices.Clone(l))
		}
	}
	return all
}

// checkBlocks compares the lists by blocks with the definition, for several lengths.
func checkBlocks(t *testing.T, name string, s Scorer, train *dataset.Matrix) {
	t.Helper()
	users := everybody(train.Rows())
	for _, depth := range []int{1, 10, s.NumItems() / 16} {
		r := newRankers(s, train, depth)()
		if _, ok := r.(*blockRanker); !ok {
			t.Fatalf("%s, lists of %d: ranked by %T", name, depth, r)
		}
		want := ranked(t, newScanRanker(s, train, depth), users)
		for u, got := range ranked(t, r, users) {
			if !slices.Equal(got, want[u]) {
				t.Fatalf("%s, lists of %d, user %d: %v, want %v", name, depth, u, got, want[u])
			}
		}
	}
}

func TestBlocksGiveTheListsOfTheScan(t *testing.T) {
	for _, f := range families {
		r := rand.New(rand.NewPCG(1, 2))
		for _, shape := range []struct{ users, items, h int }{{1, 400, 3}, {blockUsers + 5, 2*blockItems + 13, 20},
			{2 * blockUsers, 600, 50}} {
			s := NewW2(f.draw(r, shape.users, shape.h), f.draw(r, shape.items, shape.h))
			checkBlocks(t, f.name, s, drawMatrix(r, shape.users, shape.items, 0.4))
		}
	}
}

// The item itself, at distance 0, and its neighbours one ulp away must come in the order of their distances.
func TestBlocksFindWhatLiesOnTheUser(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	items := drawTable(r, 700, 10)
	for i := 0; i+1 < items.Len(); i += 2 {
		copy(items.Row(i+1), items.Row(i))
		items.Row(i + 1)[r.IntN(20)] += 1e-6
	}
	checkBlocks(t, "users on items", NewW2(items.Clone(), items), dataset.NewMatrix(700, 700, nil))
}

// The bound must pass all items as near as w, and is only useful if it rules out almost all others.
func TestTheFilterIsSoundAndTight(t *testing.T) {
	for _, f := range families {
		for _, far := range []float32{1, 3000} { // far from all items, the distances' own errors dominate
			checkFilter(t, f.name, f.draw, far)
		}
	}
}

func checkFilter(t *testing.T, name string, draw func(r *rand.Rand, n, h int) *gaussian.Table, far float32) {
	r := rand.New(rand.NewPCG(4, 4))
	const h, users, items = 50, 48, 512
	s := NewW2(scaled(draw(r, users, h), far), draw(r, items, h))
	x := newFilter(s, 1)
	if x == nil {
		t.Fatalf("%s: no filter", name)
	}
	ordinary := far == 1 && (name == "normal" || name == "in the unit ball")
	for u := range users {
		row := s.users.Row(u)
		base := x.base(squaredNorm(row))
		products := make([]float32, items)
		vec.Gemm(products, 1, s.items.Data(), 2*h, 1, row, 1, items, 1, 2*h)
		for i, p := range products {
			p += x.start[i]
			d := vec.SquaredDistance(row, s.items.Row(i))
			if p < x.bound(base, d) {
				t.Fatalf("%s, users %v times as far: an item at distance %v with p = %v is ruled out by a bound of %v",
					name, far, d, p, x.bound(base, d))
			}
			if ordinary && p >= x.bound(base, d*0.9999) {
				t.Fatalf("%s: an item at distance %v passes, but only %v is needed", name, d, d*0.9999)
			}
		}
	}
}

// overlay is a typical Amended: some items are last for everybody, some have a bonus for one user.
type overlay struct {
	Scorer  // only for NumItems
	last    []int32
	touched [][]int32 // U × items, with repetitions
	bonus   [][]float32
}

func (o overlay) Base() Scorer { return o.Scorer }

func (o overlay) Touched(user int, dst []int32) []int32 {
	return append(append(dst, o.touched[user]...), o.last...)
}

func (o overlay) Amend(user int, dst []float32) {
	for at, i := range o.touched[user] {
		dst[i] += o.bonus[user][at]
	}
	for _, i := range o.last {
		dst[i] = float32(math.Inf(-1))
	}
}

func (o overlay) Score(user int, dst []float32) {
	o.Scorer.Score(user, dst)
	o.Amend(user, dst)
}

func drawOverlay(r *rand.Rand, base Scorer, users int, last float64) overlay {
	o := overlay{Scorer: base, last: drawSubset(r, base.NumItems(), last)}
	for range users {
		touched := make([]int32, r.IntN(50))
		bonus := make([]float32, len(touched))
		for at := range touched {
			touched[at] = int32(r.IntN(base.NumItems()))
			bonus[at] = float32(r.NormFloat64()) * float32(math.Exp2(float64(r.IntN(20)-10)))
		}
		o.touched, o.bonus = append(o.touched, touched), append(o.bonus, bonus)
	}
	return o
}

func TestBlocksGiveTheListsOfAmendedScorers(t *testing.T) {
	for _, f := range families {
		r := rand.New(rand.NewPCG(5, 5))
		const users, items, h = blockUsers + 9, 500, 8
		w := NewW2(f.draw(r, users, h), f.draw(r, items, h))
		train := drawMatrix(r, users, items, 0.2)
		checkBlocks(t, f.name+", amended", drawOverlay(r, w, users, 0.1), train)
		checkBlocks(t, f.name+", nearly all last", drawOverlay(r, w, users, 0.99), train)
		checkBlocks(t, f.name+", amended twice", drawOverlay(r, drawOverlay(r, w, users, 0.1), users, 0.1), train)
	}
	// All kinds of bonuses, on items that are first, last and in between.
	r := rand.New(rand.NewPCG(6, 6))
	const users, items = 40, 400
	o := drawOverlay(r, NewW2(drawTable(r, users, 4), drawTable(r, items, 4)), users, 0)
	for u := range users {
		for at := range o.bonus[u] {
			o.bonus[u][at] = []float32{0, 1e30, math.MaxFloat32, float32(math.Inf(1)), -1e30}[r.IntN(5)]
		}
	}
	checkBlocks(t, "large amounts", o, drawMatrix(r, users, items, 0.2))
}

// plain hides the type of a scorer, so that it is ranked by the definition.
type plain struct{ Scorer }

// Evaluate gives the same report with and without blocks, for any number of workers.
func TestEvaluateByBlocksOnMovieLens(t *testing.T) {
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	split := d.Fold(5, 0, 1)
	r := rand.New(rand.NewPCG(7, 7))
	w := place(r, split.Train, 20)
	for name, s := range map[string]Scorer{"distances": w, "amended": drawOverlay(r, w, d.Users.Len(), 0.01)} {
		want := evaluate(t, plain{s}, split.Train, split.Test, Options{})
		if want.Recall[0] < 0.01 {
			t.Errorf("%s: a recall of %v is too low to test anything", name, want.Recall[0])
		}
		for _, workers := range []int{1, 2, 8} {
			if got := evaluate(t, s, split.Train, split.Test, Options{Workers: workers}); !reflect.DeepEqual(got,
				want) {
				t.Errorf("%s: %d workers by blocks report\n%swithout blocks\n%s", name, workers, got, want)
			}
		}
	}
}

// place puts items next to the users who like them, and users amid their items, within the bounds of a training.
func place(r *rand.Rand, train *dataset.Matrix, h int) *W2 {
	amid := func(m *dataset.Matrix, others *gaussian.Table) *gaussian.Table {
		t := gaussian.NewTable(m.Rows(), h)
		for i := range t.Len() {
			for _, at := range m.Row(i) {
				vec.Axpy(1, others.Row(int(at)), t.Row(i))
			}
			gaussian.Bound(t.Row(i), 1)
		}
		return t
	}
	items := amid(train.Transpose(), drawTable(r, train.Rows(), h))
	return NewW2(amid(train, items), items)
}

// Users that the filter does not support are ranked, or refused, in the same way as without it.
func TestBlocksAndBrokenTables(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const users, items, h = 2*blockUsers + 7, 500, 4
	train, test := drawMatrix(r, users, items, 0.1), drawMatrix(r, users, items, 0.1)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name       string
		user, item float32 // for the tables' row 20 from the end
	}{
		{"NaN in a user", nan, 0}, {"NaN in an item", 0, nan}, {"Inf in a user", inf, 0}, {"Inf in an item", 0, inf},
		{"Inf in both", inf, inf}, {"a user out of range", 3e38, 0}, {"an item out of range", 0, 3e38},
		{"a far user", 1e16, 0},
	} {
		u, i := drawTable(r, users, h), drawTable(r, items, h)
		u.Row(users - 20)[1], i.Row(items - 20)[1] = c.user, c.item
		s := NewW2(u, i)
		want, wantErr := Evaluate(context.Background(), plain{s}, train, test, Options{Workers: 1})
		for _, workers := range []int{1, 3} {
			got, err := Evaluate(context.Background(), s, train, test, Options{Workers: workers})
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Errorf("%s: report %v, error %v; without blocks %v, %v", c.name, got, err, want, wantErr)
			}
		}
		o := drawOverlay(r, NewW2(drawTable(r, users, h), drawTable(r, items, h)), users, 0)
		o.touched[users-20], o.bonus[users-20] = []int32{300, 9}, []float32{c.user, c.item}
		_, wantErr = Evaluate(context.Background(), plain{o}, train, test, Options{Workers: 1})
		if _, err := Evaluate(context.Background(), o, train, test, Options{Workers: 2}); !reflect.DeepEqual(err,
			wantErr) {
			t.Errorf("%s as amounts: error %v, without blocks %v", c.name, err, wantErr)
		}
		var asNaN *NaNError
		if isNaN := c.user != c.user || c.item != c.item; isNaN && !errors.As(wantErr, &asNaN) {
			t.Errorf("%s as amounts: error %v, want a NaNError", c.name, wantErr)
		}
	}
}

// A scorer that embeds a W2 but scores differently must be asked for its own scores.
type backwards struct{ *W2 }

func (b backwards) Score(user int, dst []float32) {
	b.W2.Score(user, dst)
	for i := range dst {
		dst[i] = -dst[i]
	}
}

func TestWhatEmbedsDistancesKeepsItsScores(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	s := backwards{NewW2(drawTable(r, 30, 4), drawTable(r, 400, 4))}
	train, test := drawMatrix(r, 30, 400, 0.1), drawMatrix(r, 30, 400, 0.1)
	if got, want := evaluate(t, s, train, test, Options{}), evaluate(t, plain{s}, train, test,
		Options{}); !reflect.DeepEqual(got, want) {
		t.Errorf("reports\n%swant\n%s", got, want)
	}
}
