package vec

import "math"

// The exponential and the activations of the margin network for whole rows, in float32 arithmetic without fusing. All
// are based on
//
//	e^a = 2^k·e^r,   k = round(a/ln 2),   r = a − k·ln 2,   |r| ≤ 0.347,   e^r − 1 = r + r²·P(r)
//
// with P of degree 4, relative error 1.4e-8 before rounding.
const (
	log2e = 1.44269504088896
	// ln 2 in two parts, the first so short that k·ln2High is exact.
	ln2High = 0.693359375
	ln2Low  = -2.12194440e-4
	// magic is 1.5·2²³: adding it rounds to an integer, half to even, and leaves the integer in the lowest bits.
	magic = 3 << 22

	expm0 = 0.49999997
	expm1 = 0.166665435
	expm2 = 0.0416672006
	expm3 = 0.0083665289
	expm4 = 0.00138825201
)

// reduced returns e^r − 1 and 2^k for e^a = 2^k·e^r, |a| ≤ 88.
func reduced(a float32) (em, s float32) {
	t := float32(a*log2e) + magic
	k := t - magic
	r := a - float32(k*ln2High)
	r -= float32(k * ln2Low)
	p := float32(expm4*r) + expm3
	p = float32(p*r) + expm2
	p = float32(p*r) + expm1
	p = float32(p*r) + expm0
	q := float32(r * r)
	return float32(p*q) + r, math.Float32frombits(math.Float32bits(t)<<23 + 127<<23)
}

// sign is the sign bit of a float32.
const sign = 1 << 31

// Exps writes e^{x_i} to dst_i, with relative error ≤ 1e-7 for x_i in [−87, 88]; smaller x_i give 0, larger +Inf; NaN
// gives NaN. dst must be at least as long as x and may be x. O(n).
func Exps(dst, x []float32) {
	dst = dst[:len(x)]
	n := 0
	if useAVX2 && len(x) >= 8 {
		n = len(x) &^ 7
		expsAVX2(&dst[0], &x[0], n)
	}
	expsGo(dst[n:], x[n:])
}

func expsGo(dst, x []float32) {
	for i, v := range x {
		a := v
		if a > 88 {
			a = 88
		}
		if a < -87 {
			a = -87
		}
		em, s := reduced(a)
		y := float32(s*em) + s
		if v > 88 {
			y = float32(math.Inf(1))
		}
		if v < -87 {
			y = 0
		}
		dst[i] = y
	}
}

// Tanhs writes tanh x_i to dst_i. Absolute error ≤ 1e-7, relative ≤ 2e-7 down to the smallest x; |dst_i| ≤ 1, and ±1
// for |x_i| ≥ 10; NaN gives NaN. dst must be at least as long as x and may be x. O(n).
func Tanhs(dst, x []float32) {
	dst = dst[:len(x)]
	n := 0
	if useAVX2 && len(x) >= 8 {
		n = len(x) &^ 7
		tanhsAVX2(&dst[0], &x[0], n)
	}
	tanhsGo(dst[n:], x[n:])
}

func tanhsGo(dst, x []float32) {
	for i, v := range x {
		a := math.Float32frombits(math.Float32bits(v) &^ sign)
		a += a
		if a > 20 {
			a = 20
		}
		// e^{2|v|} − 1 without cancellation, and tanh|v| = (e^{2|v|} − 1)/(e^{2|v|} + 1).
		em, s := reduced(a)
		em = float32(s*em) + (s - 1)
		y := em / (em + 2)
		dst[i] = math.Float32frombits(math.Float32bits(y) | math.Float32bits(v)&sign)
	}
}

// log(1+e) = e + e²·M(e) on [0,1], M of degree 7, relative error 3.3e-8 before rounding.
const (
	log1p0 = -0.499996483
	log1p1 = 0.33321324
	log1p2 = -0.248571634
	log1p3 = 0.191536546
	log1p4 = -0.137538016
	log1p5 = 0.0792045295
	log1p6 = -0.030065788
	log1p7 = 0.00536482316
)

// SoftplusSigmoids writes log(1+e^{x_i}) to softplus_i and 1/(1+e^{−x_i}) to sigmoid_i, from one exponential. Absolute
// errors are ≤ 2e-7·max(1, x) and ≤ 1e-7. Both results are positive and, except for x = ∞, finite. For negative x both
// have a relative error ≤ 2.5e-7 down to x = −87, and are constant below. NaN gives NaN. softplus and sigmoid must be
// at least as long as x, and either may be x. O(n).
func SoftplusSigmoids(softplus, sigmoid, x []float32) {
	softplus, sigmoid = softplus[:len(x)], sigmoid[:len(x)]
	n := 0
	if useAVX2 && len(x) >= 8 {
		n = len(x) &^ 7
		softplusSigmoidsAVX2(&softplus[0], &sigmoid[0], &x[0], n)
	}
	softplusSigmoidsGo(softplus[n:], sigmoid[n:], x[n:])
}

func softplusSigmoidsGo(softplus, sigmoid, x []float32) {
	for i, v := range x {
		// e = e^{−|v|} cannot overflow.
		a := math.Float32frombits(math.Float32bits(v) | sign)
		if a < -87 {
			a = -87
		}
		e, s := reduced(a)
		e = float32(s*e) + s
		num := float32(1)
		if math.Float32bits(v)&sign != 0 {
			num = e
		}
		p := float32(log1p7*e) + log1p6
		p = float32(p*e) + log1p5
		p = float32(p*e) + log1p4
		p = float32(p*e) + log1p3
		p = float32(p*e) + log1p2
		p = float32(p*e) + log1p1
		p = float32(p*e) + log1p0
		q := float32(e * e)
		l := float32(p*q) + e
		if 0 > v {
			v = 0
		}
		sigmoid[i] = num / (1 + e)
		softplus[i] = v + l
	}
}
