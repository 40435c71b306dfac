package tastemap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// ellipseOf returns the ellipse that contains the share prob of a Gaussian on the plane.
func ellipseOf(p Plane, mean, stddev []float32, prob float64) model.Ellipse {
	x, y := p.Point(mean)
	return p.Covariance(stddev).Ellipse(x, y, prob)
}

// axisPlane is the plane of the first two of h coordinates.
func axisPlane(h int) Plane {
	p := Plane{Origin: make([]float32, h), Shares: [2]float64{0.5, 0.25}}
	p.Axes[0], p.Axes[1] = make([]float32, h), make([]float32, h)
	p.Axes[0][0], p.Axes[1][1] = 1, 1
	return p
}

// randomPlane has two random orthonormal axes and a random origin.
func randomPlane(r *rand.Rand, h int) Plane {
	a, b := make([]float64, h), make([]float64, h)
	var aa, ab float64
	for i := range h {
		a[i], b[i] = r.NormFloat64(), r.NormFloat64()
		aa += a[i] * a[i]
		ab += a[i] * b[i]
	}
	var bb float64
	for i := range h {
		b[i] -= ab / aa * a[i]
		bb += b[i] * b[i]
	}
	p := Plane{Origin: make([]float32, h)}
	p.Axes[0], p.Axes[1] = make([]float32, h), make([]float32, h)
	for i := range h {
		p.Axes[0][i] = float32(a[i] / math.Sqrt(aa))
		p.Axes[1][i] = float32(b[i] / math.Sqrt(bb))
		p.Origin[i] = float32(r.NormFloat64())
	}
	return p
}

func approximately(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v within %g", what, got, want, tol)
	}
}

func TestAlignedGaussianHasAlignedEllipse(t *testing.T) {
	p := axisPlane(4)
	p.Origin[0] = 1
	// At 1 − e^{−1/2} = 39.3% the radius is 1, so the axes are the standard deviations.
	e := ellipseOf(p, []float32{3, -2, 9, 9}, []float32{0.5, 2, 7, 7}, 1-math.Exp(-0.5))
	approximately(t, "X", e.X, 2, 1e-12)
	approximately(t, "Y", e.Y, -2, 1e-12)
	approximately(t, "A", e.A, 2, 1e-12)
	approximately(t, "B", e.B, 0.5, 1e-12)
	approximately(t, "|Angle|", math.Abs(e.Angle), math.Pi/2, 1e-12)
	approximately(t, "Area", e.Area(), math.Pi, 1e-12)
}

func TestEigenOfKnownMatrix(t *testing.T) {
	// [2 1; 1 2] has eigenvalues 3 and 1, the first along the diagonal.
	l1, l2, a := model.Covariance{XX: 2, XY: 1, YY: 2}.Eigen()
	approximately(t, "λ1", l1, 3, 1e-14)
	approximately(t, "λ2", l2, 1, 1e-14)
	approximately(t, "angle", a, math.Pi/4, 1e-14)
	_, _, a = model.Covariance{XX: 2, XY: -1, YY: 2}.Eigen()
	approximately(t, "angle", a, -math.Pi/4, 1e-14)
	// A rotation by 30° must be recovered.
	s, c := math.Sincos(math.Pi / 6)
	_, _, a = model.Covariance{XX: 4*c*c + s*s, XY: 3 * s * c, YY: 4*s*s + c*c}.Eigen()
	approximately(t, "angle", a, math.Pi/6, 1e-14)
}

func TestCovarianceIsInvariantUnderItsPlane(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		h := 2 + r.IntN(60)
		p := randomPlane(r, h)
		s := make([]float32, h)
		for i := range s {
			s[i] = 0.3
		}
		// An isotropic Gaussian is a circle on every plane.
		c := p.Covariance(s)
		approximately(t, "XX", c.XX, 0.09, 1e-6)
		approximately(t, "YY", c.YY, 0.09, 1e-6)
		approximately(t, "XY", c.XY, 0, 1e-6)
	}
}

func TestEllipseHoldsItsShare(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	const h, draws = 12, 20000
	for range 5 {
		p := randomPlane(r, h)
		mean, stddev := make([]float32, h), make([]float32, h)
		for i := range h {
			mean[i] = float32(r.NormFloat64())
			stddev[i] = float32(0.05 + r.ExpFloat64())
		}
		for _, prob := range []float64{0.5, 0.8, 0.95} {
			e := ellipseOf(p, mean, stddev, prob)
			if e.A < e.B {
				t.Fatalf("A = %v < B = %v", e.A, e.B)
			}
			in, x := 0, make([]float32, h)
			for range draws {
				for i := range h {
					x[i] = mean[i] + stddev[i]*float32(r.NormFloat64())
				}
				if e.Contains(p.Point(x)) {
					in++
				}
			}
			// Four standard errors of a binomial share.
			approximately(t, "share inside", float64(in)/draws, prob, 4*math.Sqrt(prob*(1-prob)/draws))
		}
	}
}

func TestDegenerateEllipses(t *testing.T) {
	p := axisPlane(3)
	e := ellipseOf(p, []float32{1, 2, 3}, []float32{0, 0, 1}, 0.95)
	if e != (model.Ellipse{X: 1, Y: 2}) {
		t.Errorf("no spread on the plane must be a point, got %+v", e)
	}
	if !e.Contains(1, 2) || e.Contains(1, 2.1) {
		t.Error("a point must contain itself and nothing else")
	}
	e = ellipseOf(p, []float32{0, 0, 0}, []float32{1, 0, 0}, 0.95)
	if e.B != 0 || e.A <= 0 || e.Angle != 0 || !e.Contains(1, 0) || e.Contains(0, 1e-3) {
		t.Errorf("a flat Gaussian must be a segment along the first axis, got %+v", e)
	}
	e = ellipseOf(p, []float32{0, 0, 0}, []float32{1, 0, 0}, 1)
	if !math.IsInf(e.A, 1) || e.B != 0 {
		t.Errorf("at probability 1 the segment must be endless and still flat, got %+v", e)
	}
	if e := ellipseOf(p, []float32{0, 0, 0}, []float32{1, 1, 1}, 0); e.A != 0 || e.B != 0 {
		t.Errorf("at probability 0 the ellipse must be its centre, got %+v", e)
	}
	if model.EllipseRadius(math.NaN()) != 0 || model.EllipseRadius(-1) != 0 || !math.IsInf(model.EllipseRadius(2), 1) {
		t.Error("Radius must clamp invalid probabilities")
	}
	var zero Plane
	if e := ellipseOf(zero, []float32{1}, []float32{1}, 0.5); e != (model.Ellipse{}) {
		t.Errorf("the zero plane must show a point at its origin, got %+v", e)
	}
}
