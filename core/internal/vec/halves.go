package vec

import "math"

// Halves writes the half precision number (IEEE 754, 16 bits) whose bytes are high[i] and low[i] to dst[i·step]. The
// numbers must be finite. A half's bits, where a float32 has them, are the number but for 2¹¹², as exponents count from
// elsewhere: a product by that is exact, of subnormal halves too. O(len(high)).
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
