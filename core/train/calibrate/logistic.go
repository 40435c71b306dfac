package calibrate

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

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
	gradient, hessian := make([]float64, k), mat.NewSymDense(k, nil)
	last := math.Inf(1)
	for range logisticSteps {
		loss := logLoss(b, phi, liked, ridge, gradient, hessian)
		if last-loss <= 1e-12*loss {
			break
		}
		last = loss
		// The rows of constant features are zero except for the ridge, which keeps the system solvable.
		var c mat.Cholesky
		if !c.Factorize(hessian) {
			return nil, errors.New("cannot fit the chance of a like: its features are not finite, or only the " +
				"intercept varies")
		}
		var step mat.VecDense
		if err := c.SolveVecTo(&step, mat.NewVecDense(k, gradient)); err != nil {
			return nil, err
		}
		// A Newton step may overshoot far from the minimum: halve it until the loss falls.
		from, half := append([]float64(nil), b...), 1.0
		for half > 1e-6 {
			for j := range b {
				b[j] = from[j] - half*step.AtVec(j)
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
	hessian *mat.SymDense) (loss float64) {
	const k = model.NumLikeFeatures
	var h [k][k]float64
	clear(gradient)
	for i := range phi {
		f := &phi[i]
		x := dot(b, f)
		p := sigmoid(x)
		y := 0.0
		if liked[i] {
			y, x = 1, -x
		}
		loss += max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
		if gradient == nil {
			continue
		}
		v := p * (1 - p)
		for j, fj := range f {
			gradient[j] += (p - y) * fj
			for l := range j + 1 {
				h[j][l] += v * fj * f[l]
			}
		}
	}
	for j := 1; j < k; j++ {
		loss += ridge / 2 * b[j] * b[j]
		if gradient != nil {
			gradient[j] += ridge * b[j]
			h[j][j] += ridge
		}
	}
	if hessian != nil {
		for j := range k {
			for l := range j + 1 {
				hessian.SetSym(j, l, h[j][l])
			}
		}
	}
	return loss
}

func dot(b []float64, f *model.LikeFeatures) (s float64) {
	for j, w := range b {
		s += w * f[j]
	}
	return s
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
