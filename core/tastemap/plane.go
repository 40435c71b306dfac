package tastemap

import (
	"fmt"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// Plane is a plane in R^h, spanned by two orthonormal axes P ∈ R^{2×h} through an origin o ∈ R^h. A Gaussian N(μ,
// diag(s²)) projects to N(P(μ−o), P diag(s²) Pᵀ), exactly. The zero value is invalid, except that Point returns the
// origin.
type Plane struct {
	Origin []float32    // o, h
	Axes   [2][]float32 // rows of P, h each, orthonormal
	Shares [2]float64   // share of the total variance of the item means along each axis, in [0,1]
}

// Point returns P(μ−o), the projection of the mean (h). The zero plane projects everything to the origin. O(h).
func (p Plane) Point(mean []float32) (x, y float64) {
	a, b := p.Axes[0], p.Axes[1]
	if len(a) == 0 || len(b) == 0 {
		return 0, 0
	}
	a, b, o := a[:len(mean)], b[:len(mean)], p.Origin[:len(mean)]
	for i, m := range mean {
		d := float64(m) - float64(o[i])
		x += float64(d * float64(a[i]))
		y += float64(d * float64(b[i]))
	}
	return x, y
}

// Covariance returns P diag(s²) Pᵀ for the standard deviations s (h): the exact covariance of the projected Gaussian.
// O(h).
func (p Plane) Covariance(stddev []float32) model.Covariance {
	var c model.Covariance
	a, b := p.Axes[0], p.Axes[1]
	if len(a) == 0 || len(b) == 0 {
		return c
	}
	a, b = a[:len(stddev)], b[:len(stddev)]
	for i, s := range stddev {
		v := float64(s) * float64(s)
		ax, bx := float64(a[i]), float64(b[i])
		c.XX += float64(float64(v*ax) * ax)
		c.XY += float64(float64(v*ax) * bx)
		c.YY += float64(float64(v*bx) * bx)
	}
	return c
}

// FitPlane returns the plane through the average of the items' means along their two directions of largest variance,
// and the shares of the total variance along them (principal). It returns an error for fewer than two items, for h < 2,
// and for means that are not finite. O(I·h² + h³).
func FitPlane(items *gaussian.Table) (Plane, error) {
	n, h := items.Len(), items.Dim()
	if n < 2 {
		return Plane{}, fmt.Errorf("a plane needs at least 2 items, got %d", n)
	}
	if h < 2 {
		return Plane{}, fmt.Errorf("a plane needs a latent dimension of at least 2, got %d", h)
	}
	means := Means(items)
	for at, v := range means.Data {
		if v-v != 0 {
			return Plane{}, fmt.Errorf("the mean of item %d is %v in dimension %d; a plane needs "+
				"finite means", at/h, v, at%h)
		}
	}
	mean, axes, shares := principal(means)
	return Plane{
		Origin: narrow(mean), Axes: [2][]float32{narrow(axes[0]), narrow(axes[1])}, Shares: shares,
	}, nil
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}
