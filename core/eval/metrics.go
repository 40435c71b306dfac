package eval

import (
	"math"
	"slices"
)

// discounts[r] = 1/log₂(r+2), the gain of a hit at 0-based place r.
func discounts(n int) []float64 {
	d := make([]float64, n)
	for r := range d {
		d[r] = 1 / math.Log2(float64(r+2))
	}
	return d
}

// measure writes the five per-user metrics of the ranking to v, one per k: v[j] belongs to ks[j].
//
//	ranking  best first, at least min(max ks, candidates) items
//	relevant T, ascending, not empty
//	gain     discounts of at least max(len(ranking), min(max ks, |T|)) places
//	hits     scratch of at least len(ranking)
//
// O(len(ranking)·log|T| + Σ ks).
func measure(ranking, relevant []int32, ks []int, gain []float64, hits []bool, v []values) {
	hits = hits[:len(ranking)]
	for r, item := range ranking {
		_, hits[r] = slices.BinarySearch(relevant, item)
	}
	for j, k := range ks {
		var found, first int
		var dcg, ideal, precisions float64
		for r, hit := range hits[:min(k, len(hits))] {
			if !hit {
				continue
			}
			found++
			if first == 0 {
				first = r + 1
			}
			dcg += gain[r]
			precisions += float64(found) / float64(r+1)
		}
		most := min(k, len(relevant)) // hits in a perfect list of k
		for _, g := range gain[:most] {
			ideal += g
		}
		v[j] = values{
			recall: float32(float64(found) / float64(len(relevant))),
			ndcg:   float32(dcg / ideal),
			ap:     float32(precisions / float64(most)),
		}
		if first > 0 {
			v[j].hit, v[j].rr = 1, float32(1/float64(first))
		}
	}
}

// values are the metrics of one user at one k.
type values struct{ recall, ndcg, hit, rr, ap float32 }
