package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
)

// Point returns the place of item i on the map, in the unit square, or the centre if the model has no map.
func (r *Recommender) Point(i int) (x, y float64) {
	return float64(r.layout.X[i]), float64(r.layout.Y[i])
}

// Regions returns the regions of the map, by ascending level, or none without a map. Read only.
func (r *Recommender) Regions() []model.Region { return r.layout.Regions }

// Radii returns for each item a radius that ascends in the order of ForYou:
//
//	radius_i = √(cost_i − min(0, min_j cost_j))        cost_i = W2²(visitor, i) − bonus_i (bonus.go)
//
// An item without a bonus is at its true W2, and a bonus moves it nearer. Only if a bonus exceeds its item's W2², which
// would give the root of a negative number, are all items moved outwards by the same amount. Without item-item links
// the radii are the distances. The costs are as in Recommend, in float64 and rounded at the end, so the radius never
// descends along ForYou's list. O(I·h).
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
