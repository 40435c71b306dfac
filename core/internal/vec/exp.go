package vec

import "math"

// Exps writes e^x for every x into dst, which may be x itself. |relative error| ≤ 3e-7 for x in [−87, 88]; smaller x
// give 0, larger ones what 88 gives, NaN gives NaN. The training's softmax wants many at once; Exp is the one that the
// browser shares. dst must be at least as long as x. O(n).
func Exps(dst, x []float32) {
	dst = dst[:len(x)]
	n := 0
	if n = len(x) &^ (Lanes - 1); n > 0 && haveAVX2() {
		expsAVX2(&dst[0], &x[0], n)
	} else {
		n = 0
	}
	for i := n; i < len(x); i++ {
		dst[i] = exp32(x[i])
	}
}

// The constants of exp32 and of its assembly: x = k·ln 2 + r with ln 2 in two parts, of which the first times k is
// exact, and the Taylor series of e^r to r⁷, whose remainder below |r| ≤ ln2/2 is 6e-9.
const (
	expLog2e = 1.44269504088896341
	expLn2Hi = 0.693359375
	expLn2Lo = -2.12194440e-4
	expMin   = -87
	expMax   = 88
)

// exp32 is one element of Exps.
func exp32(x float32) float32 {
	switch {
	case x != x:
		return x
	case x < expMin:
		return 0
	}
	x = min(x, expMax)
	k := float32(math.RoundToEven(float64(float32(x * expLog2e))))
	r := x - float32(k*expLn2Hi)
	r -= float32(k * expLn2Lo)
	p := float32(1.0 / 5040)
	p = float32(p*r) + 1.0/720
	p = float32(p*r) + 1.0/120
	p = float32(p*r) + 1.0/24
	p = float32(p*r) + 1.0/6
	p = float32(p*r) + 0.5
	p = float32(p*r) + 1
	p = float32(p*r) + 1
	return p * math.Float32frombits(uint32(int32(k)+127)<<23)
}
