package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Reason is a liked item and its share in a recommendation. General popularity has a share too (generalShare). In a
// Suggestion all shares, of all likes and General, sum to 1.
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
// l. bonus_l is the bonus that l gives the item through item-item weights (nil: none), so score_l is the item's score
// for a visitor at l who likes only l. Both parts have the unit in which the ranking adds them, so neither needs a
// weight.
//
// τ > 0 is in units of W2². The shares of all likes sum to 1, the top ones to less. Likes must be distinct. Ties go to
// the lower item. bonus is aligned with likes. O(n·h + n log top).
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
	// The sum need not be over sorted values to be stable, but the likes need a stable order: the caller's.
	total := 0.0
	for _, v := range d {
		total += weight(v-nearest, tau)
	}
	for _, h := range best.appendTo(nil) {
		// The weight of a very distant like underflows to 0; it is not a reason.
		if w := weight(h.Score-nearest, tau); w > 0 {
			dst = append(dst, Reason{h.Item, w / total})
		}
	}
	return dst
}

func weight(excess, tau float64) float64 { return float64(vec.Exp(-float32(excess / tau))) }
