package recommend

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
)

var fixtureGenres = []string{"Drama", "Comedy", "Horror", "Western", "Musical"}

// bell is roughly normal, by additions alone: NormFloat64 uses functions of package math whose bits differ between
// machines, and the fixture must not.
func bell(r *rand.Rand) float32 {
	s := float32(0)
	for range 12 {
		s += r.Float32()
	}
	return s - 6
}

// fixture returns a model of n items in five clusters, one for each genre: item i has genre i mod 5. Items have years,
// counts that fall with the index, and a column "country".
func fixture(n int, c gaussian.Composition, l gaussian.Loss) *model.Model {
	const h = 12
	r := rand.New(rand.NewPCG(11, 13))
	centers := make([][]float32, len(fixtureGenres))
	for g := range centers {
		centers[g] = make([]float32, h)
		for d := range centers[g] {
			centers[g][d] = bell(r)
		}
		gaussian.ScaleInto(centers[g], 0.8)
	}
	m := &model.Model{
		Items:     gaussian.NewTable(n, h),
		Catalogue: &catalogue.Catalogue{Columns: []string{"country"}},
		Objective: model.Objective{Loss: l, Composition: c, Radius: 1, LearnRate: 0.003},
		Provenance: model.Provenance{
			Dataset: "Fixture", Users: 7, Interactions: 70, Preset: "test", Program: "v0",
			Metrics: map[string]float64{"recall@10": 0.5}, Licence: "none", Attribution: "us",
		},
		Digest: "abc",
	}
	for i := range n {
		g := i % len(fixtureGenres)
		for d, x := range centers[g] {
			m.Items.Mean(i)[d] = x + 0.08*bell(r)
			m.Items.Stddev(i)[d] = 0.1 + 0.02*r.Float32()
		}
		gaussian.Bound(m.Items.Row(i), 1)
		it := catalogue.Item{
			ID: fmt.Sprint(i), Title: fmt.Sprintf("%d of %s", i, fixtureGenres[g]), Year: 1950 + i%70,
			Genres: []string{fixtureGenres[g]}, Values: []string{[]string{"fr", "it"}[i%2]}, Count: 5 + (n-i)*500/n,
		}
		if i%17 == 0 {
			it.Year = 0
		}
		if i%3 == 0 {
			it.Genres = append(it.Genres, "Classic")
		}
		m.Catalogue.Items = append(m.Catalogue.Items, it)
	}
	m.Map = flatMap(m.Items)
	return m
}

// flatMap returns the map of the first two dimensions of the items' means, moved and uniformly scaled into the unit
// square.
func flatMap(items *gaussian.Table) *model.Map {
	n := items.Len()
	p := &model.Map{X: make([]float32, n), Y: make([]float32, n)}
	low, high := [2]float32{}, [2]float32{}
	for d := range low {
		low[d], high[d] = items.Mean(0)[d], items.Mean(0)[d]
		for i := range n {
			low[d], high[d] = min(low[d], items.Mean(i)[d]), max(high[d], items.Mean(i)[d])
		}
	}
	unit := max(high[0]-low[0], high[1]-low[1])
	for i := range n {
		for d, x := range [][]float32{p.X, p.Y} {
			x[i] = min(max((items.Mean(i)[d]-(low[d]+high[d])/2)/unit+0.5, 0), 1)
		}
	}
	return p
}

var (
	softmax = gaussian.Loss{Kind: gaussian.Softmax, Temperature: 0.5}
	hinge   = gaussian.Loss{Kind: gaussian.Hinge, Margin: 1}
)

// fixtures returns a model for each way of inferring a visitor.
func fixtures(n int) map[string]*model.Model {
	out := map[string]*model.Model{
		"composed": fixture(n, gaussian.Composition{Weight: 1}, softmax),
		"softmax":  fixture(n, gaussian.Composition{Free: true}, softmax),
		"hinge":    fixture(n, gaussian.Composition{Free: true}, hinge),
		"both":     fixture(n, gaussian.Composition{Free: true, Weight: 2}, softmax),
		"adaptive": fixture(n, gaussian.Composition{Free: true}, hinge),
	}
	net := margin.Zero(margin.Difference, 12, 8)
	r := rand.New(rand.NewPCG(5, 5))
	for _, p := range [][]float32{net.W1, net.B1, net.W2} {
		for i := range p {
			p[i] = r.Float32() - 0.5
		}
	}
	out["adaptive"].Margins.UserItem = net
	return out
}

// linked is fixture with item-item links: every item has two sources of its own genre and one of another, except every
// seventh, which has none.
func linked(n int) *model.Model {
	m := fixture(n, gaussian.Composition{Weight: 1}, softmax)
	r := rand.New(rand.NewPCG(3, 4))
	p := &model.ItemLinks{Gamma: 0.75, Offsets: []int32{0}}
	for i := range n {
		var sources []int32
		for _, step := range []int{5, 25, 31} {
			if j := (i + step) % n; i%7 != 0 && j != i && !slices.Contains(sources, int32(j)) {
				sources = append(sources, int32(j))
			}
		}
		slices.Sort(sources)
		for _, j := range sources {
			p.Sources, p.Weights = append(p.Sources, j), append(p.Weights, 0.1+0.9*r.Float32())
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	m.ItemItem = p
	return m
}

func open(t testing.TB, m *model.Model) *Recommender {
	t.Helper()
	r, err := Open(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shipped is the model that the site serves.
var shipped = sync.OnceValues(func() (*model.Model, error) {
	return model.ReadFile("../../assets/models/movielens.msgpack")
})

func openShipped(t testing.TB) *Recommender {
	t.Helper()
	m, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, m)
}

// before is the order of hits.
func (a Hit) before(b Hit) bool {
	return a.Score < b.Score || a.Score == b.Score && a.Item < b.Item
}

// fullItemSet returns the set of all n items.
func fullItemSet(n int) ItemSet {
	s := NewItemSet(n)
	s.fill(n)
	return s
}
