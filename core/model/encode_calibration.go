//go:build !js

package model

import "math"

// calibration fills in the calibration, where there is one. What it must satisfy is checked by the reader; a rate that
// is not finite becomes one that the reader refuses.
func (v *values) calibration(c *Calibration) {
	if c == nil {
		return
	}
	p := &c.Posterior
	v[atCalibrated].uint = uint64(c.Users)
	v[atStrength].float = p.Strength
	within := make([]byte, 2*len(p.Within))
	for i, x := range p.Within {
		putWord16(within, len(p.Within), i, upperOf(x))
	}
	v[atWithin].bytes = within
	for _, f := range p.radii() {
		v[f.at].bytes = planes32(f.in[:])
	}
	if c.Like != nil {
		v.like(c.Like)
	}
}

func (v *values) like(l *LikeRegression) {
	v[atLike].bool = true
	v[atLikeWeights].bytes = planes32(l.Weights)
	rates := make([]byte, len(l.Rates))
	for i, r := range l.Rates {
		steps := math.RoundToEven(float64(r) * rateSteps)
		switch {
		case steps != steps:
			rates[i] = 0x80
		default:
			rates[i] = byte(int8(min(max(steps, -rateMost), rateMost)))
		}
	}
	v[atLikeRates].bytes = rates
	bins := len(l.Bins)
	predicted, observed, counts := make([]float32, bins), make([]float32, bins), make([]byte, 4*bins)
	for i, b := range l.Bins {
		predicted[i], observed[i] = b.Predicted, b.Observed
		putWord32(counts, bins, i, uint32(b.Count))
	}
	v[atBinPredicted].bytes, v[atBinObserved].bytes = planes32(predicted), planes32(observed)
	v[atBinCounts].bytes = counts
}

// upperOf returns the upper 16 bits of the nearest float32 that has no others, ties to even. NaN stays one.
func upperOf(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 1
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
