package pmlam

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"gonum.org/v1/gonum/mat"
)

// FitPlane finds the plane of the map by principal component analysis: it returns the plane through the average of the
// items' means μ_j along the two eigenvectors of their covariance with the largest eigenvalues, and the shares of the
// total variance along them.
//
// The same items give the same plane: the sums run in a fixed order, and each axis is turned so that its component of
// largest magnitude (the first of them on a tie) is positive. Items that all lie on one point give two of the
// coordinate axes and shares of 0.
//
// It returns an error for fewer than two items, for h < 2, and for means that are not finite. O(I·h² + h³).
func FitPlane(items *gaussian.Table) (model.Plane, error) {
	n, h := items.Len(), items.Dim()
	if n < 2 {
		return model.Plane{}, fmt.Errorf("the map's plane needs at least 2 items to lie through, there are %d", n)
	}
	if h < 2 {
		return model.Plane{}, fmt.Errorf("the map's plane needs a latent dimension of at least 2, it is %d", h)
	}
	origin := make([]float64, h)
	for i := range n {
		for d, v := range items.Mean(i) {
			if v := float64(v); math.IsNaN(v) || math.IsInf(v, 0) {
				return model.Plane{}, fmt.Errorf("the mean of item %d is %v in dimension %d: a plane can be laid "+
					"through finite means only", i, v, d)
			}
			origin[d] += float64(v)
		}
	}
	for d := range origin {
		origin[d] /= float64(n)
	}
	cov, total := covariance(items, origin)
	plane := model.Plane{Origin: narrow(origin)}
	if total == 0 {
		for a := range plane.Axes {
			plane.Axes[a] = make([]float32, h)
			plane.Axes[a][a] = 1
		}
		return plane, nil
	}
	var eig mat.EigenSym
	if !eig.Factorize(cov, true) {
		return model.Plane{},
			fmt.Errorf("the eigenvectors of the covariance of %d items in %d dimensions were not found", n, h)
	}
	values := eig.Values(nil) // ascending
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	for a := range plane.Axes {
		axis := mat.Col(nil, h-1-a, &vectors)
		turn(axis)
		plane.Axes[a] = narrow(axis)
		plane.Shares[a] = max(values[h-1-a], 0) / total
	}
	return plane, nil
}

// covariance returns the h×h covariance of the means (divided by I; the divisor does not move the axes) and its trace.
func covariance(items *gaussian.Table, origin []float64) (*mat.SymDense, float64) {
	n, h := items.Len(), items.Dim()
	sum, x := make([]float64, h*h), make([]float64, h)
	for i := range n {
		for d, v := range items.Mean(i) {
			x[d] = float64(v) - origin[d]
		}
		for r, v := range x {
			row := sum[r*h : (r+1)*h]
			for c := r; c < h; c++ {
				row[c] += float64(v * x[c])
			}
		}
	}
	total := 0.0
	for i := range sum {
		sum[i] /= float64(n)
	}
	for d := range h {
		total += sum[d*h+d]
	}
	return mat.NewSymDense(h, sum), total // only the upper triangle is read
}

// turn flips the axis where its largest component is negative.
func turn(axis []float64) {
	best := 0
	for i, v := range axis {
		if math.Abs(v) > math.Abs(axis[best]) {
			best = i
		}
	}
	if axis[best] < 0 {
		for i := range axis {
			axis[i] = -axis[i]
		}
	}
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}
