//go:build gpu && linux

package pmlam

import (
	"cmp"
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// anchors lists the anchors of the batch in the same way as sampleUserItem: their users and, if likes are learned in
// parts, the pairs of each. O(pairs of the batch).
func (g *onGPU) anchors(b *training.Batch) {
	g.users, g.part = g.users[:0], g.part[:0]
	for _, at := range b.Order[b.From:b.To] {
		g.users = append(g.users, g.t.pairs[at].Row)
	}
	if g.t.cfg.UserParts == 0 {
		return
	}
	g.users, g.starts = g.t.joinParts(g.users, g.starts)
	for a := range g.users {
		for range g.starts[a+1] - g.starts[a] {
			g.part = append(g.part, int32(a))
		}
	}
}

// members returns the total number of items that the users of the batch's anchors like.
func (g *onGPU) members(number int) (n int) {
	for _, u := range g.users {
		if g.last[u] != int32(number) {
			g.last[u] = int32(number)
			n += len(g.t.train.Row(int(u)))
		}
	}
	return n
}

// mostMembers returns an upper bound of members for a batch of b pairs. It fills the batch with the users of the most
// likes per pair, each with one pair or, with parts, with their smallest part. With parts it adds two users for the
// parts that the batch's ends cut. O(U log U).
func (g *onGPU) mostMembers(b int) (n int) {
	type user struct{ likes, pairs int }
	users := make([]user, g.t.train.Rows())
	longest := 0
	for u := range users {
		likes := len(g.t.train.Row(u))
		users[u], longest = user{likes, 1}, max(longest, likes)
		if g.t.cfg.UserParts > 0 && likes > 0 {
			size := training.PartSize(likes, g.t.cfg.UserParts)
			users[u].pairs = likes - (likes-1)/size*size
		}
	}
	slices.SortFunc(users, func(a, b user) int { return cmp.Compare(b.likes*a.pairs, a.likes*b.pairs) })
	for _, u := range users {
		if b <= 0 {
			break
		}
		n, b = n+u.likes, b-u.pairs
	}
	if g.t.cfg.UserParts > 0 {
		n += 2 * longest
	}
	return n
}

// partWeights returns the weight of the loss of a part, by its number of pairs, from 0.
func (g *onGPU) partWeights(task *task) []float32 {
	weights := make([]float32, g.largestPart()+1)
	for n := 1; n < len(weights); n++ {
		weights[n] = task.weight * float32(vec.Pow(float64(n), -task.discount))
	}
	return weights
}

// largestPart returns the maximum number of pairs in a part.
func (g *onGPU) largestPart() (n int) {
	for u := range g.t.train.Rows() {
		n = max(n, training.PartSize(len(g.t.train.Row(u)), g.t.cfg.UserParts))
	}
	return n
}
