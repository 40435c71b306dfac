package rank

import (
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Reason is a liked item and the share it has in a recommendation.
type Reason struct {
	Item  int
	Share float64 // in (0,1]
}

// Reasons appends to dst the liked items that speak most for an item, at most top of them, the strongest first:
//
//	share_l = exp(−W2²(item, l)/τ) / Σ_{k liked} exp(−W2²(item, k)/τ)
//
// This is the model's own softmax, turned round: the probability that like l is where the item comes from. τ > 0 is in
// units of W2². The shares of all likes sum to 1, so those of the strongest few sum to less. Likes must not repeat. Of
// equal shares the lower item comes first. O(n·h + n log top).
func Reasons(dst []Reason, items *gaussian.Table, likes []int, item int, tau float64, top int) []Reason {
	if len(likes) == 0 || top <= 0 {
		return dst
	}
	var best Top
	best.Reset(min(top, len(likes)))
	row := items.Row(item)
	d := make([]float64, len(likes))
	nearest := -1.0
	for i, l := range likes {
		d[i] = W2Squared(row, items.Row(l))
		best.Offer(Hit{l, d[i]})
		if nearest < 0 || d[i] < nearest {
			nearest = d[i]
		}
	}
	// Sorted addition is not needed for a stable answer, but a stable order of the likes is: the caller's.
	total := 0.0
	for _, v := range d {
		total += weight(v-nearest, tau)
	}
	for _, h := range best.Sorted() {
		// A like far beyond the others underflows to nothing and is no reason.
		if w := weight(h.Score-nearest, tau); w > 0 {
			dst = append(dst, Reason{h.Item, w / total})
		}
	}
	return dst
}

func weight(excess, tau float64) float64 { return float64(vec.Exp(-float32(excess / tau))) }
