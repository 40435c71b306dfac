package recommend

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/yield"
)

// grid holds masses on the unit square, collected in gridSide² cells. Each holds its mass and the sums of mass·x
// and mass·y, so a cell represents a point at the mean of its mass.
type grid [gridSide * gridSide][3]float64

func newGrid() *grid { return new(grid) }

// add puts a mass at (x, y).
func (g *grid) add(x, y, mass float64) {
	cell := func(v float64) int { return min(max(int(v*gridSide), 0), gridSide-1) }
	c := &g[cell(y)*gridSide+cell(x)]
	c[0] += mass
	c[1] += float64(mass * x)
	c[2] += float64(mass * y)
}

// component is one Gaussian of a mixture.
type component struct {
	share, x, y float64
	model.Covariance
}

// tastes fits mixtures of one, two, … maxTastes Gaussians to n likes and returns the one with the highest
//
//	Σ_cells mass·ln f(cell) − placeCost·K
//
// among those without a share below leastShare, the largest share first. Each mixture starts from the smaller one, with
// one more Gaussian that takes a tenth of the mass and is put where there is most mass far from the others (split). It
// then takes emSteps of expectation-maximisation. Each mixture also has a uniform part of placeStray, for likes that
// belong to no taste. The covariances returned are those of one more like (Places). O(cells·maxTastes²·emSteps).
func (g *grid) tastes(n float64) []component {
	var points [][3]float64 // mass, x, y
	for _, c := range g {
		if c[0] > 0 {
			points = append(points, [3]float64{c[0], c[1] / c[0], c[2] / c[0]})
		}
	}
	mix := []component{{share: 1, x: 0.5, y: 0.5, Covariance: model.Covariance{XX: 1, YY: 1}}}
	best, most := []component(nil), math.Inf(-1)
	for {
		fit := 0.0
		for n := range emSteps {
			yield.Now()
			fit = step(mix, points, n == emSteps-1)
		}
		small := slices.ContainsFunc(mix, func(c component) bool { return c.share < leastShare })
		if score := fit - float64(placeCost*float64(len(mix))); score > most && !small {
			best, most = slices.Clone(mix), score
		}
		if len(mix) == min(maxTastes, len(points)) {
			break
		}
		mix = split(mix, points)
	}
	// At most three; slices.SortStableFunc of another type adds 7 KB to the page's program.
	for i := range best {
		for ; i > 0 && best[i].share > best[i-1].share; i-- {
			best[i], best[i-1] = best[i-1], best[i]
		}
	}
	for k := range best {
		c := &best[k]
		more := 1 + 1/(c.share*n)
		c.XX, c.XY, c.YY = c.XX*more, c.XY*more, c.YY*more
	}
	return best
}

// split returns the mixture with one more component, at the cell with the most mass far from all others: the largest
// mass·min(9, least squared Mahalanobis distance).
func split(mix []component, points [][3]float64) []component {
	at, most := points[0], -1.0
	for _, p := range points {
		least := 9.0
		for _, c := range mix {
			least = min(least, squared(c.Covariance, p[1]-c.x, p[2]-c.y))
		}
		if far := p[0] * least; far > most {
			at, most = p, far
		}
	}
	out := slices.Clone(mix)
	for k := range out {
		out[k].share *= 0.9
	}
	const narrow = placeWidth * placeWidth
	return append(out, component{0.1, at[1], at[2], model.Covariance{XX: narrow, YY: narrow}})
}

// step does one step of expectation-maximisation. With measure, it returns the log likelihood of the mixture before the
// step.
func step(mix []component, points [][3]float64, measure bool) (fit float64) {
	sums := make([][6]float64, len(mix)) // mass, mass·(x, y, xx, xy, yy)
	part, scale := make([]float64, len(mix)), make([]float64, len(mix))
	for k, c := range mix {
		scale[k] = (1 - placeStray) * c.share / (2 * math.Pi * math.Sqrt(float64(c.XX*c.YY)-float64(c.XY*c.XY)))
	}
	kept := 0.0
	for _, p := range points {
		density := float64(placeStray)
		for k, c := range mix {
			part[k] = 0
			if x := -float32(squared(c.Covariance, p[1]-c.x, p[2]-c.y) / 2); x > negligible {
				part[k] = float64(scale[k] * float64(vec.Exp(x)))
				density += part[k]
			}
		}
		if measure {
			fit += float64(p[0] * vec.Log(density))
		}
		for k, f := range part {
			m, s := p[0]*f/density, &sums[k]
			kept += m
			s[0] += m
			s[1] += float64(m * p[1])
			s[2] += float64(m * p[2])
			s[3] += float64(float64(m*p[1]) * p[1])
			s[4] += float64(float64(m*p[1]) * p[2])
			s[5] += float64(float64(m*p[2]) * p[2])
		}
	}
	for k := range mix {
		s, c := &sums[k], &mix[k]
		if c.share = s[0] / max(kept, 1e-9); !(c.share > 1e-9) {
			continue // too little mass to locate
		}
		c.x, c.y = s[1]/s[0], s[2]/s[0]
		const assumed = placePrior * placeWidth * placeWidth
		m := placePrior + s[0]
		c.XX = (assumed + max(s[3]-float64(s[0]*float64(c.x*c.x)), 0)) / m
		c.XY = (s[4] - float64(s[0]*float64(c.x*c.y))) / m
		c.YY = (assumed + max(s[5]-float64(s[0]*float64(c.y*c.y)), 0)) / m
	}
	return fit
}
