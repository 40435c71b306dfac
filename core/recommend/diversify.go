package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// poolSize returns how many of the nearest items diversify is to be given to choose k.
func poolSize(k int) int { return poolBase + poolStep*max(k, 0) }

const (
	poolBase = 60
	poolStep = 4
)

// diversify chooses k of the hits, which come in order, by maximal marginal relevance (Carbonell and Goldstein 1998) in
// the latent space's own unit. Each next one maximises
//
//	(1−λ)·(−Score_j) + λ·min_{s ∈ chosen ∪ from} W2(j, s)
//
// where Score must be a distance (not its square, nor a cost that has a bonus in it). The first hit stays first unless
// there are items in from, which count as chosen already; none of these should be among the hits. λ = 0 keeps the order
// whatever from is, λ = 1 takes whatever lies farthest from all that is chosen. The t-th is chosen among the first
// 60+4t hits: what is far down the list is no recommendation however varied, and as this does not depend on k, a longer
// list begins with the shorter one. Ties go to the earlier hit.
//
// It appends to dst. hits should hold poolSize(k), and are not changed. O((k + |from|)·poolSize(k)·h).
func diversify(dst []Hit, items *gaussian.Table, hits []Hit, k int, lambda float64, from []int) []Hit {
	k = min(k, len(hits))
	if k <= 0 {
		return dst
	}
	if !(lambda > 0) {
		return append(dst, hits[:k]...)
	}
	lambda = min(lambda, 1)
	apart := make([]float64, len(hits)) // min W2 to what is chosen; −1: chosen itself
	for j := range apart {
		apart[j] = math.Inf(1)
	}
	// Brings the hits up to date after an item was chosen.
	choose := func(item int) {
		row := items.Row(item)
		for j, a := range apart {
			if a >= 0 {
				// vec's distance is the same bits everywhere, which an injected scan need not be.
				apart[j] = min(a, math.Sqrt(float64(vec.SquaredDistance(row, items.Row(hits[j].Item)))))
			}
		}
	}
	for _, i := range from {
		choose(i)
	}
	last := 0
	for t := range k {
		if t > 0 || len(from) > 0 {
			best := math.Inf(-1)
			for j := range min(len(hits), poolSize(t)) {
				if apart[j] < 0 {
					continue
				}
				v := float64(lambda*apart[j]) - float64((1-lambda)*hits[j].Score)
				if v > best {
					best, last = v, j
				}
			}
		}
		dst = append(dst, hits[last])
		apart[last] = -1
		choose(hits[last].Item)
	}
	return dst
}
