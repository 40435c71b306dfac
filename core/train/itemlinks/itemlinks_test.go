package itemlinks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
)

var (
	background = context.Background()
	cosines    = []Recipe{{Kind: ByCosine, Top: 10}, {Kind: ByCosine, Top: 20}}
)

// small is MovieLens small's first fold.
func small(t testing.TB) dataset.Split {
	t.Helper()
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.Fold(5, 0, 1)
}

// TestCosineIsTheFormula compares every target with a sort of all cosines, on real data.
func TestCosineIsTheFormula(t *testing.T) {
	train := small(t).Train
	const top = 10
	p, err := Cosine(background, train, top, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(train.Cols); err != nil {
		t.Fatal(err)
	}
	users := train.Transpose()
	type link struct {
		j int32
		w float32
	}
	for i := 0; i < train.Cols; i += 37 {
		var all []link
		for j := range train.Cols {
			common := 0
			for _, u := range users.Row(j) {
				if train.Contains(int(u), int32(i)) {
					common++
				}
			}
			if common > 0 && i != j {
				all = append(
					all,
					link{
						int32(j),
						float32(float64(common) / math.Sqrt(float64(len(users.Row(i)))*float64(len(users.Row(j))))),
					},
				)
			}
		}
		slices.SortStableFunc(all, func(a, b link) int { return cmp.Compare(b.w, a.w) })
		all = all[:min(len(all), top)]
		slices.SortFunc(all, func(a, b link) int { return int(a.j - b.j) })
		sources, weights := p.Row(i)
		for k, l := range all {
			if len(sources) != len(all) || sources[k] != l.j || weights[k] != l.w {
				t.Fatalf("target %d: %v %v, want %v", i, sources, weights, all)
			}
		}
	}
	for _, workers := range []int{1, 2, 8} {
		if again, err := Cosine(background, train, top, workers); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%d workers build other links: %v", workers, err)
		}
	}
}

// TestEASEKeepsItsLargest checks that all weights are EASE's own, and that no omitted one is larger than one kept.
func TestEASEKeepsItsLargest(t *testing.T) {
	var pairs []dataset.Pair
	train := small(t).Train
	for u := range train.Rows() { // the first 300 items: inverting all takes seconds
		for _, i := range train.Row(u) {
			if i < 300 {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
			}
		}
	}
	train = dataset.NewMatrix(train.Rows(), 300, pairs)
	dense, err := baseline.FitLinear(background, train, baseline.LinearSettings{Lambda: 100}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := EASE(background, train, 100, 10, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(300); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		sources, weights := p.Row(i)
		for k, j := range sources {
			if weights[k] != dense.Weight(int(j), i) {
				t.Fatalf("link %d → %d: %v, want %v", j, i, weights[k], dense.Weight(int(j), i))
			}
		}
		least := float32(0) // with fewer than 10 sources, all positive ones are there
		if len(sources) == 10 {
			least = slices.Min(weights)
		}
		for j := range 300 {
			if w := dense.Weight(j, i); w > least && !slices.Contains(sources, int32(j)) {
				t.Fatalf("link %d → %d of weight %v is omitted, one of %v is kept", j, i, w, least)
			}
		}
	}
	if _, err := EASE(background, train, 0, 10, 0); err == nil {
		t.Error("λ = 0 was accepted")
	}
}

// first is a training matrix cut to its n most popular items.
func first(train *dataset.Matrix, n int) *dataset.Matrix {
	items := train.Transpose()
	order := make([]int, train.Cols)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(items.Row(b)) - len(items.Row(a)) })
	var pairs []dataset.Pair
	for at, i := range order[:n] {
		for _, u := range items.Row(i) {
			pairs = append(pairs, dataset.Pair{Row: u, Col: int32(at)})
		}
	}
	return dataset.NewMatrix(train.Rows(), n, pairs)
}

// TestRidgeOfAllIsEASE checks that regressions on all other items are EASE's closed form, and with dropout EDLAE's.
func TestRidgeOfAllIsEASE(t *testing.T) {
	for _, dropout := range []float64{0, 0.4} {
		t.Run(fmt.Sprint("dropout ", dropout), func(t *testing.T) { ridgeOfAllIsEASE(t, dropout) })
	}
}

func ridgeOfAllIsEASE(t *testing.T, dropout float64) {
	const n = 60
	train := first(small(t).Train, n)
	all := Recipe{Kind: ByRidge, Top: n, Lambda: 30, Dropout: dropout}
	p, err := all.Build(background, train, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(n); err != nil {
		t.Fatal(err)
	}
	want, err := baseline.FitLinear(background, train, baseline.LinearSettings{Lambda: 30, Dropout: dropout}, 0)
	if err != nil {
		t.Fatal(err)
	}
	positive := 0
	for j := range n {
		for i := range n {
			w := max(want.Weight(j, i), 0)
			if got := p.Of(i, j); math.Abs(float64(got-w)) > 1e-6 {
				t.Fatalf("link %d → %d is %v, EASE's is %v", j, i, got, want.Weight(j, i))
			}
			if w > 0 {
				positive++
			}
		}
	}
	if positive < n || positive != p.Links() {
		t.Errorf("%d links, but %d positive weights", p.Links(), positive)
	}
}

// TestRidgeIsTheMinimum checks that the derivative vanishes, X_Sᵀ(x_i − X_S b) = λb, for the sources of real targets,
// and that the links are the positive part of b.
func TestRidgeIsTheMinimum(t *testing.T) {
	train := small(t).Train
	const top, lambda = 15, 20
	near, err := Cosine(background, train, top, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Ridge(background, train, lambda, 0, top, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(train.Cols); err != nil {
		t.Fatal(err)
	}
	users := train.Transpose()
	w := ridge{users: users, has: make([]uint64, train.Rows())}
	for i := 0; i < train.Cols; i += 23 {
		sources, _ := near.Row(i)
		w.count(i, sources)
		b := slices.Clone(w.weights(len(sources), Recipe{Lambda: lambda}))
		left := make([]float64, train.Rows())
		for _, u := range users.Row(i) {
			left[u]++
		}
		for k, j := range sources {
			for _, u := range users.Row(int(j)) {
				left[u] -= b[k]
			}
		}
		for k, j := range sources {
			sum := 0.0
			for _, u := range users.Row(int(j)) {
				sum += left[u]
			}
			if math.Abs(sum-lambda*b[k]) > 1e-9 {
				t.Fatalf("target %d, source %d: %v is not λb = %v", i, j, sum, lambda*b[k])
			}
			if got := p.Of(i, int(j)); got != max(float32(b[k]), 0) {
				t.Fatalf("target %d, source %d: link %v, weight %v", i, j, got, b[k])
			}
		}
	}
	for _, workers := range []int{1, 3} {
		if again, err := Ridge(background, train, lambda, 0, top, workers); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%d workers build other links: %v", workers, err)
		}
	}
}

// With a pool, the links are the largest weights of the regression on the whole pool. Recipes give the same links
// together or alone.
func TestPool(t *testing.T) {
	train := small(t).Train
	const pool, top = 20, 5
	all, err := Ridge(background, train, 100, 0, pool, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Ridge(background, train, 100, pool, top, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(train.Cols); err != nil {
		t.Fatal(err)
	}
	for i := range train.Cols {
		sources, weights := all.Row(i)
		kept, of := p.Row(i)
		if len(kept) != min(top, len(sources)) {
			t.Fatalf("target %d has %d links of %d, want at most %d", i, len(kept), len(sources), top)
		}
		larger := 0
		for k, w := range weights {
			at, ok := slices.BinarySearch(kept, sources[k])
			switch {
			case ok && of[at] != w:
				t.Fatalf("target %d, source %d: %v, want %v", i, sources[k], of[at], w)
			case !ok && w > slices.Min(of):
				larger++
			}
		}
		if larger > 0 {
			t.Fatalf("target %d: dropped %d weights larger than a kept one", i, larger)
		}
	}
	some := append(append(Recipes(top), DenseRecipes(top)...), Recipe{Kind: ByRidge, Top: pool, Lambda: 100})
	together, err := build(background, train, nil, some, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range some {
		if alone, err := r.Build(background, train, 1); err != nil || !reflect.DeepEqual(alone, together[k]) {
			t.Errorf("%+v gives other links together with other recipes: %v", r, err)
		}
	}
	if _, err := Ridge(background, train, 100, MaxPool+1, top, 0); err == nil {
		t.Error("a pool of 65 is accepted")
	}
}

// TestChooseMeasuresWhatEvaluateDoes checks that the shortcut gives the NDCG of a complete evaluation, that the best
// trial is chosen, and that workers do not change the result.
func TestChooseMeasuresWhatEvaluateDoes(t *testing.T) {
	split := dataset.HoldOut(small(t).Train, 0.2, 1)
	base := eval.Scorer(half{baseline.ItemKNN(split.Train, 50)})
	recipes := []Recipe{{Kind: ByCosine, Top: 3}, {Kind: ByCosine, Top: 10}, {Kind: ByCosine, Top: 300}}
	c, err := Choose(background, base, split.Train, split.Train, split.Test, recipes, 0)
	if err != nil {
		t.Fatal(err)
	}
	ndcg := func(s eval.Scorer) float64 {
		r, err := eval.Evaluate(background, s, split.Train, split.Test, eval.Options{Ks: []int{10}})
		if err != nil {
			t.Fatal(err)
		}
		return r.NDCG[0]
	}
	if want := ndcg(base); math.Abs(c.Base-want) > 1e-6 { // eval stores a float32 for each user
		t.Errorf("base alone %v, want %v", c.Base, want)
	}
	best := c.Base
	for k, trial := range c.Trials {
		p, err := recipes[k].Build(background, split.Train, 0)
		if err != nil {
			t.Fatal(err)
		}
		p.Gamma = trial.Gamma
		// Sums are rounded in another order here, so near ties may fall the other way.
		if want := ndcg(NewScorer(base, p, split.Train)); math.Abs(trial.NDCG-want) > 1e-4 {
			t.Errorf("%v, γ %v: %v, want %v", trial.Recipe, trial.Gamma, trial.NDCG, want)
		}
		for _, gamma := range []float32{trial.Gamma / 2, trial.Gamma * 2} {
			p.Gamma = gamma
			if v := ndcg(NewScorer(base, p, split.Train)); v > trial.NDCG+1e-4 {
				t.Errorf("%v: γ %v has %v, more than %v of the chosen γ, %v", trial.Recipe, gamma, v, trial.NDCG,
					trial.Gamma)
			}
		}
		best = max(best, trial.NDCG)
	}
	if c.Best.NDCG != best || c.Best.Gamma == 0 {
		t.Errorf("chosen %+v of %+v", c.Best, c.Trials)
	}
	if p, err := c.Best.Recipe.Build(background, split.Train, 0); err != nil || !reflect.DeepEqual(c.Part, p) {
		t.Errorf("the chosen links differ from the links of the recipe %v: %v", c.Best.Recipe, err)
	}
	for _, workers := range []int{1, 3} {
		if again, err := Choose(background, base, split.Train, split.Train, split.Test, recipes, workers); err != nil ||
			!reflect.DeepEqual(again, c) {
			t.Errorf("%d workers choose %+v, %v", workers, again, err)
		}
	}
	t.Logf("base %.4f, chosen %v", c.Base, c.Best)
}

// If base is pointwise, only some items are scored, and the choice is the same.
func TestChooseAsksForFewScores(t *testing.T) {
	split := dataset.HoldOut(small(t).Train, 0.2, 1)
	r := rand.New(rand.NewPCG(1, 1))
	w2 := eval.NewW2(drawTable(r, split.Train.Rows(), 9), drawTable(r, split.Train.Cols, 9))
	recipes := []Recipe{{Kind: ByCosine, Top: 5}, {Kind: ByRidge, Top: 5, Lambda: 20},
		{Kind: ByEASE, Top: 300, Lambda: 20}}
	want, err := Choose(background, scansOnly{w2}, split.Train, split.Train, split.Test, recipes, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Choose(background, w2, split.Train, split.Train, split.Test, recipes, 0)
	if err != nil || !reflect.DeepEqual(got, want) || got.Best.Gamma == 0 {
		t.Errorf("chosen %+v, %v, want %+v", got, err, want)
	}
}

// drawTable returns a table of n rows of dimension h, uniform in [0,1).
func drawTable(r *rand.Rand, n, h int) *gaussian.Table {
	t := gaussian.NewTable(n, h)
	for i := range t.Data() {
		t.Data()[i] = r.Float32()
	}
	return t
}

// scansOnly hides every method but Score.
type scansOnly struct{ eval.Scorer }

// half ranks like s, but scores every other item 0.
type half struct{ s eval.Scorer }

func (h half) NumItems() int { return h.s.NumItems() }
func (h half) Score(u int, dst []float32) {
	h.s.Score(u, dst)
	for i := 0; i < len(dst); i += 2 {
		dst[i] = 0
	}
}

// perfect ranks the held items first, so no links can help.
type perfect struct{ held *dataset.Matrix }

func (p perfect) NumItems() int { return p.held.Cols }
func (p perfect) Score(u int, dst []float32) {
	clear(dst)
	for _, i := range p.held.Row(u) {
		dst[i] = 1e6
	}
}

func TestChooseNothing(t *testing.T) {
	split := dataset.HoldOut(small(t).Train, 0.2, 1)
	c, err := Choose(background, perfect{split.Test}, split.Train, split.Train, split.Test, cosines, 0)
	if err != nil || c.Base != 1 || c.Best.Gamma != 0 {
		t.Fatalf("%+v, %v", c, err)
	}
}

// withNaN scores every item NaN.
type withNaN struct{ n int }

func (b withNaN) NumItems() int { return b.n }
func (b withNaN) Score(_ int, dst []float32) {
	for i := range dst {
		dst[i] = float32(math.NaN())
	}
}

func TestErrors(t *testing.T) {
	split := dataset.HoldOut(small(t).Train, 0.2, 1)
	n := split.Train.Cols
	stopped, stop := context.WithCancel(background)
	stop()
	none := &dataset.Matrix{Cols: n, Offsets: make([]int, split.Train.Rows()+1)}
	base := baseline.Popularity(split.Train)
	for name, f := range map[string]func() error{
		"no recipe": func() error {
			_, err := Choose(background, base, split.Train, split.Train, split.Test, nil,
				0)
			return err
		},
		"nothing held": func() error {
			_, err := Choose(background, base, split.Train, split.Train, none, cosines, 0)
			return err
		},
		"other items": func() error {
			_, err := Choose(background, withNaN{n + 1}, split.Train, split.Train, split.Test, cosines, 0)
			return err
		},
		"NaN": func() error {
			_, err := Choose(background, withNaN{n}, split.Train, split.Train, split.Test, cosines, 0)
			return err
		},
		"unknown kind": func() error {
			_, err := Recipe{Kind: "x", Top: 1}.Build(background, split.Train,
				0)
			return err
		},
		"top 0": func() error { _, err := Recipe{Kind: ByCosine}.Build(background, split.Train, 0); return err },
		"65 sources": func() error {
			_, err := Recipe{Kind: ByRidge, Top: 65, Lambda: 1}.Build(background, split.Train, 0)
			return err
		},
		"dropout 1": func() error {
			_, err := Recipe{Kind: ByRidge, Top: 6, Lambda: 1, Dropout: 1}.Build(background, split.Train, 0)
			return err
		},
		"λ 0": func() error {
			_, err := Recipe{Kind: ByRidge, Top: 6}.Build(background, split.Train,
				0)
			return err
		},
		"λ missing": func() error {
			_, err := Recipe{Kind: ByEASE, Top: 1}.Build(background, split.Train,
				0)
			return err
		},
	} {
		if err := f(); err == nil || len(err.Error()) < 20 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Cosine(stopped, split.Train, 10, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := Choose(stopped, base, split.Train, split.Train, split.Test, cosines, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// gowalla has 29,858 users and 40,981 items.
func gowalla(b *testing.B) dataset.Split {
	b.Helper()
	root := os.Getenv("PMLAM_DATA")
	if root == "" {
		b.Skip("SKIPPED: PMLAM_DATA does not name the folder with the data sets")
	}
	_, split, err := dataset.LoadFixed(filepath.Join(root, "gowalla-lightgcn"), "", dataset.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return split
}

// BenchmarkChooseGowalla chooses links for a random table of h = 50; its values do not affect the time.
func BenchmarkChooseGowalla(b *testing.B) {
	split := gowalla(b)
	r := rand.New(rand.NewPCG(1, 1))
	base := eval.NewW2(drawTable(r, split.Train.Rows(), 50), drawTable(r, split.Train.Cols, 50))
	for b.Loop() {
		c, err := Choose(background, base, split.Train, split.Train, split.Test, Recipes(20), 0)
		if err != nil {
			b.Fatal(err)
		}
		b.Log(c.Base, c.Best)
	}
}

// BenchmarkPartGowalla builds the links of 40,981 items.
func BenchmarkPartGowalla(b *testing.B) {
	split := gowalla(b)
	for _, r := range []Recipe{{Kind: ByCosine, Top: 20}, {Kind: ByRidge, Top: 20, Lambda: 50}} {
		b.Run(string(r.Kind), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Build(background, split.Train, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestSharesOfTheWeight checks that histories get the share of γ of their length, by complete evaluations with γ of
// one of two lengths.
func TestSharesOfTheWeight(t *testing.T) {
	split := dataset.HoldOut(small(t).Train, 0.2, 1)
	base := eval.Scorer(half{baseline.ItemKNN(split.Train, 50)})
	p, err := Recipe{Kind: ByCosine, Top: 5}.Build(background, split.Train, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Gamma = 4
	const length = 40 // about half of the users have fewer
	share := func(column, n int) float32 {
		if (n < length) == (column == 1) {
			return 0.25
		}
		return 1
	}
	values, err := Shares(background, base, p, split.Train, split.Test, 2, share, 0)
	if err != nil {
		t.Fatal(err)
	}
	of := func(gamma float32) []float32 {
		links := *p
		links.Gamma = gamma
		r, err := eval.Evaluate(background, NewScorer(base, &links, split.Train), split.Train, split.Test,
			eval.Options{Ks: []int{10}})
		if err != nil {
			t.Fatal(err)
		}
		ndcg, _ := r.PerUser.Values(eval.NDCG, 10)
		return ndcg
	}
	full, quarter := of(4), of(1)
	at, differ := 0, 0
	for u := range split.Test.Rows() {
		if len(split.Test.Row(u)) == 0 {
			continue
		}
		few, many := quarter[at], full[at]
		if len(split.Train.Row(u)) >= length {
			few, many = many, few
		}
		// Sums are rounded in another order here, so near ties may fall the other way.
		if math.Abs(float64(values[1][at]-few)) > 0.2 || math.Abs(float64(values[0][at]-many)) > 0.2 {
			t.Errorf("user %d: %v and %v, want %v and %v", u, values[1][at], values[0][at], few, many)
		}
		if few != many {
			differ++
		}
		at++
	}
	if at != len(values[0]) || differ == 0 {
		t.Errorf("%d values of %d users, %d differ by the share", len(values[0]), at, differ)
	}
}
