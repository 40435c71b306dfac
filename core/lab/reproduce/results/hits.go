package results

import (
	"fmt"
	"math"
	"math/bits"
	"sync"
)

// Hits marks the test items among the first ten of every user's list. Recall@10 and NDCG@10 follow from it, to the bit.
type Hits struct {
	Users  []int32  // users with test items, ascending
	Items  []int32  // number of test items of each
	Places []uint16 // bit r is set if rank r+1 of the user's list is a test item
}

// Figures returns Recall@10 and NDCG@10 of a list with these hits for a user with this number of test items, as package
// eval computes them.
func Figures(places uint16, items int32) (recall, ndcg float32) {
	var dcg, ideal float64
	for r, gain := range gains {
		if places>>r&1 != 0 {
			dcg += gain
		}
		if r < int(items) {
			ideal += gain
		}
	}
	return float32(float64(bits.OnesCount16(places)) / float64(items)), float32(dcg / ideal)
}

// gains[r] is the gain of a hit at rank r+1.
var gains = func() (g [K]float64) {
	for r := range g {
		g[r] = 1 / math.Log2(float64(r+2))
	}
	return g
}()

// Values returns Recall@10 and NDCG@10 of every user.
func (h *Hits) Values() (recalls, ndcgs []float32) {
	recalls, ndcgs = make([]float32, len(h.Users)), make([]float32, len(h.Users))
	for i := range h.Users {
		recalls[i], ndcgs[i] = Figures(h.Places[i], h.Items[i])
	}
	return recalls, ndcgs
}

// Of returns the hits whose Values are these. The error names a user without such a list.
func Of(users, items []int32, recalls, ndcgs []float32) (Hits, error) {
	h := Hits{users, items, make([]uint16, len(users))}
	for i, n := range items {
		places, ok := inverse()[outcome{min(n, K), int32(math.Round(float64(recalls[i]) * float64(n))), ndcgs[i]}]
		if recall, _ := Figures(places, n); !ok || recall != recalls[i] {
			return Hits{}, fmt.Errorf("user %d with %d test items cannot have Recall@%d %g and NDCG@%d %g",
				users[i], n, K, recalls[i], K, ndcgs[i])
		}
		h.Places[i] = places
	}
	return h, nil
}

// outcome is the Recall@10 and NDCG@10 of a list of ten.
type outcome struct {
	items, found int32 // test items, at most ten, and the number of them in the list
	ndcg         float32
}

// inverse maps outcomes to hits. No two lists with equal numbers of hits have the same outcome.
var inverse = sync.OnceValue(func() map[outcome]uint16 {
	all := map[outcome]uint16{}
	for items := int32(1); items <= K; items++ {
		for places := range uint16(1 << K) {
			if found := int32(bits.OnesCount16(places)); found <= items {
				_, ndcg := Figures(places, items)
				all[outcome{items, found, ndcg}] = places
			}
		}
	}
	return all
})

// mean returns the mean of the users' values as package eval computes it.
func mean(values []float32) (sum float64) {
	for _, v := range values {
		sum += float64(v)
	}
	return sum / float64(len(values))
}
