package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// drawMatrix draws a small binary matrix that includes empty rows and columns; with so few users, many weights tie.
func drawMatrix(r *rand.Rand, users, items int) *dataset.Matrix {
	share := .1 + .5*r.Float64()
	var pairs []dataset.Pair
	for u := range users {
		for i := range items {
			if u%7 != 3 && i%9 != 4 && r.Float64() < share {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
			}
		}
	}
	return dataset.NewMatrix(users, items, pairs)
}

func scoresOf(s eval.Scorer, user int) []float32 {
	dst := make([]float32, s.NumItems())
	for i := range dst {
		dst[i] = float32(math.NaN()) // previous content must not matter
	}
	s.Score(user, dst)
	return dst
}

func has(m *dataset.Matrix, u, i int) float64 {
	if m.Contains(u, int32(i)) {
		return 1
	}
	return 0
}

func TestPopularityCountsUsers(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(1, 1)), 20, 15)
	for i, got := range scoresOf(Popularity(m), 3) {
		var want float64
		for u := range m.Rows() {
			want += has(m, u, i)
		}
		if float64(got) != want {
			t.Errorf("item %d: %v users, want %v", i, got, want)
		}
	}
}

// itemKNNNaive is the definition with dense vectors and a full sort.
func itemKNNNaive(m *dataset.Matrix, k int, w Weighting, s Sum, user, i int) float64 {
	type near struct {
		j      int
		weight float64
	}
	var all []near
	for j := range m.Cols {
		var dot, a, b float64
		for u := range m.Rows() {
			userWeight := math.Pow(float64(max(1, len(m.Row(u)))), -w.User)
			dot += userWeight * has(m, u, i) * has(m, u, j)
			a += userWeight * has(m, u, i)
			b += userWeight * has(m, u, j)
		}
		if j != i && dot > 0 {
			all = append(all, near{j, float64(float32(dot / (math.Pow(a, w.Target)*math.Pow(b, w.Source) + w.Shrink)))})
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].weight > all[b].weight })
	mean := func(j int) (share float64) {
		for u := range m.Rows() {
			share += has(m, u, j) / float64(m.Rows())
		}
		return share
	}
	var score, total float64
	for _, n := range all[:min(k, len(all))] {
		total += n.weight
		score += n.weight * has(m, user, n.j)
		if s.Centre {
			score -= n.weight * mean(n.j)
		}
	}
	if s.Normalise && total > 0 {
		score /= total
	}
	if s.Centre {
		score += mean(i)
	}
	return score
}

func TestItemKNNIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 10 {
		m := drawMatrix(r, 1+r.IntN(20), 1+r.IntN(20))
		for _, k := range []int{1, 2, 5, 100} {
			for _, w := range []Weighting{Cosine, {}, {Target: 0.3, Source: 0.5, User: 1},
				{Target: 1, Source: 0.2, User: 0.5, Shrink: 3}} {
				for _, sum := range []Sum{{}, {Normalise: true}, {Centre: true}, {Normalise: true, Centre: true}} {
					s, err := fitItemKNN(context.Background(), m, k, w, sum, 0)
					if err != nil {
						t.Fatal(err)
					}
					for u := range m.Rows() {
						for i, got := range scoresOf(s, u) {
							if want := itemKNNNaive(m, k, w, sum, u, i); math.Abs(float64(got)-want) > 1e-5*max(1,
								want) {
								t.Fatalf("k=%d, %+v, %+v, user %d, item %d: %v, want %v", k, w, sum, u, i, got, want)
							}
						}
					}
				}
			}
		}
	}
}

func TestWeightedIsItemKNNWithAllNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 20 {
		m := drawMatrix(r, 1+r.IntN(40), 1+r.IntN(30))
		for _, w := range append([]Weighting{{}, Cosine, {Target: 2, Source: 2, User: 2}}, weightings...) {
			a, b := Weighted(m, w), WeightedItemKNN(m, m.Cols, w)
			for u := range m.Rows() {
				want := scoresOf(b, u)
				for i, got := range scoresOf(a, u) {
					if math.Abs(float64(got-want[i])) > 1e-5*max(1, float64(want[i])) {
						t.Fatalf("%+v, user %d, item %d: %v, want %v", w, u, i, got, want[i])
					}
				}
			}
		}
	}
}

func TestTheChosenWeightingIsTheBestOfThem(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(9, 9)), 60, 40)
	got, err := ChooseWeighting(context.Background(), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	inner := dataset.HoldOut(m, 0.2, 1)
	ndcg := func(w Weighting) float64 {
		r, err := eval.Evaluate(context.Background(), Weighted(inner.Train, w), inner.Train, inner.Test,
			eval.Options{Ks: []int{10}})
		if err != nil {
			t.Fatal(err)
		}
		return r.NDCG[0]
	}
	best := ndcg(got)
	for _, w := range weightings {
		w.Source = 0.5
		if x := ndcg(w); x > best {
			t.Errorf("chose %+v with an NDCG@10 of %v, but %+v has %v", got, best, w, x)
		}
	}
}

// The plain cosine is the same by name and by constructor, and in either direction.
func TestCosineIsTheCosine(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(7, 7)), 40, 12)
	near, err := neighbours(context.Background(), m, 100, Cosine, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, list := range near {
		for _, n := range list {
			var dot, a, b float64
			for u := range m.Rows() {
				dot += has(m, u, i) * has(m, u, int(n.Item))
				a += has(m, u, i)
				b += has(m, u, int(n.Item))
			}
			if want := dot / math.Sqrt(a*b); math.Abs(float64(n.Score)-want) > 1e-7 {
				t.Errorf("cosine of %d and %d is %v, want %v", i, n.Item, n.Score, want)
			}
		}
	}
}

func TestItemKNNTiesGoToTheLowerIndex(t *testing.T) {
	// Items 0, 1 and 2 have the same users, so each has two equally near neighbours.
	var pairs []dataset.Pair
	for u := range int32(3) {
		for i := range int32(3) {
			pairs = append(pairs, dataset.Pair{Row: u, Col: i})
		}
	}
	near, err := neighbours(context.Background(), dataset.NewMatrix(3, 3, pairs), 1, Cosine, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int32{1, 0, 0} {
		if len(near[i]) != 1 || near[i][0].Item != want || near[i][0].Score != 1 {
			t.Errorf("neighbours of %d: %v, want %d with cosine 1", i, near[i], want)
		}
	}
}

func TestItemKNNDoesNotDependOnTheWorkers(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(3, 3)), 150, 90)
	weighted := Weighting{Target: 0.3, Source: 0.5, User: 1}
	want, err := fitItemKNN(context.Background(), m, 10, weighted, Sum{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{0, 2, 5, 200} {
		got, err := fitItemKNN(context.Background(), m, 10, weighted, Sum{}, workers)
		if err != nil || !slices.Equal(got.offsets, want.offsets) || !slices.Equal(got.targets, want.targets) ||
			!slices.Equal(got.weights, want.weights) {
			t.Errorf("%d workers give another model than one (%v)", workers, err)
		}
	}
}

// easeNaive solves, for each target i, the ridge regression of column i on all other columns, which EASE's closed form
// must match.
func easeNaive(t *testing.T, m *dataset.Matrix, lambda float64) *mat.Dense {
	n := m.Cols
	b := mat.NewDense(n, n, nil)
	if n == 1 {
		return b
	}
	for i := range n {
		x, y := mat.NewDense(m.Rows(), n-1, nil), mat.NewVecDense(m.Rows(), nil)
		for u := range m.Rows() {
			y.SetVec(u, has(m, u, i))
			for j, at := 0, 0; j < n; j++ {
				if j != i {
					x.Set(u, at, has(m, u, j))
					at++
				}
			}
		}
		var gram mat.Dense
		gram.Mul(x.T(), x)
		for j := range n - 1 {
			gram.Set(j, j, gram.At(j, j)+lambda)
		}
		var rhs, w mat.VecDense
		rhs.MulVec(x.T(), y)
		if err := w.SolveVec(&gram, &rhs); err != nil {
			t.Fatal(err)
		}
		for j, at := 0, 0; j < n; j++ {
			if j != i {
				b.Set(j, i, w.AtVec(at))
				at++
			}
		}
	}
	return b
}

func TestEASESolvesTheRidgeRegressionOfEachItem(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 15 {
		m := drawMatrix(r, 1+r.IntN(25), 1+r.IntN(18))
		lambda := .5 + 10*r.Float64()
		s, err := EASE(m, lambda)
		if err != nil {
			t.Fatal(err)
		}
		b := easeNaive(t, m, lambda)
		for u := range m.Rows() {
			for i, got := range scoresOf(s, u) {
				var want float64
				for _, j := range m.Row(u) {
					want += b.At(int(j), i)
				}
				if math.Abs(float64(got)-want) > 1e-5 {
					t.Fatalf("λ=%v, user %d, item %d: %v, want %v", lambda, u, i, got, want)
				}
			}
		}
	}
}

func TestEASEIsTheSameOnOneProcessor(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(5, 5)), 400, 300)
	fit := func() []float32 {
		s, err := EASE(m, 20)
		if err != nil {
			t.Fatal(err)
		}
		return s.(*Linear).inverse
	}
	many := fit()
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	if !slices.Equal(many, fit()) {
		t.Errorf("EASE on one CPU differs from EASE on %d", before)
	}
}

func TestEASERefuses(t *testing.T) {
	small := dataset.NewMatrix(1, 2, nil)
	var option OptionError
	for _, lambda := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if s, err := EASE(small, lambda); s != nil || !errors.As(err, &option) || option.Option != "lambda" {
			t.Errorf("λ = %v: %v, want an OptionError", lambda, err)
		}
	}
	if s, err := EASE(dataset.NewMatrix(1, MaxEASEItems+1, nil), 1); s != nil || err == nil ||
		!strings.Contains(err.Error(), "50001 items") || !strings.Contains(err.Error(), "GB") {
		t.Errorf("too many items: %v, want an error with their number and memory", err)
	}
	// Two equal columns, and a λ lost in rounding.
	twins := dataset.NewMatrix(1, 2, []dataset.Pair{{Row: 0, Col: 0}, {Row: 0, Col: 1}})
	if s, err := EASE(twins, 1e-300); s != nil || err == nil || !strings.Contains(err.Error(), "singular") {
		t.Errorf("singular: %v, want an error", err)
	}
}

func TestEmptyShapes(t *testing.T) {
	for _, m := range []*dataset.Matrix{{}, dataset.NewMatrix(2, 0, nil), dataset.NewMatrix(2, 3, nil),
		dataset.NewMatrix(1, 1, []dataset.Pair{{}})} {
		for _, name := range Names() {
			s, err := New(context.Background(), name, m, 0)
			if err != nil {
				t.Fatalf("%s on %d×%d: %v", name, m.Rows(), m.Cols, err)
			}
			if s.NumItems() != m.Cols {
				t.Errorf("%s has %d items, want %d", name, s.NumItems(), m.Cols)
			}
			for u := range m.Rows() {
				for i, v := range scoresOf(s, u) {
					// factors and filters also score the user's own items
					back := len(m.Row(u)) > 0 && (name == "ials" || name == "turbocf")
					if v != v || v != 0 && !back && name != "popularity" {
						t.Errorf("%s on %d×%d: score(%d,%d) = %v, want 0", name, m.Rows(), m.Cols, u, i, v)
					}
				}
			}
		}
	}
}

func TestNewAndItsErrors(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(6, 6)), 30, 20)
	if want := []string{"popularity", "itemknn", "userknn", "weighted", "rp3beta", "ease", "slim", "turbocf", "ials"}; !slices.Equal(Names(), want) {
		t.Errorf("names %v, want %v", Names(), want)
	}
	factors := func(o IALSSettings) func() eval.Scorer {
		return func() eval.Scorer { s, _ := IALS(m, o); return s }
	}
	for _, c := range []struct {
		spec   string
		scorer func() eval.Scorer
	}{
		{"popularity", func() eval.Scorer { return Popularity(m) }},
		{"itemknn", func() eval.Scorer { return ItemKNN(m, DefaultNeighbours) }},
		{"itemknn:neighbours=2", func() eval.Scorer { return ItemKNN(m, 2) }},
		{"itemknn:neighbours=3:user=1:target=0:source=0",
			func() eval.Scorer { return WeightedItemKNN(m, 3, Weighting{User: 1}) }},
		{"userknn", func() eval.Scorer { return UserKNN(m, DefaultNeighbours, 0) }},
		{"userknn:shrink=3:neighbours=4", func() eval.Scorer { return UserKNN(m, 4, 3) }},
		{"rp3beta", func() eval.Scorer { return RP3Beta(m, 100, .6, .4) }},
		{"rp3beta:alpha=.5:beta=.2:neighbours=7", func() eval.Scorer { return RP3Beta(m, 7, .5, .2) }},
		{"ease", func() eval.Scorer { s, _ := EASE(m, DefaultLambda); return s }},
		{"ease:lambda=3", func() eval.Scorer { s, _ := EASE(m, 3); return s }},
		{"ials", factors(IALSSettings{Dim: 64, Epochs: 16, Unobserved: .1, Lambda: .03, Nu: 1, Seed: 1})},
		{"ials:dim=3:epochs=2:seed=7:nu=.5:lambda=1:unobserved=2",
			factors(IALSSettings{Dim: 3, Epochs: 2, Unobserved: 2, Lambda: 1, Nu: .5, Seed: 7})},
		{"ials:dim=3:epochs=2:steps=2:unobserved=2",
			factors(IALSSettings{Dim: 3, Epochs: 2, Unobserved: 2, Lambda: .03, Nu: 1, Steps: 2, Seed: 1})},
	} {
		s, err := New(context.Background(), c.spec, m, 0)
		if err != nil {
			t.Fatal(err)
		}
		for u := range m.Rows() {
			if !slices.Equal(scoresOf(s, u), scoresOf(c.scorer(), u)) {
				t.Fatalf("New(%q) and its constructor score user %d differently", c.spec, u)
			}
		}
	}
	for spec, says := range map[string]string{
		"oracle":                 "popularity, itemknn, userknn, weighted, rp3beta, ease, slim, turbocf, ials",
		"":                       "unknown method",
		"ease:":                  "write it as name=value",
		"ease:lambda":            "write it as name=value",
		"ease:lambda=much":       "not a number",
		"ease:lambda=1:lambda=2": "set twice",
		"ease:k=1":               "it has lambda",
		"popularity:k=1":         "has no settings",
	} {
		if s, err := New(context.Background(), spec, m, 0); s != nil || err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want an error with %q", spec, err, says)
		}
	}
	var option OptionError
	for _, spec := range []string{
		"itemknn:neighbours=-1", "itemknn:neighbours=0", "itemknn:neighbours=1.5", "itemknn:target=-0.1",
		"itemknn:source=2.1",
		"itemknn:user=NaN", "itemknn:shrink=Inf", "userknn:neighbours=0", "userknn:shrink=-1", "rp3beta:alpha=3",
		"rp3beta:beta=-1",
		"ease:lambda=-1", "ease:lambda=0", "ials:dim=0", "ials:epochs=0", "ials:unobserved=-1", "ials:lambda=-1",
		"ials:nu=NaN", "ials:steps=-1", "ials:steps=1.5",
	} {
		if s, err := New(context.Background(), spec, m, 0); s != nil || !errors.As(err, &option) {
			t.Errorf("%s: %v, want an OptionError", spec, err)
		}
	}
	if _, err := Methods()[0].Fit(context.Background(), m, Values{"k": 1}, 0); err == nil {
		t.Error("an unknown setting is accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range Names()[1:] {
		if s, err := New(ctx, name, m, 0); s != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a canceled context: %v, want context.Canceled", name, err)
		}
	}
	for _, m := range Methods() {
		if m.Title == "" || m.Summary == "" || m.Source == "" {
			t.Errorf("%s lacks a title, a summary or a source", m.Name)
		}
	}
}
