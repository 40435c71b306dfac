package model

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/x448/float16"
)

// A table of n Gaussians of dimension h is stored as two columns of n·h numbers, the means and the standard deviations,
// dimension by dimension: number d·n+i belongs to row i. Values of one dimension resemble each other, which saves 2 to
// 4% under brotli.
//
//	float32   the number itself
//	float16   IEEE 754 half precision, nearest, ties to even; σ at least the smallest half ≥ gaussian.MinStddev
//	int8      μ = scale·q with q in −127…127 and σ = max(scale·q, gaussian.MinStddev) with q in 0…255, one scale
//	          per row for each; a scale is a float32 of 11 significant bits, so that scale·q is exact in float32
//
// Each form is a fixed point: decoded tables encode to the same bytes again.

const (
	meanSteps   = 127
	stddevSteps = 255

	minScale = gaussian.MinScale
)

// minHalf is the smallest half-precision number that is not below gaussian.MinStddev, as bits.
var minHalf = func() uint16 {
	h := float16.Fromfloat32(gaussian.MinStddev)
	if h.Float32() < gaussian.MinStddev {
		h++ // the next number up: halves of one sign are ordered like their bits
	}
	return uint16(h)
}()

// quantised is a table in the file's form.
type quantised struct {
	mean, stddev, meanScales, stddevScales []byte
}

// quantise returns t in the file's form. It fails if a number is not finite, beyond MaxNumber or too large for the
// precision, or if a standard deviation is below gaussian.MinStddev. O(n·h).
func quantise(t *gaussian.Table, p Precision, field string) (q quantised, err error) {
	n, h := t.Len(), t.Dim()
	k := n * h
	if err := bounded(t, field); err != nil {
		return q, err
	}
	q.mean, q.stddev = make([]byte, k*p.width()), make([]byte, k*p.width())
	if p == Int8 {
		q.meanScales, q.stddevScales = make([]byte, 4*n), make([]byte, 4*n)
	}
	for i := range n {
		mean, stddev := t.Mean(i), t.Stddev(i)
		switch p {
		case Float32:
			for d := range h {
				putWord32(q.mean, k, d*n+i, math.Float32bits(mean[d]))
				putWord32(q.stddev, k, d*n+i, math.Float32bits(stddev[d]))
			}
		case Float16:
			for d := range h {
				m, s := float16.Fromfloat32(mean[d]), float16.Fromfloat32(stddev[d])
				if m.IsInf(0) || s.IsInf(0) {
					return q, &Error{OutOfRange, -1, field, fmt.Sprintf(
						"row %d, dimension %d: float16 holds numbers up to 65504; use float32 or int8", i, d)}
				}
				putWord16(q.mean, k, d*n+i, uint16(m))
				putWord16(q.stddev, k, d*n+i, max(uint16(s), minHalf))
			}
		case Int8:
			ms, ss := gaussian.Scale(mean, meanSteps), gaussian.Scale(stddev, stddevSteps)
			putWord32(q.meanScales, n, i, math.Float32bits(ms))
			putWord32(q.stddevScales, n, i, math.Float32bits(ss))
			for d := range h {
				q.mean[d*n+i] = byte(int8(gaussian.Steps(mean[d], ms)))
				q.stddev[d*n+i] = byte(gaussian.Steps(stddev[d], ss))
			}
		}
	}
	return q, nil
}

// bounded checks every number of a table.
func bounded(t *gaussian.Table, field string) error {
	for i := range t.Len() {
		row := t.Row(i)
		for d, x := range row {
			if !isFinite(x) {
				return &Error{NotFinite, -1, field, fmt.Sprintf("row %d, number %d is %v", i, d, x)}
			}
			if x > MaxNumber || x < -MaxNumber {
				return &Error{OutOfRange, -1, field, fmt.Sprintf(
					"row %d, number %d is %v, and a model holds numbers between %d and %d; train with a smaller radius",
					i, d, x, -MaxNumber, MaxNumber)}
			}
			if d >= t.Dim() && x < gaussian.MinStddev {
				return &Error{BadStddev, -1, field, fmt.Sprintf(
					"row %d, dimension %d: it is %v and must be at least %v",
					i, d-t.Dim(), x, float32(gaussian.MinStddev))}
			}
		}
	}
	return nil
}

// blockRows is the number of rows filled together, so that reading the column and writing the rows stay within a cache.
const blockRows = 64

// expand is the inverse of quantise, for columns that have passed check. O(n·h).
func expand(q quantised, p Precision, n, h int) *gaussian.Table {
	t := gaussian.NewTable(n, h)
	k, w, data := n*h, 2*h, t.Data()
	for from := 0; from < n; from += blockRows {
		to := min(n, from+blockRows)
		yield.Now()
		for d := range h {
			at := from*w + d // of row from, dimension d
			mean, stddev := q.mean[d*n:], q.stddev[d*n:]
			switch p {
			case Float32:
				for i := from; i < to; i++ {
					data[at] = math.Float32frombits(word32(mean, k, i))
					data[at+h] = math.Float32frombits(word32(stddev, k, i))
					at += w
				}
			case Float16:
				vec.Halves(data[at:], w, mean[from:to], mean[k+from:k+to])
				vec.Halves(data[at+h:], w, stddev[from:to], stddev[k+from:k+to])
			case Int8:
				// The scales are applied below, once per row.
				stddev = stddev[from:to]
				for i, v := range mean[from:to] {
					data[at] = float32(int8(v))
					data[at+h] = float32(stddev[i])
					at += w
				}
			}
		}
		if p == Int8 {
			for i := from; i < to; i++ {
				rescale(t.Row(i), word32(q.meanScales, n, i), word32(q.stddevScales, n, i))
			}
		}
	}
	return t
}

// rescale converts steps to numbers, given the scales' bits.
func rescale(row []float32, meanScale, stddevScale uint32) {
	h := len(row) / 2
	ms, ss := math.Float32frombits(meanScale), math.Float32frombits(stddevScale)
	for d := range h {
		row[d] *= ms
	}
	for d := h; d < len(row); d++ {
		s := row[d] * ss
		if s < gaussian.MinStddev { // max would be a function call in WebAssembly
			s = gaussian.MinStddev
		}
		row[d] = s
	}
}

// half returns the number with the given half-precision bits.
func half(bits uint16) float32 { return float16.Frombits(bits).Float32() }
