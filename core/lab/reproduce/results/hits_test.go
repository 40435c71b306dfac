package results

import (
	"math/bits"
	"testing"
)

// A user's Recall@10 and NDCG@10 determine the ranks of their hits: there are as many outcomes as lists.
func TestHitsFollowFromFigures(t *testing.T) {
	lists := 0
	for items := int32(1); items <= K; items++ {
		for places := range uint16(1 << K) {
			if bits.OnesCount16(places) <= int(items) {
				lists++
			}
		}
	}
	if n := len(inverse()); n != lists {
		t.Errorf("%d outcomes of %d lists", n, lists)
	}
}
