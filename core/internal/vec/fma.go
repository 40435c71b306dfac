package vec

import "math"

// FMA returns x·y + z rounded once to float32, with the same bits as the CPU instruction, including subnormal results,
// the signs of zeros and infinities, but not the bits of a NaN. O(1).
func FMA(x, y, z float32) float32 {
	// The product of two float32 is exact in float64, so the sum is rounded to float64 and then once more to float32.
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	// The second rounding can only err if the first result is halfway between two float32. Its lower 29 bits show this,
	// except for subnormal results, whose midpoints lie elsewhere.
	if bits := math.Float64bits(s); bits&(1<<29-1) == 1<<28 || bits<<1 < minNormal<<1 {
		return float32(roundToOdd(s, p, c))
	}
	return float32(s)
}

// minNormal is the bits of 2⁻¹²⁶, the smallest normal float32, in float64.
const minNormal = (1023 - 126) << 52

// roundToOdd returns p+c, rounded so that a second rounding does no harm; s is the rounded value of p+c. If s is not
// exact, it returns the one of its two neighbours around the true sum whose last bit is 1, which is never a midpoint
// (Boldo and Melquiond 2008). No sum here overflows or is subnormal in float64.
func roundToOdd(s, p, c float64) float64 {
	bits := math.Float64bits(s)
	if bits&1 == 1 || s-s != 0 {
		return s
	}
	// TwoSum (Knuth): e is the exact error of s.
	t := s - p
	e := (p - (s - t)) + (c - t)
	switch {
	case e == 0:
	case (e > 0) == (s > 0):
		s = math.Float64frombits(bits + 1)
	default:
		s = math.Float64frombits(bits - 1)
	}
	return s
}
