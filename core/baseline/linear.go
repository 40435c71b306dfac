package baseline

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// MaxEASEItems is the largest catalogue that FitLinear and EASE accept. Its 4·I² bytes are 10 GB, and the I³ flops of
// the inverse take ten minutes or more on two cores.
const MaxEASEItems = 50000

// LinearSettings choose a linear autoencoder of items; see FitLinear. With nothing but Lambda it is EASE.
type LinearSettings struct {
	Lambda  float64 // λ > 0, in units of interactions
	Dropout float64 // p in [0, 1): regularises an item by its number of users
	Relax   float64 // ξ in [0, 1]: 0 forces the diagonal of B to 0, 1 does not restrict it
	Alpha   float64 // α in [0, 1]: favours rarer targets, by popular sources
	Beta    float64 // β in [0, 1]: discounts users with many items
}

// Penalty returns Λ_i, the regulariser of an item with n users.
func (s LinearSettings) Penalty(n int) float64 { return s.Lambda + s.Dropout/(1-s.Dropout)*float64(n) }

// UserWeight returns the weight of a user with n items, n^−β; 0 without items.
func (s LinearSettings) UserWeight(n int) float64 {
	if n == 0 {
		return 0
	}
	return math.Pow(float64(n), -s.Beta)
}

// Scale returns n^α of an item with n users. B is multiplied by the source's and divided by the target's.
func (s LinearSettings) Scale(n int) float64 { return math.Pow(float64(max(n, 1)), s.Alpha) }

// check reports a setting out of range.
func (s LinearSettings) check() error {
	for _, x := range []struct {
		name  string
		value float64
		ok    bool
		rule  string
	}{
		{"lambda", s.Lambda, s.Lambda > 0 && !math.IsInf(s.Lambda, 0), "a positive number"},
		{"dropout", s.Dropout, s.Dropout >= 0 && s.Dropout < 1, "at least 0 and below 1"},
		{"relax", s.Relax, s.Relax >= 0 && s.Relax <= 1, "from 0 to 1"},
		{"alpha", s.Alpha, s.Alpha >= 0 && s.Alpha <= 1, "from 0 to 1"},
		{"beta", s.Beta, s.Beta >= 0 && s.Beta <= 1, "from 0 to 1"},
	} {
		if !x.ok {
			return OptionError{Method: "ease", Option: x.name, Value: x.value, Rule: x.rule}
		}
	}
	return nil
}

// Linear is a fitted linear autoencoder. It holds B as a symmetric matrix and two vectors: B_ji =
// P_ji·source_j·target_i.
type Linear struct {
	settings       LinearSettings
	history        *dataset.Matrix // U×I: the likes that are scored by
	inverse        []float32       // I×I: P, symmetric, its diagonal set to 0
	diagonal       []float32       // I: P_ii
	degree         []int           // I: |U_i|
	source, target []float32       // I
}

// EASE is FitLinear with only λ: the linear autoencoder with a zero diagonal, EASE^R (Steck, "Embarrassingly Shallow
// Autoencoders for Sparse Data", WWW 2019).
func EASE(train *dataset.Matrix, lambda float64) (eval.Scorer, error) {
	return scorer(FitLinear(context.Background(), train, LinearSettings{Lambda: lambda}, 0))
}

// FitLinear fits a linear autoencoder of items in closed form: score(u,i) = Σ_{j∈S_u} B_ji with B_ii = 0. X is the U×I
// training matrix, n_i the number of users of item i, and n_u the number of items of user u:
//
//	P = (Xᵀ·diag(n_u^−β)·X + Λ)⁻¹,   Λ_i = λ + p/(1−p)·n_i
//	B_ji = −P_ji · max(Λ_i, (1−ξ)/P_ii) · (n_j/n_i)^α   for j ≠ i
//
// The settings give these methods:
//
//	λ                EASE^R (Steck, WWW 2019): minimises ‖X − XB‖² + λ‖B‖² subject to diag(B) = 0
//	λ, p             EDLAE (Steck, "Autoencoders that don't overfit towards the Identity", NeurIPS 2020)
//	λ, p, ξ          RLAE and RDLAE: diag(B) ≤ ξ (Moon, Kim, Lee, "It's Enough: Relaxing Diagonal Constraints in
//	                 Linear Autoencoders for Recommendation", SIGIR 2023); with ξ = 1 LAE, without a constraint
//	λ, p, ξ, α, β    each of them with data-adaptive normalisation, DAN (Park, Yoon, Kim, Lee, "Why is Normalization
//	                 Necessary for Linear Recommenders?", SIGIR 2025)
//
// Hundreds are usual for λ alone, tens with p. Everything is computed in place in one float32 matrix, with errors of
// about 10⁻⁷ times the largest eigenvalue of XᵀX over λ.
//
// With fewer users than items, the inverse of a matrix of users gives P in less time (invertUsers).
//
// O(Σ_u |S_u|² + I³) time, on all CPUs; 4·I² bytes; with fewer users than items O(Σ_i |U_i|² + U³ + I·nnz) and 4·(I² +
// U²); a user costs O(|S_u|·I). It keeps train. It fails if the catalogue
// has more than MaxEASEItems items, with an OptionError for a setting out of range, if λ is so small that the matrix is
// singular, or if ctx ends. Any number of CPUs gives the same bits.
func FitLinear(ctx context.Context, train *dataset.Matrix, s LinearSettings, workers int) (*Linear, error) {
	n := train.Cols
	if err := s.check(); err != nil {
		return nil, err
	}
	if n > MaxEASEItems {
		return nil, fmt.Errorf("EASE inverts an item-by-item matrix, which takes 4 bytes for each pair of items: "+
			"%d items would need %.1f GB; at most %d items are accepted; use itemknn, or raise the minimum of ratings "+
			"per item", n, 4*float64(n)*float64(n)/1e9, MaxEASEItems)
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	l := &Linear{settings: s, history: train, inverse: make([]float32, n*n), degree: degrees(train)}
	invert := l.invertItems
	if cheaperByUsers(train) {
		invert = l.invertUsers
	}
	switch err := invert(ctx, train, workers); {
	case err == errSingular:
		return nil, fmt.Errorf("EASE: the item-by-item matrix is singular with λ = %g; use a larger λ", s.Lambda)
	case err != nil:
		return nil, fmt.Errorf("EASE: %w", err)
	}
	if err := mirror(ctx, l.inverse, n, workers); err != nil {
		return nil, fmt.Errorf("EASE: %w", err)
	}
	l.diagonal = make([]float32, n)
	for i := range n {
		l.diagonal[i], l.inverse[i*n+i] = l.inverse[i*n+i], 0
	}
	l.scale()
	return l, nil
}

// invertItems writes the lower triangle of P by inverting the matrix of items.
func (l *Linear) invertItems(ctx context.Context, train *dataset.Matrix, workers int) error {
	if err := l.gram(ctx, train, workers); err != nil {
		return err
	}
	return invert(ctx, l.inverse, train.Cols, tile, workers)
}

// gram writes the lower triangle of Xᵀ·diag(n_u^−β)·X + Λ. Counts are exact up to 2²⁴.
func (l *Linear) gram(ctx context.Context, train *dataset.Matrix, workers int) error {
	n, users := train.Cols, train.Transpose()
	weight := make([]float32, train.Rows())
	for u := range weight {
		weight[u] = float32(l.settings.UserWeight(len(train.Row(u))))
	}
	return each(ctx, n, workers, func() func(int) {
		return func(i int) {
			row := l.inverse[i*n:][:i+1]
			for _, u := range users.Row(i) {
				w := weight[u]
				for _, j := range train.Row(int(u)) {
					if int(j) > i {
						break
					}
					row[j] += w
				}
			}
			row[i] += float32(l.settings.Penalty(l.degree[i]))
		}
	})
}

// mirror copies the lower triangle of an n×n matrix to the upper one, by pairs of blocks.
func mirror(ctx context.Context, a []float32, n, workers int) error {
	const side = 64
	return each(ctx, (n+side-1)/side, workers, func() func(int) {
		return func(block int) {
			from, to := block*side, min(n, (block+1)*side)
			for left := 0; left < to; left += side {
				for j := from; j < to; j++ {
					for i := left; i < min(j, left+side); i++ {
						a[i*n+j] = a[j*n+i]
					}
				}
			}
		}
	})
}

// scale computes source and target.
func (l *Linear) scale() {
	l.source, l.target = make([]float32, len(l.degree)), make([]float32, len(l.degree))
	for i, n := range l.degree {
		by := l.settings.Scale(n)
		l.source[i] = float32(by)
		l.target[i] = float32(-max(l.settings.Penalty(n), (1-l.settings.Relax)/float64(l.diagonal[i])) / by)
	}
}

// With returns the autoencoder of other values of Relax and Alpha, which share the inverse. It costs O(I). It panics
// with OptionError for a value out of range.
func (l *Linear) With(relax, alpha float64) *Linear {
	other := *l
	other.settings.Relax, other.settings.Alpha = relax, alpha
	if err := other.settings.check(); err != nil {
		panic(err)
	}
	other.scale()
	return &other
}

// Weight returns B_ji, the contribution of source j to the score of target i; 0 for j = i.
func (l *Linear) Weight(j, i int) float32 {
	return l.inverse[i*len(l.degree)+j] * l.source[j] * l.target[i]
}

func (l *Linear) NumItems() int { return len(l.degree) }

func (l *Linear) Score(user int, dst []float32) {
	n := len(l.degree)
	dst = dst[:n]
	clear(dst)
	for _, j := range l.history.Row(user) {
		vec.Axpy(l.source[j], l.inverse[int(j)*n:(int(j)+1)*n], dst)
	}
	for i, t := range l.target {
		dst[i] *= t
	}
}
