package vec

// Gemm adds a matrix product to C, n columns wide:
//
//	C[i][j] += Σ_p A[i·am + p·ak] · B[p][j]        i < m, j < n, p < k
//
// C and B are row-major, with ldc and ldb ≥ n elements between rows; A has any strides, so am = 1 multiplies its
// transpose. Every element of C is a chain of fused multiply-adds in the order of p on every machine, so the result has
// the same bits everywhere. C must not overlap A or B. O(m·n·k).
func Gemm(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	if m == 0 || n == 0 || k == 0 {
		return
	}
	// Bounds are checked once, here: the kernels access no more than this.
	_ = c[(m-1)*ldc+n-1]
	_ = a[(m-1)*am+(k-1)*ak]
	_ = b[(k-1)*ldb+n-1]
	gemm(c, ldc, a, am, ak, b, ldb, m, n, k)
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
