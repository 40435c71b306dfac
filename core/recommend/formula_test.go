package recommend

import (
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// The formula, the rows, the links and the genres are enough to compute ForYou's costs.
func TestFormulaGivesTheCosts(t *testing.T) {
	m := fixture(60, gaussian.Composition{Weight: 1.5, Prior: 2}, softmax)
	m.ItemItem = &model.ItemLinks{Gamma: 2, Offsets: make([]int32, 61), Sources: []int32{3}, Weights: []float32{.25}}
	for i := 8; i <= 60; i++ {
		m.ItemItem.Offsets[i] = 1 // item 7 has one link, from item 3
	}
	m.Objective.LinkPrior = 3
	r := open(t, m)
	f := r.Formula()
	v := Visit{Likes: []int{3, 23, 43}, Dislikes: []int{11}}
	// The visitor's row.
	h := m.Items.Dim()
	row := make([]float32, 2*h)
	var norm float64
	for d := range row {
		for _, j := range v.Likes {
			row[d] += m.Items.Row(j)[d] / (3 + f.Composition.Prior)
		}
		row[d] += f.Composition.Prior * f.Mean[d] / (3 + f.Composition.Prior)
		if d < h {
			row[d] -= f.Push / 4 * (m.Items.Row(11)[d] - f.Mean[d])
		}
		row[d] *= f.Composition.Weight
		if d < h {
			norm += float64(row[d] * row[d])
		}
	}
	for d := range h {
		row[d] *= float32(min(1, float64(f.Radius)/math.Sqrt(norm)))
	}
	taste := r.Taste(v, nil)
	for d := range row {
		if math.Abs(float64(row[d]-taste.Row[d])) > 1e-5 {
			t.Fatalf("number %d of the visitor is %v, want %v", d, row[d], taste.Row[d])
		}
	}
	w := r.pool.Get().(*work)
	r.price(w, taste.Row, v)
	// The evidence of a niche taste: the gain of each like's prediction by the others.
	odds := func(likes []int, i int) (sum float64) {
		for _, g := range m.Catalogue.Items[i].Genres {
			said, p := 0.0, f.GenreShares[g]
			for _, j := range likes {
				for _, of := range m.Catalogue.Items[j].Genres {
					if of == g {
						said++
					}
				}
			}
			q := (said + f.GenrePrior*p) / (float64(len(likes)) + f.GenrePrior)
			sum += math.Log(q / (1 - q) * (1 - p) / p)
		}
		return sum
	}
	niche := 0.0
	for _, j := range v.Likes {
		var others []int
		for _, i := range v.Likes {
			if i != j {
				others = append(others, i)
			}
		}
		row := r.Taste(Visit{Likes: others}, nil).Row
		niche += (W2Squared(f.Prior, m.Items.Row(j))-W2Squared(row, m.Items.Row(j)))/f.Unit + odds(others, j)
	}
	niche = min(max(niche/3, 0), f.NicheMost)
	if niche == 0 || niche == f.NicheMost {
		t.Errorf("the evidence of a niche taste is %v, which tests little", niche)
	}
	for i := range r.Len() {
		cost := W2Squared(taste.Row, m.Items.Row(i))
		if i == 7 {
			cost -= 2 * .25 * 4 / (4 + float64(f.LinkPrior))
		}
		cost -= f.GenreScale * (1 + f.NicheGenres*niche) * odds(v.Likes, i)
		cost -= f.Rarity * math.Sqrt(2./5) * 2 / 3 * (1 + niche) * math.Log(float64(1+f.FewKnow)/float64(1+m.Catalogue.Items[i].Count))
		if math.Abs(cost-float64(w.costs[i])) > 1e-4 {
			t.Errorf("item %d costs %v, want %v", i, cost, w.costs[i])
		}
	}
	// The prior is the neutral visitor's row. With a hinge loss genres are ignored.
	if got := r.Taste(Visit{}, nil).Row; len(got) != len(f.Prior) || got[0] != f.Prior[0] {
		t.Errorf("the prior is %v, want %v", f.Prior, got)
	}
	if f := open(t, fixture(60, gaussian.Composition{Weight: 1}, hinge)).Formula(); f.GenreScale != 0 {
		t.Errorf("with a hinge a log odds of a genre is worth %v", f.GenreScale)
	}
}
