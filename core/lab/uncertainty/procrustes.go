package uncertainty

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/gaussian"
)

// alignRounds is the number of rotations onto the mean; the second round changes little.
const alignRounds = 2

// align rotates the members' means onto each other and returns the residual: the root mean square deviation of every
// user's and item's mean from the members' mean. Trainings that differ in their seed find the same distances in another
// basis, so each is rotated by the orthogonal Q that minimises ‖A_k Q − M‖_F over the items, A_k and M being I×h means:
// Q = UVᵀ of A_kᵀM = USVᵀ (Schönemann 1966). M is the first member at first and then the mean of the rotated ones
// (generalised Procrustes analysis, Gower 1975). The users are rotated with their items.
//
// residue is the deviations' share of the item means' total square. O(members·I·h²).
func align(members []Trained) (users, items []float64, residue float64, err error) {
	rotated := make([]*mat.Dense, len(members))
	for k, m := range members {
		rotated[k] = means(m.Items)
	}
	target := mat.DenseCopyOf(rotated[0])
	rotations := make([]*mat.Dense, len(members))
	for range alignRounds {
		for k, m := range members {
			if rotations[k], err = rotation(means(m.Items), target); err != nil {
				return nil, nil, 0, err
			}
			rotated[k].Mul(means(m.Items), rotations[k])
		}
		target = mean(rotated)
	}
	items = deviations(rotated, target)
	total, left := 0.0, 0.0
	for _, x := range target.RawMatrix().Data {
		total += x * x
	}
	for _, d := range items {
		left += d * d
	}
	theirs := make([]*mat.Dense, len(members))
	for k, m := range members {
		theirs[k] = means(m.Users)
		theirs[k].Mul(means(m.Users), rotations[k])
	}
	return deviations(theirs, mean(theirs)), items, left / (left + total), nil
}

// rotation returns the orthogonal matrix that brings a closest to b.
func rotation(a, b *mat.Dense) (*mat.Dense, error) {
	var cross, u, v, q mat.Dense
	cross.Mul(a.T(), b)
	var svd mat.SVD
	if !svd.Factorize(&cross, mat.SVDThin) {
		return nil, errors.New("cannot align two trainings: no singular values of their " +
			"means")
	}
	svd.UTo(&u)
	svd.VTo(&v)
	q.Mul(&u, v.T())
	return &q, nil
}

// means returns the means of a table, n×h.
func means(t *gaussian.Table) *mat.Dense {
	x := mat.NewDense(t.Len(), t.Dim(), nil)
	for i := range t.Len() {
		for d, m := range t.Mean(i) {
			x.Set(i, d, float64(m))
		}
	}
	return x
}

// mean returns the mean of matrices of one shape.
func mean(all []*mat.Dense) *mat.Dense {
	x := mat.DenseCopyOf(all[0])
	for _, y := range all[1:] {
		x.Add(x, y)
	}
	x.Scale(1/float64(len(all)), x)
	return x
}

// deviations returns, for every row, the root mean square over the matrices of its distance from the target's row.
func deviations(all []*mat.Dense, target *mat.Dense) []float64 {
	rows, cols := target.Dims()
	out := make([]float64, rows)
	for i := range out {
		sum := 0.0
		for _, x := range all {
			for d := range cols {
				e := x.At(i, d) - target.At(i, d)
				sum += e * e
			}
		}
		out[i] = math.Sqrt(sum / float64(len(all)))
	}
	return out
}
