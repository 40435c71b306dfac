package calibrate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// planted returns users whose tastes lie around 0 with the given variance in each of two dimensions. Each like is the
// item nearest to a place drawn with variance 1 around the taste. The items are a lattice that extends beyond these
// places. So the Bayes estimate of a taste is the mean of the n likes and of 1/variance likes at 0.
func planted(users int, variance float64) (Data, *model.Model) {
	const side, step, each = 41, 0.4, 20
	r := rand.New(rand.NewPCG(7, 7))
	m := &model.Model{
		Items: gaussian.NewTable(side*side, 2), Catalogue: &catalogue.Catalogue{Items: make([]catalogue.Item, side*side)},
		Objective: model.Objective{
			Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1}, Composition: gaussian.Composition{Weight: 1},
			Radius: 1000,
		},
	}
	for i := range m.Items.Len() {
		m.Items.Mean(i)[0], m.Items.Mean(i)[1] = step*float32(i/side-side/2), step*float32(i%side-side/2)
		m.Catalogue.Items[i].Count = 1
	}
	at := func(x float64) int { return min(max(int(math.Round(x/step))+side/2, 0), side-1) }
	var pairs []dataset.Pair
	for u := range users {
		x, y := math.Sqrt(variance)*r.NormFloat64(), math.Sqrt(variance)*r.NormFloat64()
		for range each {
			i := at(x+r.NormFloat64())*side + at(y+r.NormFloat64())
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
		}
	}
	return Data{Likes: dataset.NewMatrix(users, m.Items.Len(), pairs)}, m
}

func everyone(n int) (all []int) {
	for u := range n {
		all = append(all, u)
	}
	return all
}

// The Bayes prior is found, whatever prior the model has, for any number of folds and workers.
func TestPlantedVisitorPrior(t *testing.T) {
	for variance, want := range map[float64]float32{16: 0, 1: 1, 0.25: 4, 0.04: 12} {
		d, m := planted(400, variance)
		m.Objective.Composition.Prior = 3
		all := everyone(400)
		c, err := ChooseVisitorPrior(t.Context(), d.Likes, []Fold{{m, all}}, 1, 1)
		if err != nil || c.Likes < want/2 || c.Likes > 2*want || c.People != maxVisitors || c.NDCG < c.Without ||
			m.Objective.Composition.Prior != 3 {
			t.Errorf("tastes of variance %v: %+v, %v; want %v likes", variance, c, err, want)
		}
		if again, err := ChooseVisitorPrior(t.Context(), d.Likes, []Fold{{m, all}}, 1, 3); err != nil || again != c {
			t.Errorf("three workers: %+v, %v; one: %+v", again, err, c)
		}
		again, err := ChooseVisitorPrior(t.Context(), d.Likes, []Fold{{m, all[:150]}, {m, all[150:]}}, 1, 0)
		if err != nil || again.Likes != c.Likes || again.People != c.People || math.Abs(again.NDCG-c.NDCG) > 1e-12 {
			t.Errorf("two folds: %+v, %v; one: %+v", again, err, c)
		}
	}
	d, m := planted(3, 1)
	d.Likes = dataset.NewMatrix(3, m.Items.Len(), []dataset.Pair{{Row: 0, Col: 5}, {Row: 1, Col: 7}})
	if c, err := ChooseVisitorPrior(t.Context(), d.Likes, []Fold{{m, everyone(3)}}, 1, 0); err != nil ||
		c != (VisitorPrior{}) {
		t.Errorf("users with at most one like: %+v, %v", c, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := ChooseVisitorPrior(stopped, d.Likes, []Fold{{m, everyone(3)}}, 1, 0); err == nil {
		t.Error("the canceled context is ignored")
	}
}

// On real data, a prior chosen on some users also helps others: visitors with one or two likes get better lists.
func TestVisitorPriorOfRealPeople(t *testing.T) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := pmlam.Preset("composed")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Dim, cfg.Epochs = 16, 6
	var choosing, others []int
	for u := 0; u+1 < d.Users.Len(); u += 4 {
		choosing, others = append(choosing, u), append(others, u+1)
	}
	on := *d
	on.Positives = Without(Without(d.Positives, choosing), others)
	trainer, err := pmlam.New(t.Context(), on.Positives, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := trainer.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model(&on, pmlam.Export{Config: cfg, Precision: model.Float32})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ChooseVisitorPrior(t.Context(), d.Positives, []Fold{{m, choosing}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	ndcg := func(prior float32) float64 {
		r, err := measured(t.Context(), m, prior, fewLikes(d.Positives, others, 1), 0)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := r.At(eval.NDCG, 10)
		return v
	}
	with, without := ndcg(c.Likes), ndcg(0)
	t.Logf("%+v; NDCG of others %.4f with it, %.4f without", c, with, without)
	if c.Likes < 1 || with < 1.1*without {
		t.Errorf("NDCG of others: %.4[2]f with a prior of %[1]v likes, %.4[3]f without", c.Likes, with, without)
	}
}

// misleading returns users who like neighbours among the second half of the items. The links go from these to items of
// the first half, which nobody likes.
func misleading(users int, gamma float32) (*dataset.Matrix, *model.Model) {
	const items = 60
	m := &model.Model{
		Items: gaussian.NewTable(items, 2), Catalogue: &catalogue.Catalogue{Items: make([]catalogue.Item, items)},
		Objective: model.Objective{
			Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1}, Composition: gaussian.Composition{Weight: 1},
			Radius: 1,
		},
		ItemItem: &model.ItemLinks{Gamma: gamma, Offsets: []int32{0}},
	}
	r := rand.New(rand.NewPCG(3, 3))
	for i := range items {
		m.Items.Mean(i)[0] = 0.5 * float32(i) / items
		m.Catalogue.Items[i].Count = 1
		if i < items/2 { // liked by nobody
			m.ItemItem.Sources = append(m.ItemItem.Sources, int32(items/2+r.IntN(items/2)))
			m.ItemItem.Weights = append(m.ItemItem.Weights, 0.2)
		}
		m.ItemItem.Offsets = append(m.ItemItem.Offsets, int32(len(m.ItemItem.Sources)))
	}
	var pairs []dataset.Pair
	for u := range users {
		for k := range 12 { // near each other
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(items/2 + (u*7+k)%(items/2))})
		}
	}
	return dataset.NewMatrix(users, items, pairs), m
}

// Links that mislead get little weight for visitors who tell few likes, and a large prior that says so; links of no
// consequence get no prior. Workers and folds do not change the choice.
func TestPlantedLinkPrior(t *testing.T) {
	all := everyone(60)
	for gamma, chosen := range map[float32]bool{3: true, 1e-6: false} {
		likes, m := misleading(60, gamma)
		m.Objective.LinkPrior = 5
		c, err := ChooseVisitorPrior(t.Context(), likes, []Fold{{m, all}}, 1, 1)
		if err != nil || (c.Links > 0) != chosen || m.Objective.LinkPrior != 5 {
			t.Fatalf("γ = %v: %+v, %v", gamma, c, err)
		}
		if again, err := ChooseVisitorPrior(t.Context(), likes, []Fold{{m, all}}, 1, 3); err != nil || again != c {
			t.Errorf("three workers: %+v, %v; one: %+v", again, err, c)
		}
		again, err := ChooseVisitorPrior(t.Context(), likes, []Fold{{m, all[:25]}, {m, all[25:]}}, 1, 0)
		if err != nil || again.Likes != c.Likes || again.Links != c.Links {
			t.Errorf("two folds: %+v, %v; one: %+v", again, err, c)
		}
	}
}
