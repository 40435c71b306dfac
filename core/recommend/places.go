package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/yield"
)

// Places describes a visitor on the map: their tastes, and their next titles. The zero value is for a visitor without
// likes that the model knows.
type Places struct {
	Tastes []Place // the largest first, one to maxTastes
	Next   []int   // the first nextTitles of ForYou without a filter, the best first

	Calibrated bool // the ellipses' probabilities were checked on held-out people
}

// Place is one taste: a Gaussian on the map.
type Place struct {
	Share      float64 // of the visitor's taste, in (0,1]; all shares sum to 1
	Covariance model.Covariance

	// The ellipses of all tastes together contain these shares of the visitor's likes. If the model is calibrated, the
	// shares are measured on the other likes of held-out people (model.MapRegion).
	Ellipses Ellipses
}

// Glow is the standard deviation, in units of the map, of the light around each of Places.Next. More than half of
// people's held-out likes fall among the brightest 15% of titles.
const Glow = 0.03

const (
	nextTitles = 100
	placePairs = 16 // pairs of draws
	maxTastes  = 4
	leastShare = 0.1 // least share of a taste
	gridSide   = 32  // cells of the map's grid along each side
	emSteps    = 12  // for each number of tastes
	negligible = -16 // the logarithm below which a term of a sum is dropped
)

// The constants below were tuned on every second held-out person of MovieLens small. With them, the calibrated regions
// for 50, 80 and 95% of the remaining likes contain the fewest titles.
const (
	placeBroad = 0.5  // of the softmax, in temperatures of the training
	placeOwn   = 0.3  // share of the likes themselves
	placeWorth = 60   // N: number of likes that the distribution counts as when the number of tastes is chosen
	placeStray = 1e-3 // share that belongs to no taste
	placeFloor = 2e-3 // least variance of a taste along each axis, in squares of the map's unit
)

// Places finds the visitor's tastes on the map. Their next likes have the posterior predictive distribution over
// titles, averaged over draws θ from the visitor's taste (Inferrer.Draw):
//
//	p_i ∝ mean over θ of softmax_i(−cost_i(θ)/(broad·τ))       cost = W2² − bonus, τ the training's temperature
//
// On the map, each title has the mass (1−own)·p_i, and each of the n likes own/n more. Mixtures of one to maxTastes
// Gaussians are fitted to this distribution, collected in a grid, by expectation-maximisation (mixture), and the one
// with the highest Bayesian information criterion is kept. The result depends only on the sets of likes and dislikes.
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

// mapRadius returns the Mahalanobis radius for a share, for a visitor with n likes.
func (r *Recommender) mapRadius(share float64, n int) float64 {
	if r.model.Calibration == nil {
		return model.EllipseRadius(share)
	}
	return r.model.Calibration.Map.Radius(share, n)
}

// Distance returns the Mahalanobis distance from a point of the map to the nearest taste, or +Inf without tastes.
func (p *Places) Distance(x, y float64) float64 {
	least := math.Inf(1)
	for _, c := range p.Tastes {
		least = min(least, squared(c.Covariance, x-c.Ellipses[0].X, y-c.Ellipses[0].Y))
	}
	return math.Sqrt(least)
}

// squared returns the squared Mahalanobis distance of (x, y) from the origin.
func squared(c model.Covariance, x, y float64) float64 {
	det := float64(c.XX*c.YY) - float64(c.XY*c.XY)
	return (float64(float64(c.YY*x)*x) - float64(float64(2*c.XY*x)*y) + float64(float64(c.XX*y)*y)) / det
}

// predictive returns the chance that each of the titles is the visitor's next like, 0 outside of keep. The chances sum
// to 1. O(draws·among·h).
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
			if x := unit * (costs[c] - least); x > negligible && keep.Has(int(i)) { // skip if both are infinite
				e = vec.Exp(x)
			}
			costs[c] = e // the weights from here on
			sum += float64(e)
		}
		for c, e := range costs {
			out[c] += float64(e) / max(sum, 1) / draws // at least 1, unless keep is empty
		}
	}
	return out
}
