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

// MaxEASEItems is the largest catalogue that EASE accepts. Its 4·I² bytes are 10 GB, and the I³ flops of the inverse
// take ten minutes or more on two cores.
const MaxEASEItems = 50000

// ease stores the complete I×I weight matrix, with the row of a history item contiguous.
type ease struct {
	train   *dataset.Matrix
	weights []float32 // I×I: row j holds B_ji for every target i; the diagonal is 0
}

// EASE is the linear autoencoder with a zero diagonal, EASE^R (Steck, "Embarrassingly Shallow Autoencoders for Sparse
// Data", WWW 2019). With X the U×I training matrix, it minimises ‖X − XB‖² + λ‖B‖² subject to diag(B) = 0, which has
// the closed form
//
//	P = (XᵀX + λI)⁻¹,   B_ji = −P_ji / P_ii for j ≠ i,  B_ii = 0,   score(u,i) = Σ_{j∈S_u} B_ji
//
// lambda is in units of interactions; hundreds suit ten thousand interactions and more. Everything is computed in place
// in one float32 matrix, with errors of about 10⁻⁷ times the largest eigenvalue of XᵀX over λ.
//
// O(Σ_u |S_u|² + I³) time, on all CPUs; 4·I² bytes; a user costs O(|S_u|·I). It keeps train. It fails if the catalogue
// has more than MaxEASEItems items, if λ is not a positive number, or if λ is so small that the matrix is singular. Any
// number of CPUs gives the same bits.
func EASE(train *dataset.Matrix, lambda float64) (eval.Scorer, error) {
	s, err := fitEASE(context.Background(), train, lambda, 0)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func fitEASE(ctx context.Context, train *dataset.Matrix, lambda float64, workers int) (*ease, error) {
	n := train.Cols
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		return nil, OptionError{Method: "ease", Option: "lambda", Value: lambda, Rule: "a positive number"}
	}
	if n > MaxEASEItems {
		return nil, fmt.Errorf("EASE inverts an item-by-item matrix, which takes 4 bytes for each pair of items: "+
			"%d items would need %.1f GB; at most %d items are accepted; use itemknn, or raise the minimum of ratings "+
			"per item", n, 4*float64(n)*float64(n)/1e9, MaxEASEItems)
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := &ease{train: train, weights: make([]float32, n*n)}
	if err := s.gram(ctx, float32(lambda), workers); err != nil {
		return nil, fmt.Errorf("EASE: %w", err)
	}
	switch err := invert(ctx, s.weights, n, tile, workers); {
	case err == errSingular:
		return nil, fmt.Errorf("EASE: the item-by-item matrix is singular with λ = %g; use a larger λ", lambda)
	case err != nil:
		return nil, fmt.Errorf("EASE: %w", err)
	}
	if err := s.scale(ctx, workers); err != nil {
		return nil, fmt.Errorf("EASE: %w", err)
	}
	return s, nil
}

// gram writes the lower triangle of XᵀX + λI. Counts are exact up to 2²⁴.
func (s *ease) gram(ctx context.Context, lambda float32, workers int) error {
	n, users := s.train.Cols, s.train.Transpose()
	return each(ctx, n, workers, func() func(int) {
		return func(i int) {
			row := s.weights[i*n:][:i+1]
			for _, u := range users.Row(i) {
				for _, j := range s.train.Row(int(u)) {
					if int(j) > i {
						break
					}
					row[j]++
				}
			}
			row[i] += lambda
		}
	})
}

// scale turns the lower triangle of P into B, by pairs of blocks mirrored at the diagonal.
func (s *ease) scale(ctx context.Context, workers int) error {
	n := s.train.Cols
	minus := make([]float32, n) // −1/P_ii
	for i := range minus {
		minus[i] = -1 / s.weights[i*n+i]
	}
	const side = 64
	return each(ctx, (n+side-1)/side, workers, func() func(int) {
		return func(block int) {
			from, to := block*side, min(n, (block+1)*side)
			for left := 0; left < to; left += side {
				for j := from; j < to; j++ {
					for i := left; i < min(j, left+side); i++ {
						p := s.weights[j*n+i]
						s.weights[j*n+i], s.weights[i*n+j] = p*minus[i], p*minus[j]
					}
				}
			}
			for j := from; j < to; j++ {
				s.weights[j*n+j] = 0
			}
		}
	})
}

func (s *ease) NumItems() int { return s.train.Cols }

func (s *ease) Score(user int, dst []float32) {
	n := s.train.Cols
	dst = dst[:n]
	clear(dst)
	for _, j := range s.train.Row(user) {
		vec.Axpy(1, s.weights[int(j)*n:(int(j)+1)*n], dst)
	}
}
