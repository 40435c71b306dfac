package vec

// Codes is how many numbers of four bits a row of codes holds, in CodeWords words: number 16k+t is the k-th nibble of word t.
const (
	Codes     = 64
	CodeWords = Codes / 4
)

// CodeDots writes Σ_j query[j]·code_j of row i into dst[i], for rows of codes that lie one after the other, len(dst)×CodeWords.
// No query may be −32,768; there is no rounding. It panics where rows are missing. O(len(dst)).
func CodeDots(dst []int32, query *[Codes]int16, codes []uint16) {
	codes = codes[:len(dst)*CodeWords]
	if len(dst) == 0 {
		return
	}
	if useAVX2 {
		codeDotsAVX2(&dst[0], &query[0], &codes[0], len(dst))
		return
	}
	codeDotsGo(dst, query, codes)
}

func codeDotsGo(dst []int32, query *[Codes]int16, codes []uint16) {
	for i := range dst {
		row := codes[i*CodeWords : (i+1)*CodeWords]
		var a, b, c, d int32
		for t, x := range row {
			a += int32(query[t]) * int32(x&15)
			b += int32(query[t+16]) * int32(x>>4&15)
			c += int32(query[t+32]) * int32(x>>8&15)
			d += int32(query[t+48]) * int32(x>>12)
		}
		dst[i] = a + b + c + d
	}
}
