//go:build !js || train

package model

import "math"

// calibration fills in the calibration. The reader checks it; a rate that is not finite becomes one that the reader
// refuses.
func (v *values) calibration(c *Calibration) {
	v[atCalibrated].bool = true
	p := &c.Posterior
	v[atCalibrated].uint = uint64(c.Users)
	v[atStrength].float = p.Strength
	within := make([]byte, 2*len(p.Within))
	for i, x := range p.Within {
		putWord16(within, len(p.Within), i, upperOf(x))
	}
	v[atWithin].bytes = within
	for _, f := range p.Full.radii(atFullMany, atFullFew) {
		v[f.at].bytes = planes32(f.in[:])
	}
	v.mapRegion(&c.Map)
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
	predicted, observed := make([]float32, bins), make([]float32, bins)
	counts, people := make([]byte, 4*bins), make([]byte, 4*bins)
	for i, b := range l.Bins {
		predicted[i], observed[i] = b.Predicted, b.Observed
		putWord32(counts, bins, i, uint32(b.Count))
		putWord32(people, bins, i, uint32(b.People))
	}
	v[atBinPredicted].bytes, v[atBinObserved].bytes = planes32(predicted), planes32(observed)
	v[atBinCounts].bytes, v[atBinPeople].bytes = counts, people
	shares, chances := make([]float32, len(l.Guarantee)), make([]float32, len(l.Guarantee))
	for i, g := range l.Guarantee {
		shares[i], chances[i] = g.Share, g.Chance
	}
	v[atGuaranteeShares].bytes, v[atGuaranteeChances].bytes = planes32(shares), planes32(chances)
}

// mapRegion fills in the radii on the map. Numbers of likes that do not fit 16 bits become one that the reader refuses.
func (v *values) mapRegion(r *MapRegion) {
	likes, radii := make([]byte, 2*len(r.Likes)), make([]float32, 0, len(r.Radii)*len(Levels))
	for b, n := range r.Likes {
		if n < 0 || n > math.MaxUint16 {
			n = 0
		}
		putWord16(likes, len(r.Likes), b, uint16(n))
	}
	for _, x := range r.Radii {
		radii = append(radii, x[:]...)
	}
	v[atMapLikes].bytes, v[atMapRadii].bytes = likes, planes32(radii)
}

// upperOf returns the upper 16 bits of v, rounded to 16 bits with ties to even. NaN stays NaN.
func upperOf(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 1
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
