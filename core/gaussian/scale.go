package gaussian

import "math"

// scaleZeros masks the bits of a float32 that are 0 in a scale. A scale has 11 significant bits, so its product with a
// whole number below 2¹³ is exact, and it compresses well. Steps become at most 0.1% wider.
const scaleZeros = 1<<13 - 1

// MinScale is the smallest scale: smaller values are stored as zeros.
const MinScale = 0x1p-119

// Scale returns the smallest scale of 11 significant bits with which every |x| takes at most the given number of steps,
// or 0 if all are negligible. O(len(x)).
func Scale(x []float32, steps float32) float32 {
	var top float32
	for _, v := range x {
		top = max(top, v, -v)
	}
	scale := top / steps
	if scale < MinScale {
		return 0
	}
	return math.Float32frombits((math.Float32bits(scale) + scaleZeros) &^ scaleZeros)
}

// Steps returns the whole number of scales nearest to x, or 0 for a scale of 0.
func Steps(x, scale float32) int {
	if scale == 0 {
		return 0
	}
	return int(math.RoundToEven(float64(x / scale)))
}
