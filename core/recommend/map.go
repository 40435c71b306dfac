package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
)

// Shown returns the share of the items' variance that the plane shows, in [0,1].
func (r *Recommender) Shown() float64 { return r.plane.Shown() }

// Point returns where item i lies on the plane.
func (r *Recommender) Point(i int) (x, y float64) { return r.plane.Point(r.items.Mean(i)) }

// ItemEllipses returns our knowledge of item i's mean on the plane, at Probabilities: small for what many like
// (Inferrer.ItemSpread says why it is not the item's trained s).
func (r *Recommender) ItemEllipses(i int) Ellipses {
	return r.ellipses(r.items.Mean(i), r.spreads.of(i))
}

// TasteEllipses returns our knowledge of the visitor's mean on the plane, at Probabilities. Where the model is
// calibrated, they hold so many of the refits on random halves of the visitor's likes (model.Posterior).
func (r *Recommender) TasteEllipses(t *Taste) (out Ellipses) {
	x, y := r.plane.Point(t.Row[:r.items.Dim()])
	c, likes := r.covariance(t)
	for i, prob := range Probabilities {
		radius := model.EllipseRadius(prob)
		if likes > 0 {
			radius = r.model.Calibration.Posterior.Plane.Radius(prob, likes)
		}
		out[i] = c.Within(x, y, radius)
	}
	return out
}

// covariance returns the covariance of the visitor's mean on the plane, and the number of likes behind a calibrated
// one, else 0.
func (r *Recommender) covariance(t *Taste) (c model.Covariance, likes int) {
	if r.plane.Origin == nil || !t.Inferred() {
		return r.plane.Covariance(t.Spread), 0
	}
	c.XX, c.XY, c.YY, likes = r.infer.Covariance(t, r.plane.Axes[0], r.plane.Axes[1])
	return c, likes
}

func (r *Recommender) ellipses(mean, spread []float32) (out Ellipses) {
	x, y := r.plane.Point(mean)
	c := r.plane.Covariance(spread)
	for i, prob := range Probabilities {
		out[i] = c.Ellipse(x, y, prob)
	}
	return out
}

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
