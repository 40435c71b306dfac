package vec

// Blocks of Gemm: blockK rows of B's panel, 64 columns wide, fill 32 KiB, two thirds of a first-level cache; blockM
// rows of A then stay in the second level. Interrupting and continuing a sum does not change its bits.
const (
	blockM = 512
	blockK = 128
)

func gemm(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	if !useFMA {
		gemmGo(c, ldc, a, am, ak, b, ldb, m, n, k)
		return
	}
	for i := 0; i < m; i += blockM {
		for p := 0; p < k; p += blockK {
			mb, kb := min(blockM, m-i), min(blockK, k-p)
			if useAVX512 {
				panelsAVX512(c[i*ldc:], ldc, a[i*am+p*ak:], am, ak, b[p*ldb:], ldb, mb, n, kb)
			} else {
				panelsAVX2(c[i*ldc:], ldc, a[i*am+p*ak:], am, ak, b[p*ldb:], ldb, mb, n, kb)
			}
		}
	}
}

// panelsAVX2 is gemm without blocks, one column panel of C after another.
func panelsAVX2(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	for j := 0; j < n; {
		switch vectors := (n - j) / 8; vectors {
		case 0, 1:
			gemmPanel1(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k, maskOf(min(8, n-j)))
			j += 8
		case 2, 4: // 4 is 2+2, so that no single one is left
			gemmPanel2(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k)
			j += 16
		default:
			gemmPanel3(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k)
			j += 24
		}
	}
}

// panelsAVX512 is panelsAVX2 with vectors of 16, the last of which may be incomplete.
func panelsAVX512(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	for j := 0; j < n; {
		vectors := (n - j + 15) / 16
		switch {
		case vectors == 5 || vectors == 6: // 3+2 and 3+3, so that no single one is left
			vectors = 3
		case vectors > 4:
			vectors = 4
		}
		width := min(16*vectors, n-j)
		mask := 1<<(width-16*(vectors-1)) - 1
		switch vectors {
		case 1:
			gemmWide1(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k, mask)
		case 2:
			gemmWide2(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k, mask)
		case 3:
			gemmWide3(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k, mask)
		case 4:
			gemmWide4(&c[j], ldc, &a[0], am, ak, &b[j], ldb, m, k, mask)
		}
		j += width
	}
}

var maskWords = [16]int32{-1, -1, -1, -1, -1, -1, -1, -1}

// maskOf returns a mask of n ones and 8−n zeros.
func maskOf(n int) *[8]int32 { return (*[8]int32)(maskWords[8-n:]) }

//go:noescape
func gemmPanel3(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)

//go:noescape
func gemmPanel2(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int)

//go:noescape
func gemmPanel1(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k int, mask *[8]int32)

//go:noescape
func gemmWide4(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)

//go:noescape
func gemmWide3(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)

//go:noescape
func gemmWide2(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)

//go:noescape
func gemmWide1(c *float32, ldc int, a *float32, am, ak int, b *float32, ldb, m, k, mask int)
