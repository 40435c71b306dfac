package model

import (
	"fmt"
	"slices"
)

// ItemLinks is the sparse item-item part of the preset hybrid, B and γ: for every target item i, a few source items j
// with weights B_ji. It adds to the score of an item for a user:
//
//	score(u,i) = −W2²(u,i) + γ·Σ_{j ∈ history of u} B_ji
//
// The Gaussians place tastes smoothly; the links remember which titles go together. They are small (10 or 20 sources
// per target), need only the user's history, and explain themselves: each liked title contributes its own γ·B_ji. All
// sums run over the history in ascending order, in float32, with no operations that a compiler may fuse, so they have
// the same bits everywhere.
//
// Target i of I has the sources Sources[Offsets[i]:Offsets[i+1]], strictly ascending and without i itself, with the
// weights at the same positions of Weights.
type ItemLinks struct {
	Gamma   float32   // γ, in (0, MaxGamma]: one unit of B in units of W2²
	Offsets []int32   // I+1, ascending, from 0
	Sources []int32   // one per link
	Weights []float32 // B_ji of source j and target i, in (0, MaxWeight], one per link
}

// The largest γ and weight, both about a million. γ is in units of W2², which is below 10 in the unit ball; its default
// is 4; weights are cosines or regression weights, of the order of 1. At a million each, the sum over a history of a
// million likes stays below 2^60, so all scores stay finite and comparable with distances.
const (
	MaxGamma  = 1 << 20
	MaxWeight = 63 << 14
)

// Len returns I, the number of targets.
func (p *ItemLinks) Len() int { return max(len(p.Offsets)-1, 0) }

// Links returns the number of links.
func (p *ItemLinks) Links() int { return len(p.Sources) }

// Row returns the sources of a target and their weights. Both slices belong to p.
func (p *ItemLinks) Row(target int) (sources []int32, weights []float32) {
	from, to := p.Offsets[target], p.Offsets[target+1]
	return p.Sources[from:to:to], p.Weights[from:to:to]
}

// Of returns the contribution of source j to the score of target i: γ·B_ji, or 0 without a link. It is exactly the
// number that LinksBySource.Add adds. O(log of the target's sources).
func (p *ItemLinks) Of(target, source int) float32 {
	sources, weights := p.Row(target)
	at, ok := slices.BinarySearch(sources, int32(source))
	if !ok {
		return 0
	}
	return p.Gamma * weights[at]
}

// Check returns an error unless p is valid for the given number of items: lengths that match, sources in order and in
// range, weights and γ within their ranges. O(links).
func (p *ItemLinks) Check(items int) error {
	if p.Len() != items || len(p.Offsets) == 0 || p.Offsets[0] != 0 || len(p.Weights) != len(p.Sources) {
		return fmt.Errorf(
			"item links have %d targets, %d sources and %d weights; they must have %d targets, a weight per source",
			p.Len(), len(p.Sources), len(p.Weights), items)
	}
	if !(p.Gamma > 0 && p.Gamma <= MaxGamma) {
		return fmt.Errorf("γ of item links is %v and must be above 0 and at most %g",
			p.Gamma, float64(MaxGamma))
	}
	for i := range items {
		from, to := p.Offsets[i], p.Offsets[i+1]
		if to < from || int(to) > len(p.Sources) || i+1 == items && int(to) != len(p.Sources) {
			return fmt.Errorf("target %d of item links has sources from %d to %d of %d",
				i, from, to, len(p.Sources))
		}
		last := int32(-1)
		for at := from; at < to; at++ {
			j, w := p.Sources[at], p.Weights[at]
			if j <= last || int(j) >= items || int(j) == i {
				return fmt.Errorf("target %d of item links has the source %d after %d, of %d items",
					i, j, last, items)
			}
			if !(w > 0 && w <= MaxWeight) {
				return fmt.Errorf(
					"target %d of item links has the weight %v, which must be above 0 and at most %g",
					i, w, float64(MaxWeight))
			}
			last = j
		}
	}
	return nil
}
