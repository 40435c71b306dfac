package pmlam

import (
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// localStep returns a step with the local rows x, T×2h, padded to 2·half.
func localStep(x []float32, h, half int, points bool) *step {
	rows := len(x) / (2 * h)
	s := &step{half: half, x: make([]float32, rows*2*half), grad: make([]float32, rows*2*half),
		seen: make([]bool, rows)}
	for r := range rows {
		mean, stddev := halves(s.x, r, half)
		copy(mean, x[r*2*h:r*2*h+h])
		if !points {
			copy(stddev, x[r*2*h+h:(r+1)*2*h])
		}
	}
	return s
}

// unpadded returns x, T×2·half, as T×2h.
func (s *step) unpadded(x []float32, h int) (out []float32) {
	for r := range len(x) / (2 * s.half) {
		mean, stddev := halves(x, r, s.half)
		out = append(append(out, mean[:h]...), stddev[:h]...)
	}
	return out
}

// gradient returns the step's gradient, T×2h; 0 for rows without one.
func (s *step) gradient(h int) []float32 {
	for r, seen := range s.seen {
		if !seen {
			clear(vec.Row(s.grad, r, 2*s.half))
		}
	}
	return s.unpadded(s.grad, h)
}

// padded returns x with zeros up to a whole vector.
func padded(x []float32) []float32 { return append(x, make([]float32, margin.Pad(len(x))-len(x))...) }
