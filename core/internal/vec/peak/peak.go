// Package peak measures the maximum number of float32 operations per second of one core, so that the speed of the
// kernels in vec can be stated as a share of it.
package peak

import "time"

// Vectors is a width of vectors to measure the peak of.
type Vectors int

const (
	AVX2   Vectors = 8
	AVX512 Vectors = 16
)

const (
	chains = 12 // instructions in one iteration of the loop
	turns  = 100_000
)

// GFlops returns the best of rounds measurements of about half a millisecond each: billions of float32 operations per
// second in chains of fused multiply-adds without memory access. It is 0 if the CPU has no such vectors.
func GFlops(v Vectors, rounds int) float64 {
	if !has(v) {
		return 0
	}
	best := 0.0
	for range rounds {
		start := time.Now()
		run(v, turns)
		best = max(best, 2*float64(v)*chains*turns/float64(time.Since(start).Nanoseconds()))
	}
	return best
}
