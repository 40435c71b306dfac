package model

import (
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// The item-item part is kept target by target: how many sources each has, the sources as gaps (how many items lie
// between a source and the one before it, or item 0), and the weights in 63 steps of a scale of their target. The scale
// is a float32 of 11 significant bits, the smallest with which no weight needs more than 63 steps, so that scale·step
// is exact and what was decoded encodes to the same bytes again. The error is at most half a step, 1/126 of the
// target's largest weight, and up to a step for weights below half of one: every link keeps a weight above 0. On
// MovieLens small Recall@10 moves by less than 0.001 by that, in either direction; four times the steps would cost a
// tenth more space.

// LinkSteps is how many steps the largest weight of a target has.
const LinkSteps = 63

const (
	linkMost     = 1<<16 - 1 // sources of a target
	maxLinkScale = MaxWeight / LinkSteps
)

// checkLinks checks the item-item part where there is one. O(n + links); nothing is allocated.
func (l checker) checkLinks(n int) error {
	if !l.has(atGamma) {
		return nil
	}
	if g := l.float32(atGamma); !(g > 0 && g <= MaxGamma) {
		return l.fail(OutOfRange, atGamma, "it is %v and must be above 0 and at most %g", g, float64(MaxGamma))
	}
	if err := l.checkLength(atLinkCounts, int64(n), 2); err != nil {
		return err
	}
	counts, links := l.bytes(atLinkCounts), int64(0)
	for i := range n {
		links += int64(word16(counts, n, i))
	}
	if err := l.checkLength(atLinkSources, links, 4); err != nil {
		return err
	}
	if err := l.checkLength(atLinkWeights, links, 1); err != nil {
		return err
	}
	if err := l.checkFloats(atLinkScales, int64(n), maxLinkScale); err != nil {
		return err
	}
	gaps, weights, scales := l.bytes(atLinkSources), l.bytes(atLinkWeights), l.bytes(atLinkScales)
	at, k := 0, int(links) // the lengths have shown that they fit an int
	for i := range n {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		count := int(word16(counts, n, i))
		scale := math.Float32frombits(word32(scales, n, i))
		switch {
		case count == 0 && scale != 0:
			return l.fail(BadValue, atLinkScales,
				"target %d has no sources and the scale %v, which must be 0", i, scale)
		case count > 0 && scale < minScale:
			return l.fail(OutOfRange, atLinkScales, "target %d: a scale of %v", i, scale)
		}
		source, most := int64(-1), byte(0)
		for range count {
			source += int64(word32(gaps, k, at)) + 1
			if source >= int64(n) || source == int64(i) {
				return l.fail(OutOfRange, atLinkSources, "target %d: source %d of %d items", i, source, n)
			}
			if w := weights[at]; w == 0 || w > LinkSteps {
				return l.fail(OutOfRange, atLinkWeights,
					"target %d: a weight of %d steps, which must be 1 to %d", i, w, LinkSteps)
			}
			most = max(most, weights[at])
			at++
		}
		// Or the file would change by being read and written, and a scale could be as small as it liked.
		if count > 0 && most != LinkSteps {
			return l.fail(BadValue, atLinkWeights,
				"target %d: the largest weight is %d steps and must be %d", i, most, LinkSteps)
		}
	}
	return nil
}

// links makes the item-item part.
func (l *layout) links(n int) *ItemLinks {
	counts, gaps := l.bytes(atLinkCounts), l.bytes(atLinkSources)
	weights, scales := l.bytes(atLinkWeights), l.bytes(atLinkScales)
	k := len(weights)
	p := &ItemLinks{
		Gamma: l.float32(atGamma), Offsets: make([]int32, n+1),
		Sources: make([]int32, k), Weights: make([]float32, k),
	}
	at := 0
	for i := range n {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		scale := math.Float32frombits(word32(scales, n, i))
		source := int32(-1)
		for range word16(counts, n, i) {
			source += int32(word32(gaps, k, at)) + 1
			p.Sources[at], p.Weights[at] = source, float32(weights[at])*scale
			at++
		}
		p.Offsets[i+1] = int32(at)
	}
	return p
}
