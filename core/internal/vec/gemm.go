package vec

import "math"

// Gemm adds a matrix product to C, n columns wide:
//
//	C[i][j] += Σ_p A[i·am + p·ak] · B[p][j]        i < m, j < n, p < k
//
// C and B are row after row, ldc and ldb ≥ n elements apart; A is read with any strides, so that am = 1 multiplies
// its transpose. Every element of C is a chain of fused multiply-adds in the order of p, whatever the machine, so the
// result has the same bits everywhere. C must not overlap A or B. O(m·n·k).
func Gemm(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	if m == 0 || n == 0 || k == 0 {
		return
	}
	// Bounds are checked here once: the kernels look at no more than these.
	_ = c[(m-1)*ldc+n-1]
	_ = a[(m-1)*am+(k-1)*ak]
	_ = b[(k-1)*ldb+n-1]
	gemmGo(c, ldc, a, am, ak, b, ldb, m, n, k)
}

// gemmGo is Gemm's definition and its oracle.
func gemmGo(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		for p := range k {
			x := a[i*am+p*ak]
			for j, y := range b[p*ldb : p*ldb+n] {
				row[j] = FMA(x, y, row[j])
			}
		}
	}
}

// FMA returns x·y + z rounded once, as the processors' float32 instruction does. O(1).
func FMA(x, y, z float32) float32 {
	// The product of two float32 is exact in float64, so only the sum rounds, and then once more to float32. That
	// second rounding errs only where the first landed exactly between two float32 by rounding; the bit below it
	// is then taken from the first's error ("round to odd", Boldo and Melquiond 2008).
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if bits := math.Float64bits(s); bits&(1<<29-1) == 1<<28 && s-s == 0 {
		// TwoSum: e is the exact error of s.
		t := s - p
		e := (p - (s - t)) + (c - t)
		switch {
		case e == 0:
		case (e > 0) == (s > 0):
			s = math.Float64frombits(bits + 1)
		default:
			s = math.Float64frombits(bits - 1)
		}
	}
	return float32(s)
}
