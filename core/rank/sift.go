package rank

import "github.com/pmlam/pmlam/core/internal/vec"

// siftOwn is the Sift of the processor: products of codes in assembly where there is some, the rest in Go.
func siftOwn(dst []uint32, query *[vec.Codes]int16, codes []uint16, bases, wrong []float32, step, spread, limit float32) int {
	var sums [256]int32
	n := 0
	for from := 0; from < len(bases); from += len(sums) {
		to := min(from+len(sums), len(bases))
		vec.CodeDots(sums[:to-from], query, codes[from*vec.CodeWords:])
		bases, wrong := bases[from:to], wrong[from:to]
		for i, sum := range sums[:to-from] {
			if bases[i]-float32(spread*wrong[i])-float32(step*float32(sum)) <= limit {
				dst[n] = uint32(from + i)
				n++
			}
		}
	}
	return n
}
