package vec

import "math"

// Halves writes the half-precision number (IEEE 754, 16 bits) with the bytes high[i] and low[i] to dst[i·step]. The
// numbers must be finite. A half's bits, moved to their places in a float32, give the number divided by 2¹¹², because
// the exponents have different offsets. The product with 2¹¹² is exact, also for subnormal halves. O(len(high)).
func Halves(dst []float32, step int, high, low []byte) {
	low = low[:len(high)]
	at := 0
	for i, b := range high {
		bits := uint32(b)<<8 | uint32(low[i])
		x := math.Float32frombits(bits&0x7fff<<13) * 0x1p112
		dst[at] = math.Float32frombits(math.Float32bits(x) | bits&0x8000<<16)
		at += step
	}
}
