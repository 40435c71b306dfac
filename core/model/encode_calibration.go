//go:build !js

package model

import (
	"math"

	"github.com/pmlam/pmlam/core/model/internal/wire"
)

// wireCalibration returns the calibration as the file keeps it; nil where there is none. What it must satisfy is
// checked by the reader; a rate that is not finite becomes one that the reader refuses.
func wireCalibration(c *Calibration) *wire.Calibration {
	if c == nil {
		return nil
	}
	p := &c.Posterior
	w := &wire.Calibration{
		Users: uint64(c.Users), Within: make([]byte, 2*len(p.Within)), Strength: p.Strength,
		PlaneMany: planes32(p.Plane.Many[:]), PlaneFew: planes32(p.Plane.Few[:]),
		FullMany: planes32(p.Full.Many[:]), FullFew: planes32(p.Full.Few[:]),
	}
	for i, v := range p.Within {
		putWord16(w.Within, len(p.Within), i, upperOf(v))
	}
	if c.Like == nil {
		return w
	}
	bins := len(c.Like.Bins)
	predicted, observed, counts := make([]float32, bins), make([]float32, bins), make([]byte, 4*bins)
	for i, b := range c.Like.Bins {
		predicted[i], observed[i] = b.Predicted, b.Observed
		putWord32(counts, bins, i, uint32(b.Count))
	}
	w.Like = &wire.Like{
		Weights: planes32(c.Like.Weights), Rates: make([]byte, len(c.Like.Rates)),
		Predicted: planes32(predicted), Observed: planes32(observed), Statements: counts,
	}
	for i, r := range c.Like.Rates {
		steps := math.RoundToEven(float64(r) * rateSteps)
		switch {
		case steps != steps:
			w.Like.Rates[i] = 0x80
		default:
			w.Like.Rates[i] = byte(int8(min(max(steps, -rateMost), rateMost)))
		}
	}
	return w
}

// upperOf returns the upper 16 bits of the nearest float32 that has no others, ties to even. NaN stays one.
func upperOf(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 1
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
