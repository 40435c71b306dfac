package model

import "math"

// Covariance is a symmetric 2×2 matrix [XX XY; XY YY], positive semidefinite.
type Covariance struct{ XX, XY, YY float64 }

// Eigen returns the eigenvalues λ₁ ≥ λ₂ ≥ 0 and the angle of λ₁'s eigenvector to the x axis, in (−π/2, π/2]. A circle
// has the angle 0.
func (c Covariance) Eigen() (l1, l2, angle float64) {
	mid, diff := (c.XX+c.YY)/2, (c.XX-c.YY)/2
	r := math.Sqrt(float64(diff*diff) + float64(c.XY*c.XY))
	l1, l2 = mid+r, mid-r
	// mid−r cancels for thin ellipses; the determinant is more accurate. Rounding may make it negative.
	if l1 > 0 {
		l2 = (float64(c.XX*c.YY) - float64(c.XY*c.XY)) / l1
	}
	if r > 0 {
		angle = math.Atan2(c.XY, diff) / 2
	}
	return max(l1, 0), max(l2, 0), angle
}

// Ellipse is the ellipse (X, Y) + A cos t·u + B sin t·u⊥ where u points along Angle. The zero value is the point at the
// origin.
type Ellipse struct {
	X, Y  float64 // centre
	A, B  float64 // semi-axes, A ≥ B ≥ 0, in units of the map
	Angle float64 // of the axis A to the x axis, radians, in (−π/2, π/2]
}

// Ellipse returns the region of highest density of N((x, y), c) that holds the share prob: Within(x, y,
// EllipseRadius(prob)).
func (c Covariance) Ellipse(x, y, prob float64) Ellipse { return c.Within(x, y, EllipseRadius(prob)) }

// Within returns the ellipse of the points whose Mahalanobis distance from (x, y) is at most r.
func (c Covariance) Within(x, y, r float64) Ellipse {
	l1, l2, angle := c.Eigen()
	e := Ellipse{X: x, Y: y, Angle: angle}
	// 0·∞ is NaN, but a flat Gaussian stays flat at every probability.
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
