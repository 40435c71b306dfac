package pmlam

import (
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// groups lists the items that a batch's anchors are composed of. Anchor i is the user of group of[i], composed from the
// group's members without the positives P of the anchor's own pairs, which are the targets:
//
//	θ_a = Π(free + w/(n−|P|) · (Σ_{j∈members} θ_j − Σ_{p∈P} θ_p))
type groups struct {
	of      []int32 // A: the group of each anchor
	users   []int32 // per group: the user, for the caller
	start   []int32 // groups+1: where its members begin
	members []int32 // rows of liked items
	weight  float32 // w

	sums   []float32 // groups×2h: Σ members
	ones   []float32 // as long as the largest group
	scales []float32 // A: factor by which Π scaled the anchor
}

// factor returns c = w/(n−targets) of anchor i; 0 if the user likes nothing else.
func (g *groups) factor(i, targets int) float32 {
	u := g.of[i]
	if n := int(g.start[u+1]-g.start[u]) - targets; n > 0 {
		return g.weight / float32(n)
	}
	return 0
}

// composeAnchors writes the anchors of the batch into dense. O((members + B)·h).
func (t *task) composeAnchors(workers int, x []float32, width int, radius float32) {
	g := t.batch.groups
	g.sums = resize(g.sums, len(g.users)*width)
	g.scales = resize(g.scales, len(t.batch.anchor))
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
	parallel.Do(workers, len(t.batch.anchor), func(worker, _, from, to int) {
		rest := t.work[worker].row
		for i := from; i < to; i++ {
			copy(rest, vec.Row(g.sums, int(g.of[i]), width))
			first, last := t.batch.of(i)
			for _, p := range t.batch.positive[first:last] {
				vec.Axpy(-1, vec.Row(x, int(p), width), rest)
			}
			var free []float32
			if r := t.batch.anchor[i]; r >= 0 {
				free = vec.Row(x, int(r), width)
			}
			anchor := vec.Row(t.dense, i, width)
			g.scales[i] = gaussian.Compose(anchor, free, rest, g.factor(i, last-first), radius)
			if t.points {
				clear(anchor[width/2:])
			}
		}
	})
}

// composeTerms propagates the gradients of the anchors to the rows that they are composed of. The gradient of a group's
// sum is the same for all its members except each pair's own positive, so it costs one vector per user instead of one
// per pair. O((members + B)·h).
func (t *task) composeTerms(workers int, width int, radius float32) {
	g, a := t.batch.groups, len(t.batch.anchor)
	base := len(t.dense)/width - len(g.users)
	parallel.Do(workers, a, func(_, _, from, to int) {
		for i := from; i < to; i++ {
			grad := vec.Row(t.dense, a+i, width)
			gaussian.ComposeBackward(grad, vec.Row(t.dense, i, width), g.scales[i], radius)
			first, last := t.batch.of(i)
			c := g.factor(i, last-first)
			for p := first; p < last; p++ {
				own := &t.terms[(p+1)*t.perPair()-1]
				*own = noTerm
				if c != 0 {
					*own = term{row: t.batch.positive[p], src: int32(a + i), coef: -c}
				}
			}
		}
	})
	// A single pass in the order of pairs: groups are few, and the order of additions must be fixed.
	clear(t.dense[base*width:])
	for i := range a {
		first, last := t.batch.of(i)
		if c := g.factor(i, last-first); c != 0 {
			vec.Axpy(c, vec.Row(t.dense, a+i, width), vec.Row(t.dense, base+int(g.of[i]), width))
		}
	}
	rest := t.terms[len(t.terms)-len(g.members):]
	for u := range g.users {
		for at := g.start[u]; at < g.start[u+1]; at++ {
			rest[at] = term{row: g.members[at], src: int32(base + u), coef: 1}
		}
	}
}
