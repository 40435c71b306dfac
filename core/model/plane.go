package model

// Plane is a plane in R^h, spanned by two orthonormal axes P ∈ R^{2×h} through an origin o ∈ R^h. A Gaussian N(μ,
// diag(s²)) falls on it as N(P(μ−o), P diag(s²) Pᵀ), which is exact. The zero value is no plane.
type Plane struct {
	Origin []float32    // o, h
	Axes   [2][]float32 // rows of P, h each, orthonormal
	Shares [2]float64   // share of the total variance of the item means along each axis, in [0,1]
}

// Shown returns the share of the items' variance that the plane shows, in [0,1]. The zero plane shows 0.
func (p Plane) Shown() float64 {
	return min(max(p.Shares[0]+p.Shares[1], 0), 1)
}

// Point returns P(μ−o), where the mean (h) falls. On the zero plane everything falls on the origin. O(h).
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
func (p Plane) Covariance(stddev []float32) Covariance {
	var c Covariance
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

// Ellipse returns the region of highest density that holds the share prob of the projected Gaussian. With two
// degrees of freedom chi-square's quantile is closed: r² = −2 ln(1−prob), so the semi-axes are r·√λ. prob ≤ 0 gives
// the centre alone; prob ≥ 1 gives infinite axes where λ > 0. O(h).
func (p Plane) Ellipse(mean, stddev []float32, prob float64) Ellipse {
	x, y := p.Point(mean)
	return p.Covariance(stddev).Ellipse(x, y, prob)
}
