package model

import (
	"math"
)

// A calibration is small except for two columns, which are stored with little precision: the covariance within people
// as the upper 16 bits of float32 (8 significant bits, an error of 0.4% of a variance), and the items' rates in steps
// of 1/16 of a logit, at most 0.8% of a chance.

const (
	rateSteps = 16  // of an item's rate, per logit
	rateMost  = 127 // steps: a share of 99.96%
)

// checkCalibration checks the calibration, if any, for n items of dimension h. O(h² + n); it allocates nothing.
func (l checker) checkCalibration(n, h int) error {
	if !l.has(atCalibrated) {
		return nil
	}
	if l.uint(atCalibrated) > maxCount {
		return l.fail(OutOfRange, atCalibrated, "too many users")
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
	if err := l.checkMapRegion(); err != nil {
		return err
	}
	for _, k := range []leaf{atFullMany, atFullFew} {
		if err := l.checkAscending(k, len(Levels), maxDeviations); err != nil {
			return err
		}
	}
	if !l.bool(atLike) {
		return nil
	}
	return l.checkLike(n)
}

// failAt returns the error for number i of a column, or for a single number.
func (l *layout) failAt(r Reason, at leaf, i int, v float32) error {
	return l.fail(r, at, "number %d is %v", i, v)
}

func (l checker) checkLike(n int) error {
	weights, bins := len(l.bytes(atLikeWeights))/4, len(l.bytes(atBinPredicted))/4
	if weights > maxWeights {
		return l.fail(TooLarge, atLikeWeights, "too many weights")
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
		return l.fail(TooLarge, atBinPredicted, "too many bins")
	}
	if err := l.checkAscending(atBinPredicted, bins, 1); err != nil {
		return err
	}
	if err := l.checkFloats(atBinObserved, int64(bins), 1); err != nil {
		return err
	}
	if err := l.checkNotNegative(atBinObserved, bins); err != nil {
		return err
	}
	if err := l.checkBinCounts(atBinCounts, bins); err != nil {
		return err
	}
	if err := l.checkBinCounts(atBinPeople, bins); err != nil {
		return err
	}
	return l.checkGuarantee()
}

// checkBinCounts checks a column of counts, one per bin.
func (l checker) checkBinCounts(at leaf, bins int) error {
	if err := l.checkLength(at, int64(bins), 4); err != nil {
		return err
	}
	for i, b := range l.bytes(at)[:bins] {
		if b >= 0x80 {
			return l.fail(OutOfRange, at, "bin %d: it must be below 2^31", i)
		}
	}
	return nil
}

func (l checker) checkGuarantee() error {
	k := len(l.bytes(atGuaranteeShares)) / 4
	if k > maxShares {
		return l.fail(TooLarge, atGuaranteeShares, "too many shares")
	}
	if err := l.checkAscending(atGuaranteeShares, k, 1); err != nil {
		return err
	}
	if err := l.checkFloats(atGuaranteeChances, int64(k), 1); err != nil {
		return err
	}
	return l.checkNotNegative(atGuaranteeChances, k)
}

// checkMapRegion checks the radii on the map by the number of likes.
func (l checker) checkMapRegion() error {
	bands := len(l.bytes(atMapLikes)) / 2
	if bands > maxBands {
		return l.fail(TooLarge, atMapLikes, "too many bands")
	}
	if err := l.checkLength(atMapLikes, int64(bands), 2); err != nil {
		return err
	}
	last := 0
	for b := range bands {
		n := int(word16(l.bytes(atMapLikes), bands, b))
		if b == 0 && n != 1 || n <= last {
			return l.fail(OutOfRange, atMapLikes, "band %d begins at %d likes, after %d", b, n, last)
		}
		last = n
	}
	k := bands * len(Levels)
	if err := l.checkFloats(atMapRadii, int64(k), maxDeviations); err != nil {
		return err
	}
	before := float32(0)
	for i := range k {
		if i%len(Levels) == 0 {
			before = 0
		}
		v := math.Float32frombits(word32(l.bytes(atMapRadii), k, i))
		if v < before {
			return l.failAt(OutOfRange, atMapRadii, i, v)
		}
		before = v
	}
	return nil
}

// checkNotNegative checks the signs of a column of k float32 whose length and sizes have been checked.
func (l checker) checkNotNegative(at leaf, k int) error {
	for i := range k {
		if v := math.Float32frombits(word32(l.bytes(at), k, i)); v < 0 {
			return l.failAt(OutOfRange, at, i, v)
		}
	}
	return nil
}

// checkAscending checks a column of k ascending float32 from 0 to most.
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

// upper returns the float32 with the given upper 16 bits.
func upper(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

func (l *layout) calibration() *Calibration {
	within := l.bytes(atWithin)
	c := &Calibration{Users: int(l.uint(atCalibrated))}
	c.Posterior.Within = make([]float32, len(within)/2)
	for i := range c.Posterior.Within {
		c.Posterior.Within[i] = upper(word16(within, len(within)/2, i))
	}
	c.Posterior.Strength = l.float32(atStrength)
	for _, f := range c.Posterior.Full.radii(atFullMany, atFullFew) {
		copy(f.in[:], float32s(l.bytes(f.at)))
	}
	c.Map = l.mapRegion()
	if !l.bool(atLike) {
		return c
	}
	rates := l.bytes(atLikeRates)
	c.Like = &LikeRegression{Weights: float32s(l.bytes(atLikeWeights)), Rates: make([]float32, len(rates))}
	for i, b := range rates {
		c.Like.Rates[i] = float32(int8(b)) / rateSteps
	}
	predicted, observed := float32s(l.bytes(atBinPredicted)), float32s(l.bytes(atBinObserved))
	counts, people, bins := l.bytes(atBinCounts), l.bytes(atBinPeople), len(predicted)
	c.Like.Bins = make([]LikeBin, bins)
	for i := range c.Like.Bins {
		c.Like.Bins[i] = LikeBin{Predicted: predicted[i], Observed: observed[i],
			Count: int32(word32(counts, bins, i)), People: int32(word32(people, bins, i))}
	}
	chances := float32s(l.bytes(atGuaranteeChances))
	for i, share := range float32s(l.bytes(atGuaranteeShares)) {
		c.Like.Guarantee = append(c.Like.Guarantee, Guarantee{share, chances[i]})
	}
	return c
}

func (l *layout) mapRegion() (r MapRegion) {
	likes, radii := l.bytes(atMapLikes), float32s(l.bytes(atMapRadii))
	if len(likes) == 0 {
		return r
	}
	r.Likes, r.Radii = make([]int, 0, len(likes)/2), make([]Radii, 0, len(likes)/2)
	for b := range len(likes) / 2 {
		r.Likes = append(r.Likes, int(word16(likes, len(likes)/2, b)))
		r.Radii = append(r.Radii, Radii(radii[b*len(Levels):]))
	}
	return r
}
