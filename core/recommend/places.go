package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
)

// Places describes a visitor on the map: their tastes, and their next titles. The zero value is for a visitor without
// likes that the model knows.
type Places struct {
	Tastes []Place // the largest first, one to maxTastes
	Next   []int   // the first nextTitles of ForYou without a filter, the best first

	Calibrated bool // the ellipses' probabilities were checked on held-out people
}

// Place is one taste: a Gaussian on the map around some of the visitor's likes.
type Place struct {
	Share      float64 // of the visitor's likes, in (0,1]; all shares sum to 1
	Likes      []int   // the likes nearest to it, ascending
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
	maxTastes  = 4
	leastShare = 0.1 // least share of a taste
	gridSide   = 32  // cells of the map's grid along each side
	emSteps    = 12  // for each number of tastes
	negligible = -16 // the logarithm below which a term of a sum is dropped
)

// The constants below were tuned on held-out people of MovieLens small, for regions that hold few titles, and so that
// one romance among crime films is a taste.
const (
	placeWidth = 0.07 // standard deviation that a taste is assumed to have along each axis, in the map's unit
	placePrior = 2    // likes that this assumption counts as
	placeCost  = 2.5  // logarithm of the likelihood that one more taste must gain
	placeStray = 1e-3 // share that belongs to no taste
)

// Places finds the visitor's tastes on the map. A mixture of one to maxTastes Gaussians is fitted to the places of the
// likes (grid.tastes). So each taste is one that the visitor expressed, and its rings tighten with the likes in it.
// With m likes of scatter S around their mean, it is the predictive distribution of one more like:
//
//	Σ = (prior·width²·I + S) / (prior + m) · (1 + 1/m)
//
// The result depends only on the sets of likes and dislikes. O(likes + cells·maxTastes²·emSteps + I·h).
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
	g := newGrid()
	for _, i := range likes {
		x, y := r.Point(i)
		g.add(x, y, t.of.weight(i))
	}
	for _, c := range g.tastes(t.of.total()) {
		p := Place{Share: c.share, Covariance: c.Covariance}
		for k, prob := range Probabilities {
			p.Ellipses[k] = c.Within(c.x, c.y, r.mapRadius(prob, len(likes)))
		}
		out.Tastes = append(out.Tastes, p)
	}
	for _, i := range likes {
		p := &out.Tastes[out.nearest(r.Point(i))]
		p.Likes = append(p.Likes, i)
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
	if len(p.Tastes) == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(p.Tastes[p.nearest(x, y)].squared(x, y))
}

// nearest returns the index of the taste nearest to a point of the map.
func (p *Places) nearest(x, y float64) (best int) {
	for k := range p.Tastes {
		if p.Tastes[k].squared(x, y) < p.Tastes[best].squared(x, y) {
			best = k
		}
	}
	return best
}

func (p *Place) squared(x, y float64) float64 {
	return squared(p.Covariance, x-p.Ellipses[0].X, y-p.Ellipses[0].Y)
}

// squared returns the squared Mahalanobis distance of (x, y) from the origin.
func squared(c model.Covariance, x, y float64) float64 {
	det := float64(c.XX*c.YY) - float64(c.XY*c.XY)
	return (float64(float64(c.YY*x)*x) - float64(float64(2*c.XY*x)*y) + float64(float64(c.XX*y)*y)) / det
}
