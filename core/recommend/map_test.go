package recommend

import (
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// TestRadiiAreTheListsOrder: sorted by radius, titles outside the visit are in the order of ForYou, with weak, strong
// and missing links, and with likes and dislikes.
func TestRadiiAreTheListsOrder(t *testing.T) {
	for _, gamma := range []float32{0, 0.75, 20} {
		m := linked(300)
		m.ItemItem.Gamma = gamma
		if gamma == 0 {
			m.ItemItem = (*model.ItemLinks)(nil)
		}
		r := open(t, m)
		pushed := false
		for _, v := range linkedVisits {
			taste := r.Taste(v, nil)
			radii := r.Radii(v, taste)
			list := items(r.Recommend(v, taste, Request{K: 300}))
			order := slices.Clone(list)
			slices.Sort(order)
			slices.SortStableFunc(order, func(a, b int) int {
				switch {
				case radii[a] < radii[b]:
					return -1
				case radii[a] > radii[b]:
					return 1
				}
				return slices.Index(list, a) - slices.Index(list, b) // indistinguishable in float32
			})
			if len(list) < 290 || !slices.Equal(order, list) {
				t.Errorf("γ=%v, %+v: the radii and the list differ in order", gamma, v)
			}
			for i, x := range radii {
				d := r.Distance(taste, i)
				if gamma == 0 && x != float32(d) {
					t.Fatalf("%+v: without links item %d has the radius %v and the distance %v", v, i, x, d)
				}
				pushed = pushed || len(v.Dislikes) == 0 && float64(x) > d+1e-3
				if math.IsNaN(float64(x)) || x < 0 {
					t.Fatalf("γ=%v, %+v: item %d has the radius %v", gamma, v, i, x)
				}
			}
		}
		if gamma == 20 && !pushed {
			t.Error("no bonus is larger than its item's W2², so the outward move was not tested")
		}
	}
}
