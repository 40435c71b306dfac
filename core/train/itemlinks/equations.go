package itemlinks

import (
	"math"

	"github.com/pmlam/pmlam/core/eval"
)

// Equations are the normal equations of Ridge for one target i and its sources S in ascending order. They also serve
// callers that count users outside of a matrix. All counts are integers, so the order of summation does not matter.
type Equations struct {
	Shared [MaxPool][MaxPool]float64 // X_SᵀX_S, the upper triangle: users of both sources, on the diagonal of one
	Common [MaxPool]float64          // X_Sᵀx_i: users of the target and a source
	gram   [MaxPool][MaxPool]float64 // scratch memory of solve
	right  [MaxPool]float64
}

// Offer offers the sources with a weight above 0 to a heap, by the regulariser of r, whose λ must be positive. O(|S|³).
func (e *Equations) Offer(heap *eval.Heap, sources []int32, r Recipe) {
	for k, b := range e.weights(len(sources), r) {
		if b > 0 {
			heap.Offer(sources[k], float32(b))
		}
	}
}

// weights returns b of m sources, in memory of e.
func (e *Equations) weights(m int, r Recipe) []float64 {
	for k := range m {
		copy(e.gram[k][k:m], e.Shared[k][k:m])
		e.gram[k][k] += r.Lambda + float64(r.Dropout/(1-r.Dropout)*e.Shared[k][k])
		e.right[k] = e.Common[k]
	}
	e.solve(m)
	return e.right[:m]
}

// solveGo solves gram·x = right by the Cholesky factorisation UᵀU of the upper triangle, in place. The matrix is a
// positive semidefinite integer matrix plus λ on the diagonal, so this cannot fail.
func (e *Equations) solveGo(m int) {
	a, x := &e.gram, &e.right
	for k := range m {
		pivot := math.Sqrt(a[k][k])
		for j := k; j < m; j++ {
			a[k][j] /= pivot
		}
		for i := k + 1; i < m; i++ {
			f := a[k][i]
			for j := i; j < m; j++ {
				a[i][j] -= float64(f * a[k][j])
			}
		}
	}
	for k := range m { // Uᵀy = right
		x[k] /= a[k][k]
		for j := k + 1; j < m; j++ {
			x[j] -= float64(a[k][j] * x[k])
		}
	}
	for k := m - 1; k >= 0; k-- { // Ux = y
		for j := k + 1; j < m; j++ {
			x[k] -= float64(a[k][j] * x[j])
		}
		x[k] /= a[k][k]
	}
}
