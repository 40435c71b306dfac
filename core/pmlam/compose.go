package pmlam

import (
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// groups lists the items that a batch's anchors are composed of. Pair i's anchor is the user of group of[i], composed
// from the group's members without the pair's own positive, which is the target:
//
//	θ_a = Π(free + w/(n−1) · (Σ_{j∈members} θ_j − θ_p))
type groups struct {
	of      []int32 // B: which group
	users   []int32 // per group: the user, for the caller
	start   []int32 // groups+1: where its members begin
	members []int32 // rows of liked items
	weight  float32 // w

	sums   []float32 // groups×2h: Σ members
	ones   []float32 // as many as the largest group has members
	scales []float32 // B: factor by which Π scaled the anchor
}

// factor returns c = w/(n−1) of pair i, 0 where the user likes nothing else.
func (g *groups) factor(i int) float32 {
	u := g.of[i]
	if n := g.start[u+1] - g.start[u]; n > 1 {
		return g.weight / float32(n-1)
	}
	return 0
}

// composeAnchors writes the anchors of the batch into dense. O((members + B)·h).
func (t *task) composeAnchors(workers int, x []float32, width int, radius float32) {
	g := t.batch.groups
	g.sums = resize(g.sums, len(g.users)*width)
	g.scales = resize(g.scales, len(t.batch.positive))
	for u := range g.users {
		for n := int(g.start[u+1] - g.start[u]); len(g.ones) < n; {
			g.ones = append(g.ones, 1)
		}
	}
	parallel.Do(workers, len(g.users), func(_, _, from, to int) {
		for u := from; u < to; u++ {
			vec.SumRows(vec.Row(g.sums, u, width), g.ones, x, g.members[g.start[u]:g.start[u+1]])
		}
	})
	parallel.Do(workers, len(t.batch.positive), func(worker, _, from, to int) {
		rest := t.work[worker].row
		for i := from; i < to; i++ {
			copy(rest, vec.Row(g.sums, int(g.of[i]), width))
			vec.Axpy(-1, vec.Row(x, int(t.batch.positive[i]), width), rest)
			var free []float32
			if r := t.batch.anchor[i]; r >= 0 {
				free = vec.Row(x, int(r), width)
			}
			anchor := vec.Row(t.dense, i, width)
			g.scales[i] = gaussian.Compose(anchor, free, rest, g.factor(i), radius)
			if t.points {
				clear(anchor[width/2:])
			}
		}
	})
}

// composeTerms propagates the gradients by the anchors to the rows that they are composed of. The gradient by a group's
// sum is the same for all its members but each pair's own positive, so it costs one vector a user, not one a pair.
// O((members + B)·h).
func (t *task) composeTerms(workers int, width int, radius float32) {
	g, b := t.batch.groups, len(t.batch.positive)
	base := len(t.dense)/width - len(g.users)
	parallel.Do(workers, b, func(_, _, from, to int) {
		for i := from; i < to; i++ {
			grad := vec.Row(t.dense, b+i, width)
			gaussian.ComposeBackward(grad, vec.Row(t.dense, i, width), g.scales[i], radius)
			own := &t.terms[(i+1)*t.perPair()-1]
			*own = noTerm
			if c := g.factor(i); c != 0 {
				*own = term{row: t.batch.positive[i], src: int32(b + i), coef: -c}
			}
		}
	})
	// One pass in the order of pairs: groups are few and the additions must have one order.
	clear(t.dense[base*width:])
	for i := range b {
		if c := g.factor(i); c != 0 {
			vec.Axpy(c, vec.Row(t.dense, b+i, width), vec.Row(t.dense, base+int(g.of[i]), width))
		}
	}
	rest := t.terms[len(t.terms)-len(g.members):]
	for u := range g.users {
		for at := g.start[u]; at < g.start[u+1]; at++ {
			rest[at] = term{row: g.members[at], src: int32(base + u), coef: 1}
		}
	}
}
