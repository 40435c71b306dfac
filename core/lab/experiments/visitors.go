package experiments

import (
	"math"
	"math/rand/v2"
)

// visitor has a number of sessions and a chance to click. Both vary much between visitors, and frequent visitors click
// often, so sessions are not independent.
type visitor struct {
	sessions int     // 1 to 50
	click    float64 // chance that one of their sessions has a click
}

// draw returns a visitor: with independent normal x and y,
//
//	sessions = ⌈0.8·e^x⌉                   1 for three of five, 1.9 on average
//	click    = logistic(−1.5 + y + 0.3·x)  0.22 on average, with a standard deviation of 0.16
func draw(r *rand.Rand) visitor {
	x, y := r.NormFloat64(), r.NormFloat64()
	return visitor{
		sessions: int(min(50, math.Ceil(0.8*math.Exp(x)))),
		click:    logistic(-1.5 + y + 0.3*x),
	}
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// binomial returns the number of n events that happen, each with probability p. O(n).
func binomial(r *rand.Rand, n int, p float64) (k int) {
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return k
}
