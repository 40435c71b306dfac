package vec

// Tests switch it off to test the Go version. Every arm64 CPU has NEON.
var useNEON = true

// Blocks of Gemm, as on amd64.
const (
	blockM = 512
	blockK = 128
)

func gemm(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	if !useNEON {
		gemmGo(c, ldc, a, am, ak, b, ldb, m, n, k)
		return
	}
	for i := 0; i < m; i += blockM {
		for p := 0; p < k; p += blockK {
			panelsNEON(c[i*ldc:], ldc, a[i*am+p*ak:], am, ak, b[p*ldb:], ldb, min(blockM, m-i), n, min(blockK, k-p))
		}
	}
}

func panelsNEON(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	j := 0
	for ; n-j >= 16; j += 16 {
		gemmPanel16(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k)
	}
	for ; n-j >= 4; j += 4 {
		gemmPanel4(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k)
	}
	if j == n {
		return
	}
	// The last columns are copied to a buffer 4 columns wide.
	var lastC [blockM * 4]float32
	var lastB [blockK * 4]float32
	for i := range m {
		copy(lastC[4*i:], c[i*ldc+j:i*ldc+n])
	}
	for p := range k {
		copy(lastB[4*p:], b[p*ldb+j:p*ldb+n])
	}
	gemmPanel4(&lastC[0], 4, &a[0], am, ak, &lastB[0], 4, m, k)
	for i := range m {
		copy(c[i*ldc+j:i*ldc+n], lastC[4*i:])
	}
}

//go:noescape
func gemmPanel16(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)

//go:noescape
func gemmPanel4(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)
