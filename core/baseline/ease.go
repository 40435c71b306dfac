package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// MaxEASEItems is the largest catalogue that EASE accepts: 12·I² bytes are 4.8 GB there, and 2·I³/3 flops for the
// inverse take about half an hour of one core.
const MaxEASEItems = 20000

// ease keeps the whole I×I weight matrix, the row of a history item in one piece.
type ease struct {
	train   *dataset.Matrix
	weights []float32 // I×I: row j holds B_ji for every target i; the diagonal is 0
}

// EASE is the linear autoencoder with a zero diagonal, EASE^R (Steck, "Embarrassingly Shallow Autoencoders for Sparse
// Data", WWW 2019). With X the U×I training matrix it minimises ‖X − XB‖² + λ‖B‖² subject to diag(B) = 0, which has
// the closed form
//
//	P = (XᵀX + λI)⁻¹,   B_ji = −P_ji / P_ii for j ≠ i,  B_ii = 0,   score(u,i) = Σ_{j∈S_u} B_ji
//
// lambda is in units of interactions; hundreds suit some ten thousand interactions and more. The inverse comes
// from a Cholesky factorisation in place, in float64; B is kept in float32.
//
// O(Σ_u |S_u|² + I³) time; 12·I² bytes while fitting, 4·I² afterwards; a user costs O(|S_u|·I). train is kept. It
// returns an error for a catalogue of more than MaxEASEItems, for a λ that is not a positive number, and where λ is
// so small that the matrix is singular in float64. The same bits for any number of processors of one architecture.
func EASE(train *dataset.Matrix, lambda float64) (eval.Scorer, error) {
	n := train.Cols
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		return nil, OptionError{Method: "ease", Option: "lambda", Value: lambda, Rule: "a positive number"}
	}
	if n > MaxEASEItems {
		return nil, fmt.Errorf("EASE inverts an item-by-item matrix and so takes 12 bytes for each pair of items: %d items would need %.1f GB; at most %d items are accepted; use itemknn, or raise the minimum of ratings per item",
			n, 12*float64(n)*float64(n)/1e9, MaxEASEItems)
	}
	s := &ease{train: train, weights: make([]float32, n*n)}
	if n == 0 {
		return s, nil
	}
	gram := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
	for u := range train.Rows() {
		row := train.Row(u)
		for at, i := range row {
			for _, j := range row[at:] {
				gram.Data[int(i)*n+int(j)]++
			}
		}
	}
	for i := range n {
		gram.Data[i*n+i] += lambda
	}
	factor, ok := lapack64.Potrf(gram)
	if ok {
		gram, ok = lapack64.Potri(factor)
	}
	if !ok {
		return nil, fmt.Errorf("EASE: the item-by-item matrix is singular with λ = %g; take a larger λ", lambda)
	}
	inverse := gram.Data // upper triangle of P
	for j := range n {
		for i := j + 1; i < n; i++ {
			p := inverse[j*n+i]
			s.weights[j*n+i] = float32(-p / inverse[i*n+i])
			s.weights[i*n+j] = float32(-p / inverse[j*n+j])
		}
	}
	return s, nil
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
