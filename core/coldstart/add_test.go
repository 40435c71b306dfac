package coldstart

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

var (
	background = context.Background()
	kinds      = []string{"Drama", "Comedy", "Horror", "Western", "Musical"}
)

// warmModel returns a model of n liked items whose means lie near one place for each genre. Visitors are composed from
// their likes, or else folded in.
func warmModel(n int, composed bool) *model.Model {
	const h = 8
	r := rand.New(rand.NewPCG(11, 13))
	m := &model.Model{
		Items:     gaussian.NewTable(n, h),
		Catalogue: &catalogue.Catalogue{Columns: []string{"country", "number"}},
		Objective: model.Objective{Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1, Margin: 1},
			Composition: gaussian.Composition{Weight: 2}, Radius: 1, LearnRate: 0.01},
		Map:      &model.Map{X: make([]float32, n), Y: make([]float32, n)},
		ItemItem: &model.ItemLinks{Gamma: 1, Offsets: []int32{0}},
	}
	if !composed {
		m.Objective.Composition = gaussian.Composition{Free: true}
	}
	like := &model.LikeRegression{Weights: make([]float32, model.NumLikeFeatures)}
	copy(like.Weights, []float32{0.2, 0.9, -0.3, 0.1, 0.1, 0.2, 2, -1, 0.3, 0.5})
	for i := range n {
		g := i % len(kinds)
		row := m.Items.Row(i)
		for d := range h {
			row[d], row[h+d] = float32(0.05*r.NormFloat64()), 0.2+0.01*r.Float32()
		}
		row[g] += 0.7
		gaussian.Bound(row, 1)
		m.Catalogue.Items = append(m.Catalogue.Items, catalogue.Item{ID: fmt.Sprint("w", i), Title: name(i),
			Year: 1950 + i%70, Genres: []string{kinds[g]}, Values: []string{[]string{"fr", "it"}[i%2], fmt.Sprint(i)},
			Count: 5 + 3*(n-i)})
		m.Map.X[i], m.Map.Y[i] = float32(g)/4, 0.5
		if j := i - len(kinds); j >= 0 {
			m.ItemItem.Sources, m.ItemItem.Weights = append(m.ItemItem.Sources, int32(j)), append(m.ItemItem.Weights, 0.3)
		}
		m.ItemItem.Offsets = append(m.ItemItem.Offsets, int32(len(m.ItemItem.Sources)))
		like.Rates = append(like.Rates, float32(g)/4)
	}
	m.Calibration = &model.Calibration{Users: 5, Like: like, Posterior: model.Posterior{
		Within: make([]float32, h*(h+1)/2), Strength: 1}}
	for d := range h {
		m.Calibration.Posterior.Within[d*(d+3)/2] = 0.1
	}
	for k := range m.Calibration.Posterior.Full.Many {
		m.Calibration.Posterior.Full.Many[k], m.Calibration.Posterior.Full.Few[k] = float32(k+1), float32(k+1)
	}
	return m
}

// name returns a title that belongs to no series.
func name(i int) string {
	return string([]byte{'A' + byte(i/26), 'a' + byte(i%26), 'q', 'a' + byte(i*7%26)})
}

// fresh describes n new items, cycling through the genres.
func fresh(n int) Items {
	c := &catalogue.Catalogue{Columns: []string{"country", "director"}}
	for i := range n {
		c.Items = append(c.Items, catalogue.Item{ID: fmt.Sprint("new", i), Title: "New " + name(i), Year: 1960 + i,
			Genres: []string{kinds[i%len(kinds)]}, Values: []string{"fr", "somebody"}, Count: 77})
	}
	return Items{Catalogue: c}
}

func add(t *testing.T, m *model.Model, about Items) (*model.Model, *Report) {
	t.Helper()
	with, r, err := Add(background, m, about, 0)
	if err != nil {
		t.Fatal(err)
	}
	return with, r
}

func encoded(t *testing.T, m *model.Model) []byte {
	t.Helper()
	b, err := model.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A new item lies near its genre: its row, its place on the map and its links. Its count is 0, and the rest of the
// model is unchanged.
func TestNewItemsLieWithTheirKind(t *testing.T) {
	const n = 200
	m := warmModel(n, true)
	before := encoded(t, m)
	with, r := add(t, m, fresh(10))
	if r.Added != 10 || r.Known+r.Blank != 0 || r.Warm != n || r.Explained < 0.5 {
		t.Errorf("%+v", r)
	}
	if !bytes.Equal(before, encoded(t, m)) {
		t.Error("the input model has changed")
	}
	for k := range 10 {
		i, g := n+k, k%len(kinds)
		it := with.Catalogue.Items[i]
		if it.Count != 0 || it.ID != fmt.Sprint("new", k) || !slices.Equal(it.Values, []string{"fr", ""}) {
			t.Errorf("item %d is %+v", i, it)
		}
		nearest := 0
		for j := range n {
			if recommend.W2Squared(with.Items.Row(i)[:8], with.Items.Row(j)[:8]) <
				recommend.W2Squared(with.Items.Row(i)[:8], with.Items.Row(nearest)[:8]) {
				nearest = j
			}
		}
		if nearest%len(kinds) != g || with.Map.X[i] != float32(g)/4 {
			t.Errorf("item %d of genre %d is nearest to item %d, at %v on the map", i, g, nearest, with.Map.X[i])
		}
		sources, _ := with.ItemItem.Row(i)
		if len(sources) != 1 || int(sources[0])%len(kinds) != g {
			t.Errorf("item %d of genre %d is linked to %v", i, g, sources)
		}
	}
	// The encoded model decodes, with the rows of the input.
	kept, err := model.Decode(encoded(t, with))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept.Items.Data()[:len(m.Items.Data())], m.Items.Data()) ||
		!reflect.DeepEqual(kept.Catalogue.Items[:n], m.Catalogue.Items) || kept.ItemItem.Check(n+10) != nil {
		t.Error("the existing items have changed")
	}
}

// The result has the same bytes for any number of workers, and whether items are added at once or in two calls.
func TestSameBytes(t *testing.T) {
	m, all := warmModel(100, true), fresh(9)
	once, _ := add(t, m, all)
	one, _, err := Add(background, m, all, 1)
	if err != nil || !bytes.Equal(encoded(t, one), encoded(t, once)) {
		t.Errorf("one worker gives a different model: %v", err)
	}
	part := func(from, to int) Items {
		return Items{Catalogue: &catalogue.Catalogue{Columns: all.Columns, Items: all.Items[from:to]}}
	}
	first, _ := add(t, m, part(0, 4))
	second, r := add(t, first, part(0, 9))
	if r.Known != 4 || r.Added != 5 || !bytes.Equal(encoded(t, second), encoded(t, once)) {
		t.Errorf("adding in two parts gives a different model: %+v", r)
	}
}

// Visitors' lists of warm items do not change, whatever the visitor likes: new items are only inserted between them.
func TestWarmListsStay(t *testing.T) {
	for _, composed := range []bool{true, false} {
		m := warmModel(150, composed)
		if !composed {
			m.Calibration = nil
		}
		with, _ := add(t, m, fresh(40))
		before, err := recommend.Open(m, recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		after, err := recommend.Open(with, recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []recommend.Visit{{}, {Likes: []int{3}}, {Likes: []int{3, 8, 40}, Dislikes: []int{7, 12}},
			{Dislikes: []int{1}}, {Likes: []int{2, 20, 77}, Seen: []int{4}}} {
			list := func(r *recommend.Recommender) (items []int) {
				for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: r.Len(), Bare: true}) {
					items = append(items, s.Item)
				}
				return items
			}
			was, is := list(before), list(after)
			is = slices.DeleteFunc(is, func(i int) bool { return i >= m.Items.Len() })
			if !slices.Equal(was, is) {
				t.Errorf("composed %v, %+v: the order of the warm items differs", composed, v)
			}
		}
	}
}

// A new item is as uncertain as an item of the catalogue can be. Its row is farther from the neutral visitor than
// predicted, by the error of the map.
func TestNewItemsAreUncertain(t *testing.T) {
	m := warmModel(120, true)
	with, _ := add(t, m, fresh(5))
	f, err := recommend.NewInferrer(recommend.InferenceSettingsOf(with))
	if err != nil {
		t.Fatal(err)
	}
	known, unknown := make([]float32, 8), make([]float32, 8)
	f.ItemSpread(known, 0)
	f.ItemSpread(unknown, 120)
	for d := range known {
		if unknown[d] < 10*known[d] {
			t.Errorf("dimension %d: spread %v for a new item, %v for one with hundreds of likes", d, unknown[d], known[d])
		}
	}
	about := fresh(1)
	p, err := Fit(background, m, about, 0)
	if err != nil {
		t.Fatal(err)
	}
	d := about.item(0)
	x := p.features.row(&d)
	rho := 0.0
	row := make([]float32, 16)
	for k, v := range p.fit.predict(x)[:16] {
		row[k] = float32(v)
		rho += p.residual[k]
	}
	was := recommend.W2Squared(p.nobody, row)
	p.moveAway(row)
	if got := recommend.W2Squared(p.nobody, row); math.Abs(got-was-rho) > 1e-4*got {
		t.Errorf("the item is %v farther away, the error of the map is %v", got-was, rho)
	}
	for d, s := range p.Stddev() {
		if s < 0.03 || s > 0.1 {
			t.Errorf("dimension %d: the error of the map is %v; items are spread by 0.05 around their genre's place", d, s)
		}
	}
	// The rate gives the predicted chance.
	e := p.entry(&d, x)
	want := p.fit.predict(x)[16] + p.level
	if got := p.chance(float64(e.rate), 0, p.nearer(e.row)); math.Abs(got-want) > 1e-4 {
		t.Errorf("got the logit %v, predicted %v", got, want)
	}
}

// Models without a map, links, chances or further columns get new items too.
func TestBareModel(t *testing.T) {
	m := warmModel(60, true)
	m.Map, m.ItemItem, m.Calibration = nil, nil, nil
	m.Catalogue.Columns = nil
	for i := range m.Catalogue.Items {
		m.Catalogue.Items[i].Values = nil
	}
	with, r := add(t, m, fresh(5))
	if r.Added != 5 || with.Items.Len() != 65 {
		t.Errorf("%+v", r)
	}
	if _, err := model.Decode(encoded(t, with)); err != nil {
		t.Error(err)
	}
}

// Add learns from facts about warm items that the model does not store: a column, and vectors.
func TestLearnsFromWhatTheModelDoesNotKeep(t *testing.T) {
	m := warmModel(100, true)
	for i := range m.Catalogue.Items {
		m.Catalogue.Items[i].Genres = nil
	}
	about := Items{Catalogue: &catalogue.Catalogue{Columns: []string{"mood"}}}
	vectors := &Vectors{Dim: len(kinds)}
	for i := range 110 {
		g := i % len(kinds)
		it := catalogue.Item{ID: fmt.Sprint("w", i), Title: "x", Values: []string{"mood of " + kinds[g]}}
		if i >= 100 {
			it.ID = fmt.Sprint("new", i)
		}
		about.Items = append(about.Items, it)
		one := make([]float32, len(kinds))
		one[g] = 3
		vectors.Data = append(vectors.Data, one...)
	}
	blind, r := add(t, m, Items{Catalogue: &catalogue.Catalogue{Items: about.Items[100:]}})
	if r.Blank != 10 || blind.Items.Len() != 100 {
		t.Errorf("items without any facts: %+v", r)
	}
	if _, r = add(t, m, about); r.Added != 10 || r.Known != 100 || r.Explained < 0.5 {
		t.Errorf("by a column: %+v", r)
	}
	about.Columns = nil
	about.Vectors = vectors
	with, r := add(t, m, about)
	if r.Added != 10 || r.Explained < 0.5 {
		t.Errorf("by vectors: %+v", r)
	}
	if x := with.Map.X[101]; x != 0.25 {
		t.Errorf("the second new item is at %v, its kind at 0.25", x)
	}
}

func TestWhatCannotBeAdded(t *testing.T) {
	m := warmModel(100, true)
	about := fresh(3)
	about.Vectors = &Vectors{Dim: 2, Data: make([]float32, 4)}
	few := warmModel(leastWarm-1, true)
	short := fresh(3)
	short.Vectors = &Vectors{Dim: 1, Data: []float32{1, 2, 3}}
	for says, c := range map[string]struct {
		m *model.Model
		Items
	}{
		"2 vectors for 3 items":  {m, about},
		"19 items with likes":    {few, fresh(3)},
		"no warm item has a non": {m, short},
	} {
		if _, _, err := Add(background, c.m, c.Items, 0); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got error %v, want %q", err, says)
		}
	}
	ended, end := context.WithCancel(background)
	end()
	if _, _, err := Add(ended, m, fresh(3), 0); err == nil {
		t.Error("a cancelled context is ignored")
	}
	twice := fresh(2)
	twice.Items[1].ID = twice.Items[0].ID
	if _, r := add(t, m, twice); r.Added != 1 || r.Known != 1 {
		t.Errorf("a duplicate id: %+v", r)
	}
}

// largest agrees with a stable sort: equal values keep their order.
func TestLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 200 {
		values := make([]float64, r.IntN(12))
		order := make([]int, len(values))
		for k := range values {
			values[k], order[k] = float64(r.IntN(5)), k
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(values[b] - values[a]) })
		n := r.IntN(6)
		if got := largest(values, n); !slices.Equal(got, order[:min(n, len(order))]) {
			t.Fatalf("the %d largest of %v: got %v, want %v", n, values, got, order)
		}
	}
}
