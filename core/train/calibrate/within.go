package calibrate

import (
	"context"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
)

// maxPeople bounds the users that the covariance within people is averaged over. More would change it by less than its
// rounding in a model file.
const maxPeople = 5000

// within returns and caches W of the users in the training. It is not safe for concurrent use.
func (p *People) within(workers int) []float32 {
	if p.width == nil {
		p.width = within(p.Model.Items, p.Likes, p.Seen, workers)
	}
	return p.width
}

// within returns W, the covariance of a liked item's mean around the mean of the same user's likes: the mean over users
// of (1/(n−1))·Σ (μ_j − μ̄)(μ_j − μ̄)ᵀ. Users with at least two likes take part with equal weight; of more than
// maxPeople users, every k-th. A nil users means all rows. The result is the lower triangle by rows, h(h+1)/2 values;
// its diagonal is at least minVariance. Users are added in order, so workers do not change the result. O(likes·h²).
func within(items *gaussian.Table, likes *dataset.Matrix, users []int, workers int) []float32 {
	if users == nil {
		for u := range likes.Rows() {
			users = append(users, u)
		}
	}
	var people [][]int32
	for k := 0; k < len(users); k += (len(users) + maxPeople - 1) / maxPeople {
		if row := likes.Row(users[k]); len(row) > 1 {
			people = append(people, row)
		}
	}
	h := items.Dim()
	sum := make([]float64, h*(h+1)/2)
	const together = 64 // users per batch
	var scatters [together][]float64
	for k := range min(together, len(people)) {
		scatters[k] = make([]float64, len(sum))
	}
	for from := 0; from < len(people); from += together {
		some := people[from:min(from+together, len(people))]
		// The only possible error is the context's, and this context never ends.
		_ = parallel.Each(context.Background(), len(some), workers, func() func(int) {
			mean, dev := make([]float64, h), make([]float64, 4*h)
			return func(k int) { scatter(scatters[k], items, some[k], mean, dev) }
		})
		for k, row := range some {
			for at, v := range scatters[k] {
				sum[at] += v / float64(len(row)-1)
			}
		}
	}
	out := make([]float32, len(sum))
	for d, at := 0, 0; d < h; d++ {
		for e := range d + 1 {
			if len(people) > 0 {
				out[at] = float32(sum[at] / float64(len(people)))
			}
			if e == d {
				out[at] = max(out[at], minVariance)
			}
			at++
		}
	}
	return out
}

// scatter writes Σ (μ_j − μ̄)(μ_j − μ̄)ᵀ over the items of a row, the lower triangle. mean (h) and dev (4h) are scratch
// space. Each pass over the result adds four items, in order, padded with zeros.
func scatter(out []float64, items *gaussian.Table, row []int32, mean, dev []float64) {
	h := len(mean)
	clear(mean)
	for _, j := range row {
		for d, m := range items.Mean(int(j)) {
			mean[d] += float64(m)
		}
	}
	clear(out)
	for from := 0; from < len(row); from += 4 {
		clear(dev)
		for k, j := range row[from:min(from+4, len(row))] {
			for d, m := range items.Mean(int(j)) {
				dev[k*h+d] = float64(m) - mean[d]/float64(len(row))
			}
		}
		at := 0
		for d := range h {
			sums := out[at : at+d+1]
			x0, x1, x2, x3 := dev[:h], dev[h:2*h], dev[2*h:3*h], dev[3*h:]
			y0, y1, y2, y3 := x0[d], x1[d], x2[d], x3[d]
			x0, x1, x2, x3 = x0[:len(sums)], x1[:len(sums)], x2[:len(sums)], x3[:len(sums)]
			for e, sum := range sums {
				sum += float64(y0 * x0[e])
				sum += float64(y1 * x1[e])
				sum += float64(y2 * x2[e])
				sum += float64(y3 * x3[e])
				sums[e] = sum
			}
			at += d + 1
		}
	}
}

// minVariance keeps variances positive, so that they can be divisors.
const minVariance = 1e-12
