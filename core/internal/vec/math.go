package vec

import "math"

// Exp returns e^x in float32. |relative error| ≤ 2e-7 (a few ulp) for x in [−87, 88]; smaller x give 0, larger +Inf;
// NaN gives NaN. It uses only rounded float64 operations in a fixed order, so that every platform returns the same
// bits, unlike math.Exp. O(1).
func Exp(x float32) float32 {
	switch {
	case x != x:
		return x
	case x < -87:
		return 0
	case x > 88.7:
		return float32(math.Inf(1))
	}
	const (
		log2e = 1.44269504088896338700e+00
		ln2   = 6.93147180559945309417e-01
	)
	v := float64(x)
	k := math.Floor(float64(v*log2e) + 0.5)
	r := v - float64(k*ln2) // |r| ≤ ln2/2 = 0.347
	// Taylor to r⁸: the remainder is below 0.347⁹/9! = 2e-10.
	p := 1.0 / 40320
	p = float64(p*r) + 1.0/5040
	p = float64(p*r) + 1.0/720
	p = float64(p*r) + 1.0/120
	p = float64(p*r) + 1.0/24
	p = float64(p*r) + 1.0/6
	p = float64(p*r) + 0.5
	p = float64(p*r) + 1
	p = float64(p*r) + 1
	return float32(p * math.Float64frombits(uint64(int64(k)+1023)<<52))
}

// Tanh returns tanh x in float32, with absolute error ≤ 2e-7 and the same bits everywhere. O(1).
func Tanh(x float32) float32 {
	if x > 10 {
		return 1
	}
	if x < -10 {
		return -1
	}
	return 1 - 2/(Exp(2*x)+1)
}

// Sigmoid returns 1/(1+e^{−x}) in float32, with absolute error ≤ 2e-7 and the same bits everywhere. O(1).
func Sigmoid(x float32) float32 { return 1 / (1 + Exp(-x)) }

// Softplus returns log(1+e^x) in float32, with absolute error ≤ 3e-7·max(1, x). O(1).
func Softplus(x float32) float32 {
	// log(1+e^x) = max(x,0) + log(1+e^{−|x|}), where the exponential cannot overflow.
	e := Exp(-float32(math.Abs(float64(x))))
	return max(x, 0) + float32(math.Log1p(float64(e)))
}

// ExpDouble returns e^x in float64, with relative error ≤ 3e-16. It gives the same bits on every machine, which
// math.Exp does not: that is assembly on some, with or without fusing. O(1).
func ExpDouble(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.78:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	const (
		log2e   = 1.44269504088896338700e+00
		ln2High = 6.93147180369123816490e-01 // so short that k·ln2High is exact
		ln2Low  = 1.90821492927058770002e-10
	)
	k := math.Floor(float64(x*log2e) + 0.5)
	high, low := x-float64(k*ln2High), float64(k*ln2Low)
	r := high - low // |r| ≤ ln2/2
	// e^r = 1 + 2r/(R(r)−r), with Remez's polynomial R(r) = 2 + r²·P(r²) (Sun's fdlibm).
	t := float64(r * r)
	p := float64(t*4.13813679705723846039e-08) - 1.65339022054652515390e-06
	p = float64(t*p) + 6.61375632143793436117e-05
	p = float64(t*p) - 2.77777777770155933842e-03
	p = float64(t*p) + 1.66666666666666019037e-01
	c := r - float64(t*p)
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	switch {
	case k > 1023: // 2^k is too large
		return y * 2 * math.Float64frombits(uint64(int64(k)-1+1023)<<52)
	case k < -1021: // the result may be subnormal: only the last product may round
		return y * math.Float64frombits(uint64(int64(k)+200+1023)<<52) * 0x1p-200
	}
	return y * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// Pow returns x^y in float64 for positive x, with relative error ≤ 3e-16·(1 + |y·log x|), and the same bits on every
// machine, like ExpDouble. O(1).
func Pow(x, y float64) float64 { return ExpDouble(float64(y * math.Log(x))) }
