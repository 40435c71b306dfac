package dataset

import (
	"fmt"
	"math"
	"math/bits"
)

// Threshold is the smallest cosine of neighbours, in billionths.
type Threshold uint64

const one Threshold = 1e9

// NewThreshold returns t rounded to nine decimals, at least a billionth. The number 0.2 as typed is not a float64; with
// decimals, a cosine of exactly 1/5 reaches it for any lengths. It panics with ThresholdError unless 0 < t ≤ 1.
func NewThreshold(t float64) Threshold {
	if !(t > 0 && t <= 1) {
		panic(ThresholdError(t))
	}
	return max(1, Threshold(math.Round(t*float64(one))))
}

// Reached reports whether two rows of lengths na and nb that share c columns have a cosine of at least t:
// c² ≥ t²·na·nb, in whole numbers, exactly. Lengths are below 2³¹. O(1).
func (t Threshold) Reached(c, na, nb int) bool {
	// Both sides are below 2⁶⁴·2⁶⁴: c² < 2⁶², t² ≤ 10¹⁸ < 2⁶⁰.
	leftHigh, leftLow := bits.Mul64(uint64(c)*uint64(c), uint64(one*one))
	rightHigh, rightLow := bits.Mul64(uint64(na)*uint64(nb), uint64(t*t))
	return leftHigh > rightHigh || leftHigh == rightHigh && leftLow >= rightLow
}

// ThresholdError is the value with which NewThreshold and Neighbours panic unless 0 < t ≤ 1.
type ThresholdError float64

func (e ThresholdError) Error() string {
	return fmt.Sprintf("relation: the threshold %g must be above 0 and at most 1", float64(e))
}
