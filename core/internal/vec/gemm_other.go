//go:build !amd64 && !arm64 && !(wasm && train)

package vec

func gemm(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	gemmGo(c, ldc, a, am, ak, b, ldb, m, n, k)
}
