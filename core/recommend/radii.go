package recommend

import (
	"math"
)

// Radii returns how far each item lies from the visitor when nearer means earlier in the list of ForYou:
//
//	radius_i = √(cost_i − min(0, min_j cost_j))        cost_i = W2²(visitor, i) − bonus_i (links.go)
//
// So an item for which no like speaks directly lies at its true W2, one that has a bonus lies nearer by it, and only where
// a bonus is larger than its item's W2² (there a distance would be the root of a negative number) all are moved outwards
// alike. Without an item-item part the radii are the distances. Costs are those that Recommend ranks by, in float64 and
// rounded at the end, so that of two items the one that ForYou lists first never has the larger radius. O(I·h).
func (r *Recommender) Radii(v Visit, t *Taste) []float32 {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.index.Distances(w.distances, t.Row)
	r.weigh(w, sorted(v.Likes), sorted(v.Dislikes))
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
