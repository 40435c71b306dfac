package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/yield"
)

// Places is where a visitor is on the map: their tastes, and where the titles lie that come next. The zero value is a
// visitor who likes nothing that the model knows.
type Places struct {
	Tastes []Place // the largest first, one to maxTastes
	Next   []int   // the first nextTitles of ForYou without a filter, the best first

	Calibrated bool // the tastes' ellipses hold what they say: that was checked on people who were left out
}

// Place is one taste: a Gaussian on the map.
type Place struct {
	Share      float64 // of the visitor's taste, in (0,1]; all shares sum to 1
	Covariance model.Covariance

	// Ellipses hold so much of what the visitor likes, those of all tastes together: where the model is calibrated,
	// that share of the other likes of people who were left out (model.MapRegion).
	Ellipses Ellipses
}

// Glow is the standard deviation, in units of the map, of the light that each of Places.Next sheds. Of the likes that
// people did not tell, more than half lie where the 15% of the titles are that this light makes the brightest.
const Glow = 0.03

const (
	nextTitles = 100
	placePairs = 16 // pairs of draws
	maxTastes  = 4
	leastShare = 0.1 // of a taste: what is less is no taste of its own
	gridSide   = 32  // cells of the map's grid along each side
	emSteps    = 12  // of each number of tastes
	negligible = -16 // the logarithm of what is left out of a sum
)

// What follows was chosen on every second person left out of trainings on MovieLens small: with it the calibrated
// regions, which hold 50, 80 and 95% of what else they like, hold the fewest titles.
const (
	placeBroad = 0.5  // of the softmax, in temperatures of the training
	placeOwn   = 0.3  // share of the likes themselves
	placeWorth = 60   // N: how many likes the distribution is worth when the number of tastes is chosen
	placeStray = 1e-3 // share that belongs to no taste
	placeFloor = 2e-3 // least variance of a taste along each axis, in squares of the map's unit
)

// Places finds the visitor's tastes on the map. What they may like next is the posterior predictive distribution over
// titles, over draws θ of what is known of the visitor (Inferrer.Draw):
//
//	p_i ∝ mean over θ of softmax_i(−cost_i(θ)/(broad·τ))       cost = W2² − bonus, τ the training's temperature
//
// The titles at their points of the map weigh (1−own)·p_i, the n likes themselves own/n each. To this distribution on
// the map, gathered in a grid, mixtures of one to maxTastes Gaussians are fitted by expectation-maximisation (mixture),
// and the one with the highest Bayesian information criterion is kept. It depends on the set of what was said alone.
// O(draws·min(I, 4096)·h + I·h).
func (r *Recommender) Places(v Visit, t *Taste) (out Places) {
	likes := t.Likes()
	if len(likes) == 0 {
		return out
	}
	out.Calibrated = r.model.Calibration != nil && len(r.model.Calibration.Map.Likes) > 0
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	keep := r.Keeps(Filter{})
	dropMentioned(keep, v)
	r.price(w, t.Row, v)
	w.hits = r.index.NearestOf(w.hits[:0], t.Row, w.distances, w.bonus, nextTitles, keep)
	for _, x := range w.hits {
		out.Next = append(out.Next, x.Item)
	}
	among, _ := r.likely(w, keep, nil, stabilityCandidates)
	chances := r.predictive(w, v, t, among, keep)
	g := newGrid()
	for c, i := range among {
		x, y := r.Point(int(i))
		g.add(x, y, float64((1-placeOwn)*chances[c]))
	}
	for _, i := range likes {
		x, y := r.Point(i)
		g.add(x, y, placeOwn/float64(len(likes)))
	}
	for _, c := range g.tastes() {
		p := Place{Share: c.share, Covariance: c.Covariance}
		for k, prob := range Probabilities {
			p.Ellipses[k] = c.Within(c.x, c.y, r.mapRadius(prob, len(likes)))
		}
		out.Tastes = append(out.Tastes, p)
	}
	return out
}

// mapRadius returns the Mahalanobis radius of a share for a visitor of n likes.
func (r *Recommender) mapRadius(share float64, n int) float64 {
	if r.model.Calibration == nil {
		return model.EllipseRadius(share)
	}
	return r.model.Calibration.Map.Radius(share, n)
}

// Distance returns the Mahalanobis distance of a point of the map from the nearest of the tastes; +Inf without any.
func (p *Places) Distance(x, y float64) float64 {
	least := math.Inf(1)
	for _, c := range p.Tastes {
		least = min(least, squared(c.Covariance, x-c.Ellipses[0].X, y-c.Ellipses[0].Y))
	}
	return math.Sqrt(least)
}

// squared returns the square of the Mahalanobis distance of (x, y) from the origin.
func squared(c model.Covariance, x, y float64) float64 {
	det := float64(c.XX*c.YY) - float64(c.XY*c.XY)
	return (float64(float64(c.YY*x)*x) - float64(float64(2*c.XY*x)*y) + float64(float64(c.XX*y)*y)) / det
}

// predictive returns the chance that each of the titles is the one that the visitor likes next, 0 where keep has it
// not. They sum to 1. O(draws·among·h).
func (r *Recommender) predictive(w *work, v Visit, t *Taste, among []int32, keep ItemSet) []float64 {
	const draws = 2 * placePairs
	n, width := len(among), 2*r.items.Dim()
	w.block = grow(w.block, draws*(2*n+width))
	costs, bonus, rows := w.block[:draws*n], w.block[draws*n:2*draws*n], w.block[2*draws*n:]
	clear(bonus)
	d, queries := r.newDrawer(w, v, t, among), make([][]float32, draws)
	for k := range draws {
		yield.Now()
		queries[k] = rows[k*width : (k+1)*width]
		d.draw(k/2, float32(1-2*(k%2)), queries[k], bonus[k*n:(k+1)*n])
	}
	r.index.distancesOfSome(costs, queries, among)
	out, unit := make([]float64, n), -float32(1/(placeBroad*r.tau))
	for k := range draws {
		yield.Now()
		costs, bonus := costs[k*n:(k+1)*n], bonus[k*n:(k+1)*n]
		least := float32(math.Inf(1))
		for c, i := range among {
			costs[c] -= bonus[c]
			if keep.Has(int(i)) {
				least = min(least, costs[c])
			}
		}
		sum := 0.0
		for c, i := range among {
			e := float32(0)
			if x := unit * (costs[c] - least); x > negligible && keep.Has(int(i)) { // not where both are infinite
				e = vec.Exp(x)
			}
			costs[c] = e // from here on the weights
			sum += float64(e)
		}
		for c, e := range costs {
			out[c] += float64(e) / max(sum, 1) / draws // 1 at least, unless none can come
		}
	}
	return out
}
