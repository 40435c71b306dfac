package model

import (
	"math"
)

// A calibration is small but for two columns, which are kept in as few bytes as their meaning asks for: the covariance
// within people in the upper 16 bits of float32 (8 significant bits, an error of 0.4% of a variance), and the items'
// rates in steps of 1/16 of a logit, which is at most 0.8% of a chance.

const (
	rateSteps = 16  // of an item's rate, in one logit
	rateMost  = 127 // steps: a share of 99.96%
)

// checkCalibration checks the calibration where there is one, of n items of dimension h. O(h² + n); nothing is
// allocated.
func (l checker) checkCalibration(n, h int) error {
	if !l.has(atCalibrated) {
		return nil
	}
	if l.uint(atCalibrated) > maxCount {
		return l.fail(OutOfRange, atCalibrated, "so many people there are not")
	}
	k := h * (h + 1) / 2
	if err := l.checkLength(atWithin, int64(k), 2); err != nil {
		return err
	}
	within := l.bytes(atWithin)
	for d, at := 0, 0; d < h; d++ {
		for e := range d + 1 {
			v := upper(word16(within, k, at))
			if !isFinite(v) {
				return l.failAt(NotFinite, atWithin, at, v)
			}
			if v > MaxSquare || v < -MaxSquare || e == d && !(v > 0) {
				return l.failAt(OutOfRange, atWithin, at, v)
			}
			at++
		}
	}
	if err := l.checkNumber(number{at: atStrength, least: MinDivisor, most: MaxNumber}); err != nil {
		return err
	}
	for _, f := range new(Posterior).radii() {
		if err := l.checkAscending(f.at, len(Levels), maxDeviations); err != nil {
			return err
		}
	}
	if !l.bool(atLike) {
		return nil
	}
	return l.checkLike(n)
}

// failAt returns the error for number i of a column, or a number by itself.
func (l *layout) failAt(r Reason, at leaf, i int, v float32) error {
	return l.fail(r, at, "number %d is %v", i, v)
}

func (l checker) checkLike(n int) error {
	weights, bins := len(l.bytes(atLikeWeights))/4, len(l.bytes(atBinPredicted))/4
	if weights > maxWeights {
		return l.fail(TooLarge, atLikeWeights, "more weights than are allowed")
	}
	if err := l.checkFloats(atLikeWeights, int64(weights), MaxNumber); err != nil {
		return err
	}
	if err := l.checkLength(atLikeRates, int64(n), 1); err != nil {
		return err
	}
	for i, b := range l.bytes(atLikeRates) {
		if b == 0x80 {
			return l.failAt(OutOfRange, atLikeRates, i, -128)
		}
	}
	if bins > maxBins {
		return l.fail(TooLarge, atBinPredicted, "more bins than are allowed")
	}
	if err := l.checkAscending(atBinPredicted, bins, 1); err != nil {
		return err
	}
	if err := l.checkFloats(atBinObserved, int64(bins), 1); err != nil {
		return err
	}
	for i := range bins {
		if v := math.Float32frombits(word32(l.bytes(atBinObserved), bins, i)); v < 0 {
			return l.failAt(OutOfRange, atBinObserved, i, v)
		}
	}
	if err := l.checkLength(atBinCounts, int64(bins), 4); err != nil {
		return err
	}
	for i, b := range l.bytes(atBinCounts)[:bins] {
		if b >= 0x80 {
			return l.fail(OutOfRange, atBinCounts, "bin %d: it must be below 2^31", i)
		}
	}
	return nil
}

// checkAscending checks a column of k float32 from 0 to most, none below the one before it.
func (l checker) checkAscending(at leaf, k int, most float32) error {
	if err := l.checkFloats(at, int64(k), most); err != nil {
		return err
	}
	last := float32(0)
	for i := range k {
		v := math.Float32frombits(word32(l.bytes(at), k, i))
		if v < last {
			return l.failAt(OutOfRange, at, i, v)
		}
		last = v
	}
	return nil
}

// upper returns the float32 whose upper 16 bits are given.
func upper(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

// calibration makes the calibration.
func (l *layout) calibration() *Calibration {
	within := l.bytes(atWithin)
	c := &Calibration{Users: int(l.uint(atCalibrated))}
	c.Posterior.Within = make([]float32, len(within)/2)
	for i := range c.Posterior.Within {
		c.Posterior.Within[i] = upper(word16(within, len(within)/2, i))
	}
	c.Posterior.Strength = l.float32(atStrength)
	for _, f := range c.Posterior.radii() {
		copy(f.in[:], float32s(l.bytes(f.at)))
	}
	if !l.bool(atLike) {
		return c
	}
	rates := l.bytes(atLikeRates)
	c.Like = &LikeRegression{Weights: float32s(l.bytes(atLikeWeights)), Rates: make([]float32, len(rates))}
	for i, b := range rates {
		c.Like.Rates[i] = float32(int8(b)) / rateSteps
	}
	predicted, observed := float32s(l.bytes(atBinPredicted)), float32s(l.bytes(atBinObserved))
	counts, bins := l.bytes(atBinCounts), len(predicted)
	c.Like.Bins = make([]LikeBin, bins)
	for i := range c.Like.Bins {
		c.Like.Bins[i] = LikeBin{predicted[i], observed[i], int32(word32(counts, bins, i))}
	}
	return c
}
