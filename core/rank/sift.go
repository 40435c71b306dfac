package rank

import "github.com/pmlam/pmlam/core/internal/vec"

// siftOwn is the Sift of the processor: products of codes in assembly where there is some, the rest in Go.
func siftOwn(dst []uint32, query []int16, codes []int8, scales, norms, spreads []float32, step, spread, limit float32) int {
	var sums [256]int32
	n := 0
	for from := 0; from < len(norms); from += len(sums) {
		to := min(from+len(sums), len(norms))
		vec.CodeDots(sums[:to-from], query, codes[from*len(query):])
		scales, norms, spreads := scales[from:to], norms[from:to], spreads[from:to]
		for i, sum := range sums[:to-from] {
			if norms[i]-float32(spread*spreads[i])-float32(float32(step*scales[i])*float32(sum)) <= limit {
				dst[n] = uint32(from + i)
				n++
			}
		}
	}
	return n
}
