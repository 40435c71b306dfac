package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Reason is a liked item and the share it has in a recommendation. What people like in general has another
// (generalShare); of a Suggestion all shares, those of all likes and General, sum to 1.
type Reason struct {
	Item  int
	Share float64 // in [0,1]
}

// Reasons appends to dst the liked items with the largest shares in an item's score, at most top of them, the largest
// first:
//
//	share_l = exp(score_l/τ) / Σ_{k liked} exp(score_k/τ)        score_l = −W2²(item, l) + bonus_l
//
// This is the model's own softmax, over the likes instead of the items: the probability that the item comes from like
// l. bonus_l is what l adds to the item's score by item-item weights (nil: nothing), so score_l is the item's score for
// a visitor who is at l and likes l alone. Both parts are in the unit in which the ranking adds them, so neither needs
// a weight of its own.
//
// τ > 0 is in units of W2². The shares of all likes sum to 1, so those of the strongest few sum to less. Likes must not
// repeat. Of equal shares the lower item comes first. bonus is aligned with likes. O(n·h + n log top).
func Reasons(
	dst []Reason, items *gaussian.Table, likes []int, bonus []float32, item int, tau float64, top int,
) []Reason {
	if len(likes) == 0 || top <= 0 {
		return dst
	}
	var best lowest
	best.Resize(min(top, len(likes)))
	row := items.Row(item)
	d := make([]float64, len(likes))
	nearest := math.Inf(1)
	for i, l := range likes {
		d[i] = cost(W2Squared(row, items.Row(l)), bonus, i)
		best.offer(Hit{l, d[i]})
		nearest = min(nearest, d[i])
	}
	// Sorted addition is not needed for a stable answer, but a stable order of the likes is: the caller's.
	total := 0.0
	for _, v := range d {
		total += weight(v-nearest, tau)
	}
	for _, h := range best.appendTo(nil) {
		// The weight of a like that lies much farther than the others underflows to 0; it is no reason.
		if w := weight(h.Score-nearest, tau); w > 0 {
			dst = append(dst, Reason{h.Item, w / total})
		}
	}
	return dst
}

func weight(excess, tau float64) float64 { return float64(vec.Exp(-float32(excess / tau))) }
