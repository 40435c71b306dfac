package model

import (
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// Item links are stored target by target: the number of sources, the sources as gaps (the number of items since the
// previous source, or item 0), and the weights in 63 steps of a scale per target. The scale is a float32 of 11
// significant bits, the smallest with which no weight exceeds 63 steps. So scale·step is exact, and decoded links
// encode to the same bytes again. The error is at most half a step, 1/126 of the target's largest weight, and up to a
// step for weights below half of one, because every link keeps a positive weight. On MovieLens small this changes
// Recall@10 by less than 0.001, in either direction; four times the steps would take a tenth more space.

// LinkSteps is the number of steps of a target's largest weight.
const LinkSteps = 63

const (
	linkMost     = 1<<16 - 1 // sources of a target
	maxLinkScale = MaxWeight / LinkSteps
)

// checkLinks checks the links whose γ is the leaf at, if any. O(n + links); it allocates nothing.
func (l checker) checkLinks(at leaf, n int) error {
	atCounts, atSources, atWeights, atScales := at+ofLinkCounts, at+ofLinkSources, at+ofLinkWeights, at+ofLinkScales
	if !l.has(at) {
		return nil
	}
	if g := l.float32(at); !(g > 0 && g <= MaxGamma) {
		return l.fail(OutOfRange, at, "it is %v and must be above 0 and at most %g", g, float64(MaxGamma))
	}
	if err := l.checkLength(atCounts, int64(n), 2); err != nil {
		return err
	}
	counts, links := l.bytes(atCounts), int64(0)
	for i := range n {
		links += int64(word16(counts, n, i))
	}
	if err := l.checkLength(atSources, links, 4); err != nil {
		return err
	}
	if err := l.checkLength(atWeights, links, 1); err != nil {
		return err
	}
	if err := l.checkFloats(atScales, int64(n), maxLinkScale); err != nil {
		return err
	}
	gaps, weights, scales := l.bytes(atSources), l.bytes(atWeights), l.bytes(atScales)
	x, k := 0, int(links) // the lengths have shown that they fit an int
	for i := range n {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		count := int(word16(counts, n, i))
		scale := math.Float32frombits(word32(scales, n, i))
		switch {
		case count == 0 && scale != 0:
			return l.fail(BadValue, atScales,
				"target %d has no sources and the scale %v, which must be 0", i, scale)
		case count > 0 && scale < minScale:
			return l.fail(OutOfRange, atScales, "target %d: a scale of %v", i, scale)
		}
		source, most := int64(-1), byte(0)
		for range count {
			source += int64(word32(gaps, k, x)) + 1
			if source >= int64(n) || source == int64(i) {
				return l.fail(OutOfRange, atSources, "target %d: source %d of %d items", i, source, n)
			}
			if w := weights[x]; w == 0 || w > LinkSteps {
				return l.fail(OutOfRange, atWeights,
					"target %d: a weight of %d steps, which must be 1 to %d", i, w, LinkSteps)
			}
			most = max(most, weights[x])
			x++
		}
		// Otherwise reading and writing would change the file, and a scale could be arbitrarily small.
		if count > 0 && most != LinkSteps {
			return l.fail(BadValue, atWeights,
				"target %d: the largest weight is %d steps and must be %d", i, most, LinkSteps)
		}
	}
	return nil
}

func (l *layout) links(at leaf, n int) *ItemLinks {
	counts, gaps := l.bytes(at+ofLinkCounts), l.bytes(at+ofLinkSources)
	weights, scales := l.bytes(at+ofLinkWeights), l.bytes(at+ofLinkScales)
	k := len(weights)
	p := &ItemLinks{
		Gamma: l.float32(at), Offsets: make([]int32, n+1),
		Sources: make([]int32, k), Weights: make([]float32, k),
	}
	x := 0
	for i := range n {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		scale := math.Float32frombits(word32(scales, n, i))
		source := int32(-1)
		for range word16(counts, n, i) {
			source += int32(word32(gaps, k, x)) + 1
			p.Sources[x], p.Weights[x] = source, float32(weights[x])*scale
			x++
		}
		p.Offsets[i+1] = int32(x)
	}
	return p
}
