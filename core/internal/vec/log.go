package vec

import "math"

// Log returns the natural logarithm of a finite x > 0 to 1e-15 relative. It uses only rounded operations, so it gives
// the same bits everywhere (math.Log has assembly on some machines). O(1).
func Log(x float64) float64 {
	m, e := math.Frexp(x) // x = m·2^e, m in [½, 1)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1) // |s| ≤ 0.172, ln m = 2(s + s³/3 + s⁵/5 + …)
	s2, sum := float64(s*s), 0.0
	for k := 23; k >= 1; k -= 2 {
		sum = float64(sum*s2) + 1/float64(k)
	}
	return float64(float64(e)*math.Ln2) + float64(2*s*sum)
}
