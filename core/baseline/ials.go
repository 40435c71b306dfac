package baseline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// IALSSettings are the settings of IALS; the registry has their defaults and ranges.
type IALSSettings struct {
	Dim        int     // d
	Epochs     int     //
	Unobserved float64 // α₀
	Lambda     float64 // λ
	Nu         float64 // ν
	Steps      int     // of conjugate gradients for each system, starting from the previous pass; 0: solved exactly
	Seed       uint64  //
}

// UnobservedWeight returns the default weight of an unknown pair in iALS: 0.1, or 105/√(users·items) if that is less.
// Validation parts chose these values: 0.1 on MovieLens small (√ = 1,047) and 0.003 on Gowalla (√ = 34,980). There 0.1
// would drown the known pairs, because the regulariser also grows with α₀·users.
func UnobservedWeight(users, items int) float64 {
	return min(0.1, 105/math.Sqrt(float64(users)*float64(max(items, 1))))
}

// IALS is matrix factorisation for implicit feedback by alternating least squares. With user factors w_u and item
// factors h_i in R^d it minimises
//
//	Σ_{(u,i) known} (w_u·h_i − 1)² + α₀ Σ_{u,i} (w_u·h_i)²
//	  + λ (Σ_u (|S_u| + α₀I)^ν ‖w_u‖² + Σ_i (|U_i| + α₀U)^ν ‖h_i‖²)
//
// by solving for all users, then for all items, repeatedly. Each entity is one d×d system with the same Gramian of the
// other side, solved exactly or approximated by some steps of conjugate gradients. score(u,i) = w_u·h_i. Factors start
// at N(0, 0.1²/d). Sources: Hu, Koren, Volinsky, "Collaborative Filtering for Implicit Feedback Datasets", ICDM 2008;
// the loss, the start and the form of the regulariser follow Rendle, Krichene, Zhang, Koren, "Revisiting the
// Performance of iALS on Item Recommendation Benchmarks", RecSys 2022.
//
// O(epochs·(nnz·d² + (U+I)·d³)) time in float64, with k steps O(epochs·k·(nnz·d + (U+I)·d²)), on all CPUs; 12·(U+I)·d
// bytes; a user costs O(I·d). It returns an OptionError for settings that the registry refuses, and an error if a
// system cannot be solved (λ = 0). Steps: Takács, Pilászy, Tikk, "Applications of the Conjugate Gradient Method for
// Implicit Feedback Collaborative Filtering", RecSys 2011.
func IALS(train *dataset.Matrix, o IALSSettings) (eval.Scorer, error) {
	return scorer(fitIALS(context.Background(), train, o, 0))
}

// ials holds the factors: U×d and I×d, row-major.
type ials struct {
	settings     IALSSettings
	dim          int
	users, items []float64
	rank         factors // the factors in float32
}

// factors ranks by the products of rows, U×d and I×d.
type factors struct{ users, items []float32 }

func fitIALS(ctx context.Context, train *dataset.Matrix, o IALSSettings, workers int) (*ials, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &ials{settings: o, dim: o.Dim}
	s.users, s.items = make([]float64, train.Rows()*o.Dim), make([]float64, train.Cols*o.Dim)
	r := rand.New(rand.NewPCG(o.Seed, o.Seed))
	for i := range s.items { // the users are computed before they are read
		s.items[i] = 0.1 * r.NormFloat64() / math.Sqrt(float64(o.Dim))
	}
	users := train.Transpose()
	for range o.Epochs {
		if err := o.solve(ctx, s.users, train, s.items, workers); err != nil {
			return nil, fmt.Errorf("iALS, users: %w", err)
		}
		if err := o.solve(ctx, s.items, users, s.users, workers); err != nil {
			return nil, fmt.Errorf("iALS, items: %w", err)
		}
	}
	s.rank = factors{single(s.users), single(s.items)}
	return s, nil
}

// single rounds x to float32.
func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

func (o IALSSettings) check() error {
	for _, x := range []struct {
		name  string
		value float64
		ok    bool
		rule  string
	}{
		{"dim", float64(o.Dim), o.Dim >= 1, "at least 1"},
		{"epochs", float64(o.Epochs), o.Epochs >= 1, "at least 1"},
		{"unobserved", o.Unobserved, o.Unobserved > 0 && !math.IsInf(o.Unobserved, 0), "a number above 0"},
		{"lambda", o.Lambda, o.Lambda >= 0 && !math.IsInf(o.Lambda, 0), "a number of at least 0"},
		{"nu", o.Nu, o.Nu >= 0 && o.Nu <= 2, "from 0 to 2"},
		{"steps", float64(o.Steps), o.Steps >= 0, "at least 0"},
	} {
		if !x.ok {
			return OptionError{Method: "ials", Option: x.name, Value: x.value, Rule: x.rule}
		}
	}
	return nil
}

// solve writes the factors of one side, each the minimum with the other side fixed, A x = b:
//
//	(Σ_{j ∈ known} y_j y_jᵀ + α₀ YᵀY + λ(|known| + α₀·others)^ν I) x = Σ_{j ∈ known} y_j
//
// or the result of Steps steps of conjugate gradients from the present factors.
func (o IALSSettings) solve(ctx context.Context, side []float64, known *dataset.Matrix, other []float64,
	workers int) error {
	d := o.Dim
	others := known.Cols
	gram := blas64.Symmetric{N: d, Stride: d, Uplo: blas.Upper, Data: make([]float64, d*d)}
	blas64.Syrk(blas.Trans, o.Unobserved, blas64.General{Rows: others, Cols: d, Stride: d, Data: other}, 0, gram)
	failed := make([]bool, known.Rows())
	err := each(ctx, known.Rows(), workers, func() func(int) {
		s := newSystem(d, gram)
		return func(e int) {
			row := known.Row(e)
			x := vector(side[e*d : (e+1)*d])
			if len(row) == 0 {
				clear(x.Data) // its minimum is zero
				return
			}
			s.begin(other, row, o.Lambda*math.Pow(float64(len(row))+o.Unobserved*float64(others), o.Nu))
			if o.Steps == 0 {
				failed[e] = !s.solve(x)
			} else {
				failed[e] = !s.approach(x, o.Steps)
			}
		}
	})
	if err != nil {
		return err
	}
	for e, bad := range failed {
		if bad {
			return fmt.Errorf("cannot solve the system of entity %d; use a larger lambda", e)
		}
	}
	return nil
}

// system is the scratch memory for the A x = b of one entity at a time.
type system struct {
	gram  blas64.Symmetric // α₀ YᵀY
	known blas64.General   // the y_j of the known, n×d
	ridge float64
	b     blas64.Vector

	a    *mat.SymDense // A, and its factor
	chol mat.Cholesky

	residual, direction, image blas64.Vector
	products                   []float64 // n: of the direction with the y_j
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

func newSystem(d int, gram blas64.Symmetric) *system {
	zeros := func() blas64.Vector { return vector(make([]float64, d)) }
	return &system{gram: gram, known: blas64.General{Cols: d, Stride: d}, b: zeros(), a: mat.NewSymDense(d, nil),
		residual: zeros(), direction: zeros(), image: zeros()}
}

// begin sets up the system of an entity with the given known rows of the other side.
func (s *system) begin(other []float64, row []int32, ridge float64) {
	d := s.gram.N
	clear(s.b.Data)
	s.known.Rows, s.known.Data = len(row), s.known.Data[:0]
	for _, j := range row {
		y := other[int(j)*d : (int(j)+1)*d]
		s.known.Data = append(s.known.Data, y...)
		blas64.Axpy(1, vector(y), s.b)
	}
	s.ridge = ridge
}

// solve writes x; it returns false if A is singular. O(n·d² + d³).
func (s *system) solve(x blas64.Vector) bool {
	a := s.a.RawSymmetric()
	copy(a.Data, s.gram.Data)
	blas64.Syrk(blas.Trans, 1, s.known, 1, a)
	for k := range a.N {
		a.Data[k*a.Stride+k] += s.ridge
	}
	copy(x.Data, s.b.Data)
	v := mat.NewVecDense(x.N, x.Data)
	return s.chol.Factorize(s.a) && s.chol.SolveVecTo(v, v) == nil
}

// approach moves x by some steps of conjugate gradients; it returns false if the result is not finite. O(steps·(n·d +
// d²)).
func (s *system) approach(x blas64.Vector, steps int) bool {
	copy(s.residual.Data, s.b.Data)
	s.apply(x)
	blas64.Axpy(-1, s.image, s.residual)
	copy(s.direction.Data, s.residual.Data)
	left := blas64.Dot(s.residual, s.residual)
	least := 1e-20 * blas64.Dot(s.b, s.b) // converged within float64
	for range steps {
		if left <= least {
			break
		}
		s.apply(s.direction)
		by := left / blas64.Dot(s.direction, s.image)
		blas64.Axpy(by, s.direction, x)
		blas64.Axpy(-by, s.image, s.residual)
		before := left
		left = blas64.Dot(s.residual, s.residual)
		blas64.Scal(left/before, s.direction)
		blas64.Axpy(1, s.residual, s.direction)
	}
	return !math.IsNaN(left) && !math.IsInf(left, 0)
}

// apply writes A v to image.
func (s *system) apply(v blas64.Vector) {
	if n := s.known.Rows; cap(s.products) < n {
		s.products = make([]float64, n)
	}
	products := vector(s.products[:s.known.Rows])
	copy(s.image.Data, v.Data)
	blas64.Symv(1, s.gram, v, s.ridge, s.image)
	blas64.Gemv(blas.NoTrans, 1, s.known, v, 0, products)
	blas64.Gemv(blas.Trans, 1, s.known, products, 1, s.image)
}

func (s *ials) NumItems() int { return len(s.items) / s.dim }

func (s *ials) Score(user int, dst []float32) {
	d := s.dim
	vec.MatVec(dst[:s.NumItems()], s.rank.items, s.rank.users[user*d:(user+1)*d])
}
