package model

import (
	"fmt"
	"slices"
)

// ItemLinks is the sparse item-item part of the preset hybrid, B and γ: for every target item i a few source items j
// with weights B_ji. It adds to the score of an item for a user
//
//	score(u,i) = −W2²(u,i) + γ·Σ_{j ∈ history of u} B_ji
//
// The Gaussians place a taste smoothly; the part remembers which titles go together. It is small (10 or 20 sources a
// target), needs nothing of a user but their history, and explains itself: each liked title contributes its own γ·B_ji.
// All sums run over the history in ascending order, in float32, with nothing that a compiler may fuse, so they are the
// same bits everywhere.
//
// Target i of I has the sources Sources[Offsets[i]:Offsets[i+1]], strictly ascending and never i itself, with the
// weights at the same places of Weights.
type ItemLinks struct {
	Gamma   float32   // γ, in (0, MaxGamma]: so much of W2² is one unit of B worth
	Offsets []int32   // I+1, ascending, from 0
	Sources []int32   // one a link
	Weights []float32 // B_ji of source j and target i, in (0, MaxWeight], one a link
}

// The largest γ and weight, both about a million. γ is in units of W2², which lies below 10 in the unit ball, and 4 by
// default; weights are cosines or those of a regression, of the order of 1. With a million of each the sum over a
// history of a million likes stays below 2^60, so everything that is ranked by is finite and still of use beside a
// distance.
const (
	MaxGamma  = 1 << 20
	MaxWeight = 63 << 14
)

// Len returns I, the number of targets.
func (p *ItemLinks) Len() int { return max(len(p.Offsets)-1, 0) }

// Links returns the number of weights that are kept.
func (p *ItemLinks) Links() int { return len(p.Sources) }

// Row returns the sources of a target and their weights. Both belong to the part.
func (p *ItemLinks) Row(target int) (sources []int32, weights []float32) {
	from, to := p.Offsets[target], p.Offsets[target+1]
	return p.Sources[from:to:to], p.Weights[from:to:to]
}

// Of returns what source j adds to the score of target i: γ·B_ji, 0 where there is no link. It is the very number that
// LinksBySource.Add adds. O(log of the target's sources).
func (p *ItemLinks) Of(target, source int) float32 {
	sources, weights := p.Row(target)
	at, ok := slices.BinarySearch(sources, int32(source))
	if !ok {
		return 0
	}
	return p.Gamma * weights[at]
}

// Check returns an error where p is not a part over the given number of items: lengths that do not fit, sources out of
// order or range, a weight or γ outside its range. O(links).
func (p *ItemLinks) Check(items int) error {
	if p.Len() != items || len(p.Offsets) == 0 || p.Offsets[0] != 0 || len(p.Weights) != len(p.Sources) {
		return fmt.Errorf(
			"the item-item part has %d targets, %d sources and %d weights; it must have %d targets, a weight a source",
			p.Len(), len(p.Sources), len(p.Weights), items)
	}
	if !(p.Gamma > 0 && p.Gamma <= MaxGamma) {
		return fmt.Errorf("γ of the item-item part is %v and must be above 0 and at most %g",
			p.Gamma, float64(MaxGamma))
	}
	for i := range items {
		from, to := p.Offsets[i], p.Offsets[i+1]
		if to < from || int(to) > len(p.Sources) || i+1 == items && int(to) != len(p.Sources) {
			return fmt.Errorf("target %d of the item-item part has its sources from %d to %d of %d",
				i, from, to, len(p.Sources))
		}
		last := int32(-1)
		for at := from; at < to; at++ {
			j, w := p.Sources[at], p.Weights[at]
			if j <= last || int(j) >= items || int(j) == i {
				return fmt.Errorf("target %d of the item-item part has the source %d after %d, of %d items",
					i, j, last, items)
			}
			if !(w > 0 && w <= MaxWeight) {
				return fmt.Errorf(
					"target %d of the item-item part has the weight %v, which must be above 0 and at most %g",
					i, w, float64(MaxWeight))
			}
			last = j
		}
	}
	return nil
}
