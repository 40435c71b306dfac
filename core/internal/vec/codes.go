package vec

// CodeDots writes Σ_j query[j]·codes[i·w+j] into dst[i], w = len(query) a multiple of 8: products of a query with rows of bytes
// that lie one after the other. The sums must stay within an int32; there is no rounding. It panics where the shapes do not fit. O(len(dst)·w).
func CodeDots(dst []int32, query []int16, codes []int8) {
	w := len(query)
	if w%8 != 0 {
		panic("vec: rows of codes must be a multiple of 8 wide")
	}
	codes = codes[:len(dst)*w]
	if len(dst) == 0 || w == 0 {
		clear(dst)
		return
	}
	if useAVX2 {
		codeDotsAVX2(&dst[0], &query[0], w, &codes[0], len(dst))
		return
	}
	codeDotsGo(dst, query, codes)
}

func codeDotsGo(dst []int32, query []int16, codes []int8) {
	w := len(query)
	for i := range dst {
		row := codes[i*w : (i+1)*w]
		var a, b, c, d int32
		for j := 0; j+3 < w; j += 4 {
			q, r := query[j:j+4:j+4], row[j:j+4:j+4]
			a += int32(q[0]) * int32(r[0])
			b += int32(q[1]) * int32(r[1])
			c += int32(q[2]) * int32(r[2])
			d += int32(q[3]) * int32(r[3])
		}
		dst[i] = a + b + c + d
	}
}
