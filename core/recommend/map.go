package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
)

// Point returns where item i lies on the map, in the unit square; in the middle where the model has no map.
func (r *Recommender) Point(i int) (x, y float64) {
	return float64(r.layout.X[i]), float64(r.layout.Y[i])
}

// Regions returns the regions of the map, by ascending level; none without a map. To be read only.
func (r *Recommender) Regions() []model.Region { return r.layout.Regions }

// Radii returns for each item a radius that ascends in the order of ForYou:
//
//	radius_i = √(cost_i − min(0, min_j cost_j))        cost_i = W2²(visitor, i) − bonus_i (bonus.go)
//
// An item without a bonus lies at its true W2, one with a bonus lies nearer by it. Only where a bonus is larger than
// its item's W2² (the radius would be the root of a negative number) all are moved outwards alike. Without an item-item
// part the radii are the distances. Costs are those that Recommend ranks by, in float64 and rounded at the end, so that
// of two items the one that ForYou lists first never has the larger radius. O(I·h).
func (r *Recommender) Radii(v Visit, t *Taste) []float32 {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.price(w, t.Row, v)
	costs := make([]float64, r.Len())
	least := 0.0
	for i := range costs {
		yieldAfter(i)
		costs[i] = W2Squared(t.Row, r.items.Row(i))
		if w.bonus != nil {
			costs[i] -= float64(w.bonus[i])
		}
		least = min(least, costs[i])
	}
	out := make([]float32, len(costs))
	for i, c := range costs {
		out[i] = float32(math.Sqrt(c - least))
	}
	return out
}
