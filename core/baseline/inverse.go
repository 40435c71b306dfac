package baseline

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// errSingular reports that a pivot is not positive definite.
var errSingular = errors.New("the matrix is singular")

// tile is the width of the blocks that invert works in. Rows of this many floats lie an odd number of cache lines
// apart, so that they do not evict each other, and are a multiple of the width of vec.Gemm's kernels.
const tile = 336

// invert replaces a symmetric positive definite n×n matrix by its inverse. It reads and writes only the lower triangle.
//
// It is Gauss-Jordan elimination by blocks, without pivoting, which such matrices do not need. With pivot block k, P =
// A_kk⁻¹ and T_j = P·A_kj, a step computes, in place,
//
//	A_ij → A_ij − A_ik·T_j      A_kj → T_j      A_ik → −A_ik·P      A_kk → P        i, j ≠ k
//
// and block k is then done. Blocks (i,j) and (j,i) remain transposes of each other if both or neither of i and j are
// done; otherwise they are transposes with opposite signs. So half of them suffices. vec.Gemm does all of the work
// except P, which is computed in float64. Errors are float32's, times the condition of the matrix.
//
// O(n³) flops, almost entirely on the workers, which do not change the result; 8·n·width bytes of scratch memory. It
// returns errSingular if a pivot block is not positive definite, or ctx's error.
func invert(ctx context.Context, a []float32, n, width, workers int) error {
	v := &inversion{
		a: a, n: n, width: width, blocks: (n + width - 1) / width,
		pivot: make([]float32, width*width),
	}
	v.turn, v.minus = make([]float32, v.blocks*width*width), make([]float32, v.blocks*width*width)
	for k := range v.blocks {
		if !v.invertPivot(k) {
			return errSingular
		}
		err := each(ctx, v.blocks, workers, func() func(int) {
			row := make([]float32, width*width)
			return func(j int) { v.prepare(k, j, row) }
		})
		if err != nil {
			return err
		}
		// The longest rows of blocks come first, so that no worker starts one at the very end.
		err = each(ctx, v.blocks, workers, func() func(int) {
			return func(at int) { v.update(k, v.blocks-1-at) }
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inversion is one run of invert. The last block may be smaller than width; its rows in scratch memory still lie width
// apart.
type inversion struct {
	a                []float32
	n, width, blocks int
	pivot            []float32 // width×width: P
	turn             []float32 // blocks × width×width: T_j
	minus            []float32 // blocks × width×width: −A_jk
}

// span returns the start of block i and its length.
func (v *inversion) span(i int) (from, length int) {
	return i * v.width, min(v.width, v.n-i*v.width)
}

// scratch returns block i's part of turn or minus.
func (v *inversion) scratch(of []float32, i int) []float32 {
	size := v.width * v.width
	return of[i*size : (i+1)*size]
}

// invertPivot computes P; it returns false if A_kk is not positive definite. O(width³).
func (v *inversion) invertPivot(k int) bool {
	from, length := v.span(k)
	s := blas64.Symmetric{N: length, Stride: length, Uplo: blas.Upper, Data: make([]float64, length*length)}
	for i := range length {
		for j := range i + 1 {
			s.Data[j*length+i] = float64(v.a[(from+i)*v.n+from+j])
		}
	}
	factor, ok := lapack64.Potrf(s)
	if ok {
		s, ok = lapack64.Potri(factor)
	}
	if !ok {
		return false
	}
	for i := range length {
		for j := range i + 1 {
			p := float32(s.Data[j*length+i])
			v.pivot[i*v.width+j], v.pivot[j*v.width+i] = p, p
		}
	}
	return true
}

// prepare computes T_j and −A_jk. row is scratch memory for A_kj, width×width. It only reads the matrix. O(width³).
func (v *inversion) prepare(k, j int, row []float32) {
	if j == k {
		return
	}
	kFrom, kLength := v.span(k)
	jFrom, jLength := v.span(j)
	turn, minus, w := v.scratch(v.turn, j), v.scratch(v.minus, j), v.width
	if j < k { // done: A_jk = −A_kjᵀ
		for p := range kLength {
			for q, x := range v.a[(kFrom+p)*v.n+jFrom:][:jLength] {
				row[p*w+q], minus[q*w+p] = x, x
			}
		}
	} else { // not done: A_kj = A_jkᵀ
		for q := range jLength {
			for p, x := range v.a[(jFrom+q)*v.n+kFrom:][:kLength] {
				row[p*w+q], minus[q*w+p] = x, -x
			}
		}
	}
	clear(turn)
	vec.Gemm(turn, w, v.pivot, w, 1, row, w, kLength, jLength, kLength)
}

// update does the step in the blocks (i,j) with j ≤ i. It reads the results of prepare, and no other block.
// O(n·width²).
func (v *inversion) update(k, i int) {
	_, kLength := v.span(k)
	iFrom, iLength := v.span(i)
	for j := range i + 1 {
		jFrom, jLength := v.span(j)
		block := v.a[iFrom*v.n+jFrom:]
		switch {
		case i == k && j == k:
			for p := range kLength {
				copy(block[p*v.n:][:kLength], v.pivot[p*v.width:])
			}
		case i == k:
			turn := v.scratch(v.turn, j)
			for p := range kLength {
				copy(block[p*v.n:][:jLength], turn[p*v.width:])
			}
		case j == k: // −A_ik·P = −(P·A_ki)ᵀ, since P is symmetric
			turn := v.scratch(v.turn, i)
			for q := range iLength {
				for p := range kLength {
					block[q*v.n+p] = -turn[p*v.width+q]
				}
			}
		default:
			vec.Gemm(block, v.n, v.scratch(v.minus, i), v.width, 1, v.scratch(v.turn, j), v.width, iLength, jLength,
				kLength)
		}
	}
}
