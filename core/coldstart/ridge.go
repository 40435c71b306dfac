package coldstart

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// strengths are the values of λ to choose from.
var strengths = [...]float64{0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256}

// system is a weighted ridge regression with an unpenalised intercept: I sparse rows x_i of f features and weights w_i
// > 0, centred on their weighted mean x̄. Use newSystem to make one.
type system struct {
	rows    []row
	weights []float64
	total   float64       // Σw
	mean    []float64     // f: x̄
	gram    *mat.SymDense // f×f: Σ w_i(x_i−x̄)(x_i−x̄)ᵀ
}

// newSystem prepares a regression. O(Σ nnz_i² + f²).
func newSystem(rows []row, weights []float64, f int) *system {
	s := &system{rows: rows, weights: weights, mean: make([]float64, f), gram: mat.NewSymDense(f, nil)}
	upper := s.gram.RawSymmetric()
	for i, r := range rows {
		s.total += weights[i]
		for k, a := range r.at {
			s.mean[a] += weights[i] * r.value[k]
			for l, b := range r.at {
				if a <= b {
					upper.Data[int(a)*upper.Stride+int(b)] += weights[i] * r.value[k] * r.value[l]
				}
			}
		}
	}
	for a := range s.mean {
		s.mean[a] /= s.total
	}
	for a, x := range s.mean {
		for b := a; b < f; b++ {
			upper.Data[a*upper.Stride+b] -= s.total * x * s.mean[b]
		}
	}
	return s
}

// solved is a system solved for one λ. A = Σ w_i(x_i−x̄)(x_i−x̄)ᵀ + λI.
type solved struct {
	*system
	lambda  float64
	inverse *mat.SymDense // A⁻¹
	middle  []float64     // f: A⁻¹x̄
	square  float64       // x̄ᵀA⁻¹x̄
}

var errDependent = errors.New("the items' features are numerically dependent; are numbers of a vector far too large?")

// solve inverts A by its Cholesky factor. O(f³).
func (s *system) solve(lambda float64) (*solved, error) {
	f := len(s.mean)
	a := mat.NewSymDense(f, nil)
	a.CopySym(s.gram)
	for k := range f {
		a.SetSym(k, k, a.At(k, k)+lambda)
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		return nil, errDependent
	}
	if err := c.InverseTo(a); err != nil {
		return nil, errDependent
	}
	out := &solved{system: s, lambda: lambda, inverse: a}
	var whole row
	for k, x := range s.mean {
		whole.add(int32(k), x)
	}
	out.middle = out.times(whole)
	for k, x := range s.mean {
		out.square += x * out.middle[k]
	}
	return out, nil
}

// times returns A⁻¹x. O(nnz·f).
func (s *solved) times(x row) []float64 {
	out := make([]float64, len(s.mean))
	upper := s.inverse.RawSymmetric()
	for k, at := range x.at {
		v, a := x.value[k], int(at)
		for b := range a {
			out[b] += v * upper.Data[b*upper.Stride+a]
		}
		for b := a; b < len(out); b++ {
			out[b] += v * upper.Data[a*upper.Stride+b]
		}
	}
	return out
}

// leverage returns h_i of warm item i: the effect of its own target on its prediction (fit.leftOut). O(nnz_i²).
func (s *solved) leverage(i int) float64 {
	x, sum := s.rows[i], s.square
	upper := s.inverse.RawSymmetric()
	for k, a := range x.at {
		sum += x.value[k] * (x.value[k]*upper.Data[int(a)*upper.Stride+int(a)] - 2*s.middle[a])
		for l, b := range x.at[:k] {
			sum += 2 * x.value[k] * x.value[l] * upper.Data[int(min(a, b))*upper.Stride+int(max(a, b))]
		}
	}
	return s.weights[i] * (1/s.total + sum)
}

// shares returns α_i(x) for every warm item i. ŷ(x) = Σ α_i y_i for any targets y_i, and the α_i sum to 1:
//
//	α_i(x) = w_i·(1/Σw + (x_i − x̄)ᵀA⁻¹(x − x̄))
//
// O(nnz·f + Σ nnz_i).
func (s *solved) shares(x row) []float64 {
	v := s.times(x)
	along := 0.0
	for k, m := range s.mean {
		v[k] -= s.middle[k]
		along += m * v[k]
	}
	out := make([]float64, len(s.rows))
	for i, r := range s.rows {
		a := 1/s.total - along
		for k, at := range r.at {
			a += r.value[k] * v[at]
		}
		out[i] = s.weights[i] * a
	}
	return out
}

// fit is a ridge regression to targets y_i of some width,
//
//	ŷ(x) = ȳ + Bᵀ(x − x̄)        B = A⁻¹ Σ w_i(x_i − x̄)(y_i − ȳ)ᵀ
type fit struct {
	*solved
	width int
	mean  []float64 // width: ȳ
	slope []float64 // f×width: B
	base  []float64 // width: ȳ − Bᵀx̄
}

// to fits targets, I×width. O(Σ nnz_i·width + f²·width).
func (s *solved) to(targets []float64, width int) *fit {
	f := len(s.mean)
	out := &fit{solved: s, width: width, mean: make([]float64, width)}
	for i, w := range s.weights {
		for j := range width {
			out.mean[j] += w * targets[i*width+j] / s.total
		}
	}
	cross := mat.NewDense(f, width, nil) // x̄ drops out, as Σ w_i(y_i − ȳ) = 0
	for i, r := range s.rows {
		for k, at := range r.at {
			into, v := cross.RawRowView(int(at)), s.weights[i]*r.value[k]
			for j := range into {
				into[j] += v * (targets[i*width+j] - out.mean[j])
			}
		}
	}
	var slope mat.Dense
	slope.Mul(s.inverse, cross)
	out.slope, out.base = slope.RawMatrix().Data, append([]float64(nil), out.mean...)
	for k, x := range s.mean {
		for j := range width {
			out.base[j] -= x * out.slope[k*width+j]
		}
	}
	return out
}

// predict returns ŷ(x). O(nnz·width).
func (f *fit) predict(x row) []float64 {
	out := append([]float64(nil), f.base...)
	for k, at := range x.at {
		for j := range out {
			out[j] += x.value[k] * f.slope[int(at)*f.width+j]
		}
	}
	return out
}

// leftOut returns the leave-one-out errors, I×width: every warm item's target minus the prediction of the regression
// without that item. This takes no further regression (Allen's PRESS):
//
//	y_i − ŷ_₋i(x_i) = (y_i − ŷ(x_i))/(1 − h_i)        h_i = α_i(x_i)
//
// O(Σ nnz_i·(nnz_i + width)).
func (f *fit) leftOut(ctx context.Context, targets []float64, workers int) ([]float64, error) {
	out := make([]float64, len(targets))
	err := parallel.Each(ctx, len(f.rows), workers, func() func(int) {
		return func(i int) {
			free := max(1-f.leverage(i), 1e-9)
			for j, y := range f.predict(f.rows[i]) {
				out[i*f.width+j] = (targets[i*f.width+j] - y) / free
			}
		}
	})
	return out, err
}

// choose returns the regression with the λ of strengths that has the least Σ w_i e² over the first judged columns,
// where e are the leave-one-out errors, and returns these errors, I×width. O(strengths · one regression).
func (s *system) choose(ctx context.Context, targets []float64, width, judged, workers int) (best *fit,
	errs []float64, err error) {
	least := math.Inf(1)
	for _, lambda := range strengths {
		a, err := s.solve(lambda)
		if err != nil {
			return nil, nil, err
		}
		x := a.to(targets, width)
		e, err := x.leftOut(ctx, targets, workers)
		if err != nil {
			return nil, nil, err
		}
		sum := 0.0
		for i, w := range s.weights {
			for _, v := range e[i*width : i*width+judged] {
				sum += w * v * v
			}
		}
		if sum < least {
			least, best, errs = sum, x, e
		}
	}
	if best == nil {
		return nil, nil, errDependent
	}
	return best, errs, nil
}
