package calibrate

import (
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// twins returns planted data in which each item has a twin at the same place that nobody likes, with these counts of
// the liked items and the twins.
func twins(liked, twin int) (Data, Fold) {
	d, m := planted(200, 1)
	n := m.Items.Len()
	items := gaussian.NewTable(2*n, m.Items.Dim())
	for i := range 2 * n {
		copy(items.Row(i), m.Items.Row(i%n))
	}
	m.Items = items
	m.Catalogue.Items = append(m.Catalogue.Items, m.Catalogue.Items...)
	for i := range m.Catalogue.Items {
		m.Catalogue.Items[i].Count = liked
		if i >= n {
			m.Catalogue.Items[i].Count = twin
		}
	}
	m.Objective.Composition.Prior = 3
	m.ItemItem = &model.ItemLinks{Gamma: 1, Offsets: make([]int32, 2*n+1)} // the preference needs a part of links
	var pairs []dataset.Pair
	for u := range d.Likes.Rows() {
		for _, i := range d.Likes.Row(u) {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	d.Likes = dataset.NewMatrix(200, 2*n, pairs)
	return d, Fold{m, everyone(200)}
}

// The preference for little-known items is given up where people like well-known ones, for any number of workers, and
// kept where they like little-known ones or no prior asks for it.
func TestRarityIsTried(t *testing.T) {
	d, fold := twins(100, 1)
	got, err := TryRarity(t.Context(), d.Likes, []Fold{fold}, 1, 1)
	if err != nil || !got.Costs || got.NDCG > .9*got.Without {
		t.Errorf("people like well-known items: %+v, %v", got, err)
	}
	if fold.Model.Objective.NoRarity {
		t.Error("the model was changed")
	}
	if again, err := TryRarity(t.Context(), d.Likes, []Fold{fold}, 1, 3); err != nil || again != got {
		t.Errorf("three workers: %+v, %v; one: %+v", again, err, got)
	}
	rare, other := twins(1, 100)
	if got, err := TryRarity(t.Context(), rare.Likes, []Fold{other}, 1, 0); err != nil || got.Costs ||
		got.NDCG < got.Without {
		t.Errorf("people like little-known items: %+v, %v", got, err)
	}
	fold.Model.Objective.Composition.Prior = 0
	if got, err := TryRarity(t.Context(), d.Likes, []Fold{fold}, 1, 0); err != nil || got != (Rarity{}) {
		t.Errorf("without a prior: %+v, %v", got, err)
	}
}

// A list's figure is its share of the best one's.
func TestGained(t *testing.T) {
	_, fold := twins(9, 1)
	worth := func(i int32) float64 { return 1 / float64(fold.Model.Catalogue.Items[i].Count) }
	rare := int32(fold.Model.Items.Len() - 1)
	for _, c := range []struct {
		list []int
		want float32
	}{{[]int{int(rare), 3}, 1}, {[]int{5, 6}, 0}, {[]int{3, int(rare)}, (1./9 + .63092975) / (1 + .63092975/9)}} {
		if got := gained(suggested(c.list), []int32{3, rare}, worth); got < c.want-1e-6 || got > c.want+1e-6 {
			t.Errorf("%v: %v, want %v", c.list, got, c.want)
		}
	}
}

func suggested(items []int) (list []recommend.Suggestion) {
	for _, i := range items {
		list = append(list, recommend.Suggestion{Item: i})
	}
	return list
}
