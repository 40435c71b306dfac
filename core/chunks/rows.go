package chunks

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// Mean rows only order cells, so they may be approximate. Each is stored as its difference from the catalogue's mean
// row, in 4 bits a number, with one scale for the means and one for the standard deviations:
//
//	x = scale·(q + ½)        q in −8…7, scale = max|x|/8

// Centres holds the mean rows of cells or of groups, and the spread around them.
type Centres struct {
	Rows     *gaussian.Table // n×2h
	Variance []float32       // n: mean ‖θ − row‖² over the rows of each
}

// CodeRow returns a row's two scales and its numbers, two a byte. It changes row into the decoded values.
func CodeRow(row, mean []float32) (scales [2]float32, codes []byte) {
	h := len(row) / 2
	codes = make([]byte, (len(row)+1)/2)
	for part := range scales {
		var top float32
		for d := part * h; d < (part+1)*h; d++ {
			row[d] -= mean[d]
			top = max(top, row[d], -row[d])
		}
		scale := top / 8
		scales[part] = scale
		for d := part * h; d < (part+1)*h; d++ {
			q := 0
			if scale > 0 {
				q = min(max(int(math.Floor(float64(row[d]/scale))), -8), 7)
			}
			codes[d/2] |= byte(q+8) << (4 * (d % 2))
			row[d] = decoded(byte(q+8), scale, mean[d])
		}
	}
	return scales, codes
}

func decoded(code byte, scale, mean float32) float32 {
	return mean + float32(scale*(float32(code)-7.5))
}

// readCentres decodes centres from a section of codes, a column of scales (first for all means) and a column of
// variances; ok is false if these are not n finite rows of 2h numbers.
func readCentres(codes, scales, variances []byte, mean []float32) (c Centres, ok bool) {
	w := len(mean)
	each := (w + 1) / 2
	n := len(variances) / 4
	if len(variances) != 4*n || len(codes) != n*each || len(scales) != 8*n {
		return c, false
	}
	s, ok := float32s(scales)
	if !ok {
		return c, false
	}
	if c.Variance, ok = float32s(variances); !ok {
		return c, false
	}
	for i, v := range c.Variance {
		if !(v >= 0 && v <= model.MaxSquare && max(s[i], s[n+i]) <= model.MaxNumber && min(s[i], s[n+i]) >= 0) {
			return c, false
		}
	}
	c.Rows = gaussian.NewTable(n, w/2)
	for i := range n {
		row, from := c.Rows.Row(i), codes[i*each:]
		for d := range row {
			scale := s[i]
			if d >= w/2 {
				scale = s[n+i]
			}
			row[d] = decoded(from[d/2]>>(4*(d%2))&15, scale, mean[d])
		}
	}
	return c, true
}

// sections is the inverse of readCentres.
func (c *Centres) sections(mean []float32) (codes, scales, variances []byte) {
	n := c.Rows.Len()
	s := make([]float32, 2*n)
	for i := range n {
		both, code := CodeRow(append([]float32(nil), c.Rows.Row(i)...), mean)
		s[i], s[n+i] = both[0], both[1]
		codes = append(codes, code...)
	}
	return codes, Float32s(s), Float32s(c.Variance)
}

// deviations is the number of standard deviations below its mean distance at which a cell is assumed to begin. On
// synthetic data 1.5 was worse, and 3.5 about as good.
const deviations = 2.5

// scores returns the key by which centres are sorted for a row, the lowest first. It estimates the least cost in a
// cell, as if its nearest item had the largest bonus:
//
//	m − 2.5·sd − bonus
//
// A nil bonus stands for 0. O(n·h).
func (c *Centres) scores(row []float32, bonus func(n int) float32) []float64 {
	out := make([]float64, c.Rows.Len())
	for i := range out {
		d, v := float64(vec.SquaredDistance(row, c.Rows.Row(i))), float64(c.Variance[i])
		below := float64(deviations * math.Sqrt((float64(4*d*v)+float64(2*v*v))/float64(len(row))))
		if bonus != nil {
			below += float64(bonus(i))
		}
		out[i] = d + v - below
	}
	return out
}
