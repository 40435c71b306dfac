package calibrate

import (
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
)

// maxPeople bounds the people that the covariance within people is averaged over: more would change it by less than its
// rounding in a model file.
const maxPeople = 5000

// within returns W, the covariance of a liked item's mean around the mean of those that the same person likes: the mean
// over people of (1/(n−1))·Σ (μ_j − μ̄)(μ_j − μ̄)ᵀ. People with two likes or more take part, all with the same weight;
// of more than maxPeople every k-th. users nil: all rows. The result is the lower triangle by rows, h(h+1)/2 values;
// its diagonal is at least minVariance. O(likes·h²).
func within(items *gaussian.Table, likes *dataset.Matrix, users []int) []float32 {
	if users == nil {
		for u := range likes.Rows() {
			users = append(users, u)
		}
	}
	h := items.Dim()
	sum, people := make([]float64, h*(h+1)/2), 0
	center, dev, one := make([]float64, h), make([]float64, h), make([]float64, h*(h+1)/2)
	for k := 0; k < len(users); k += (len(users) + maxPeople - 1) / maxPeople {
		row := likes.Row(users[k])
		if len(row) < 2 {
			continue
		}
		people++
		clear(center)
		for _, j := range row {
			for d, m := range items.Mean(int(j)) {
				center[d] += float64(m)
			}
		}
		clear(one)
		for _, j := range row {
			for d, m := range items.Mean(int(j)) {
				dev[d] = float64(m) - center[d]/float64(len(row))
			}
			at := 0
			for d, x := range dev {
				for _, y := range dev[:d+1] {
					one[at] += float64(x * y)
					at++
				}
			}
		}
		for at, v := range one {
			sum[at] += v / float64(len(row)-1)
		}
	}
	out := make([]float32, len(sum))
	for d, at := 0, 0; d < h; d++ {
		for e := range d + 1 {
			if people > 0 {
				out[at] = float32(sum[at] / float64(people))
			}
			if e == d {
				out[at] = max(out[at], minVariance)
			}
			at++
		}
	}
	return out
}

// minVariance is the least variance, so that it can be divided by.
const minVariance = 1e-12
