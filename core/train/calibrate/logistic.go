package calibrate

import (
	"errors"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// logisticSteps bounds Newton's steps; with the ridge, fewer than ten suffice.
const logisticSteps = 100

// Logistic returns the weights b that minimise the negative log-likelihood of a logistic regression, with a ridge on
// all weights but the first,
//
//	Σ_i log(1 + e^{−s_i·b·φ_i}) + ½λ·Σ_{k>0} b_k²        s_i = ±1, + where liked_i
//
// by Newton's method (iteratively reweighted least squares). The features need no scaling. It fails if the problem has
// no finite minimum, because the answers are empty or all equal. O(steps·n·LikeFeatures²).
func Logistic(phi []model.LikeFeatures, liked []bool, ridge float64) ([]float64, error) {
	if !slices.Contains(liked, true) || !slices.Contains(liked, false) {
		return nil, errors.New("cannot fit the chance of a like: the left-out users' ratings are either all likes " +
			"or contain none")
	}
	const k = model.NumLikeFeatures
	b := make([]float64, k)
	gradient, hessian := make([]float64, k), new(square)
	last := math.Inf(1)
	for range logisticSteps {
		loss := logLoss(b, phi, liked, ridge, gradient, hessian)
		if last-loss <= 1e-12*loss {
			break
		}
		last = loss
		// The rows of constant features are zero except for the ridge, which keeps the system solvable.
		step := gradient
		if !hessian.solve(step) {
			return nil, errors.New("cannot fit the chance of a like: its features are not finite, or only the " +
				"intercept varies")
		}
		// A Newton step may overshoot far from the minimum: halve it until the loss falls.
		from, half := append([]float64(nil), b...), 1.0
		for half > 1e-6 {
			for j := range b {
				b[j] = from[j] - half*step[j]
			}
			if logLoss(b, phi, liked, ridge, nil, nil) <= loss {
				break
			}
			half /= 2
		}
	}
	return b, nil
}

// logLoss returns the loss at b and, unless they are nil, fills in its gradient and Hessian.
func logLoss(b []float64, phi []model.LikeFeatures, liked []bool, ridge float64, gradient []float64,
	h *square) (loss float64) {
	if h != nil {
		*h = square{}
	}
	clear(gradient)
	x := make([]float64, len(phi))
	products(x, b, phi)
	var excess, variance []float64
	if gradient != nil {
		excess, variance = make([]float64, len(phi)), make([]float64, len(phi))
	}
	for i, x := range x {
		e := vec.ExpDouble(-math.Abs(x))
		p, y := 1/(1+e), 0.0
		if x < 0 {
			p = sigmoid(x)
		}
		if liked[i] {
			y, x = 1, -x
		}
		loss += max(x, 0) + math.Log1p(e)
		if gradient != nil {
			excess[i], variance[i] = p-y, p*(1-p)
		}
	}
	if gradient != nil {
		moments(gradient, h, phi, excess, variance)
	}
	for j := 1; j < len(b); j++ {
		loss += float64(ridge / 2 * b[j] * b[j])
		if gradient != nil {
			gradient[j] += float64(ridge * b[j])
			h[j][j] += ridge
		}
	}
	return loss
}

// productsGo writes b·φ_i to x_i.
func productsGo(x, b []float64, phi []model.LikeFeatures) {
	for i := range phi {
		x[i] = dot(b, &phi[i])
	}
}

// momentsGo adds Σ_i excess_i·φ_i to the gradient, and Σ_i variance_i·φ_i·φ_iᵀ to h.
func momentsGo(gradient []float64, h *square, phi []model.LikeFeatures, excess, variance []float64) {
	for i := range phi {
		f := &phi[i]
		for j, fj := range f {
			gradient[j] += float64(excess[i] * fj)
			w := variance[i] * fj
			for l := range j + 1 {
				h[j][l] += float64(w * f[l])
			}
		}
	}
}

// square is a symmetric matrix of the features, of which only the lower triangle counts.
type square [model.NumLikeFeatures][model.NumLikeFeatures]float64

// solve replaces x by the solution of a·y = x, and a by its Cholesky factor. It reports false if a is not positive
// definite. The order of additions is fixed, so that every machine gives the same bits.
func (a *square) solve(x []float64) bool {
	for k := range x {
		for j := range k {
			a[k][k] -= float64(a[k][j] * a[k][j])
		}
		if !(a[k][k] > 0) || math.IsInf(a[k][k], 1) {
			return false
		}
		a[k][k] = math.Sqrt(a[k][k])
		for i := k + 1; i < len(x); i++ {
			for j := range k {
				a[i][k] -= float64(a[i][j] * a[k][j])
			}
			a[i][k] /= a[k][k]
		}
	}
	for k := range x {
		for j := range k {
			x[k] -= float64(a[k][j] * x[j])
		}
		x[k] /= a[k][k]
	}
	for k := len(x) - 1; k >= 0; k-- {
		for j := k + 1; j < len(x); j++ {
			x[k] -= float64(a[j][k] * x[j])
		}
		x[k] /= a[k][k]
	}
	return true
}

func dot(b []float64, f *model.LikeFeatures) (s float64) {
	for j, w := range b {
		s += float64(w * f[j])
	}
	return s
}

func sigmoid(x float64) float64 { return 1 / (1 + vec.ExpDouble(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
