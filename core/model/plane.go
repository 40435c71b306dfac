package model

import "math"

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

// Covariance is a symmetric 2×2 matrix [XX XY; XY YY], positive semidefinite.
type Covariance struct{ XX, XY, YY float64 }

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

// Eigen returns the eigenvalues λ₁ ≥ λ₂ ≥ 0 and the angle of λ₁'s eigenvector to the first axis, in (−π/2, π/2]. A
// circle has the angle 0.
func (c Covariance) Eigen() (l1, l2, angle float64) {
	mid, diff := (c.XX+c.YY)/2, (c.XX-c.YY)/2
	r := math.Sqrt(float64(diff*diff) + float64(c.XY*c.XY))
	l1, l2 = mid+r, mid-r
	// mid−r cancels where the ellipse is thin; the determinant does so less. Rounding may push it below zero.
	if l1 > 0 {
		l2 = (float64(c.XX*c.YY) - float64(c.XY*c.XY)) / l1
	}
	if r > 0 {
		angle = math.Atan2(c.XY, diff) / 2
	}
	return max(l1, 0), max(l2, 0), angle
}

// Ellipse is the ellipse (X, Y) + A cos t·u + B sin t·u⊥ where u points along Angle. The zero value is the point at
// the origin.
type Ellipse struct {
	X, Y  float64 // centre
	A, B  float64 // semi-axes, A ≥ B ≥ 0, in latent units
	Angle float64 // of the axis A to the plane's first axis, radians, in (−π/2, π/2]
}

// Ellipse returns the region of highest density that holds the share prob of the projected Gaussian. With two
// degrees of freedom chi-square's quantile is closed: r² = −2 ln(1−prob), so the semi-axes are r·√λ. prob ≤ 0 gives
// the centre alone; prob ≥ 1 gives infinite axes where λ > 0. O(h).
func (p Plane) Ellipse(mean, stddev []float32, prob float64) Ellipse {
	x, y := p.Point(mean)
	return p.Covariance(stddev).Ellipse(x, y, prob)
}

// Ellipse is Plane.Ellipse for a covariance that is at hand, around (x, y).
func (c Covariance) Ellipse(x, y, prob float64) Ellipse { return c.Within(x, y, EllipseRadius(prob)) }

// Within returns the ellipse of the points whose Mahalanobis distance from (x, y) is at most r.
func (c Covariance) Within(x, y, r float64) Ellipse {
	l1, l2, angle := c.Eigen()
	e := Ellipse{X: x, Y: y, Angle: angle}
	// 0·∞ is no number: a flat Gaussian stays flat at every probability.
	if l1 > 0 {
		e.A = r * math.Sqrt(l1)
	}
	if l2 > 0 {
		e.B = r * math.Sqrt(l2)
	}
	return e
}

// EllipseRadius returns r = √(−2 ln(1−prob)), the Mahalanobis radius that holds the share prob of a Gaussian in the
// plane.
func EllipseRadius(prob float64) float64 {
	switch {
	case !(prob > 0):
		return 0
	case prob >= 1:
		return math.Inf(1)
	}
	return math.Sqrt(-2 * math.Log1p(-prob))
}

// Area returns πAB.
func (e Ellipse) Area() float64 { return math.Pi * e.A * e.B }

// Contains reports whether the point (x, y) lies inside or on the ellipse.
func (e Ellipse) Contains(x, y float64) bool {
	sin, cos := math.Sincos(e.Angle)
	dx, dy := x-e.X, y-e.Y
	u, v := dx*cos+dy*sin, dy*cos-dx*sin
	return within(u, e.A)+within(v, e.B) <= 1
}

// within returns (d/axis)², with 0/0 = 0 so that a degenerate ellipse contains itself.
func within(d, axis float64) float64 {
	if d == 0 {
		return 0
	}
	return (d / axis) * (d / axis)
}
