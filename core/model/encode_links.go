//go:build !js || train

package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
)

// links fills in p, if any, as the map key whose γ is the leaf to. n is the number of items.
func (v *values) links(p *ItemLinks, key string, to leaf, n int) error {
	if p == nil {
		return nil
	}
	if err := p.Check(n); err != nil {
		return &Error{BadValue, -1, "content." + key, err.Error()}
	}
	k := p.Links()
	counts, gaps, steps, scales := make([]byte, 2*n), make([]byte, 4*k), make([]byte, k), make([]byte, 4*n)
	at := 0
	for i := range n {
		sources, weights := p.Row(i)
		if len(sources) > linkMost {
			return &Error{TooLarge, -1, "content." + key + ".sourceCounts", fmt.Sprintf(
				"target %d has %d sources, but at most %d are allowed", i, len(sources), linkMost)}
		}
		putWord16(counts, n, i, uint16(len(sources)))
		if len(sources) == 0 {
			continue
		}
		scale := p.Step(i)
		if scale == 0 {
			return &Error{OutOfRange, -1, "content." + key + ".weights", fmt.Sprintf(
				"target %d: its largest weight is %v, which is too small to be kept", i, slices.Max(weights))}
		}
		putWord32(scales, n, i, math.Float32bits(scale))
		last := int32(-1)
		for x, j := range sources {
			putWord32(gaps, k, at, uint32(j-last-1))
			steps[at] = stepsOf(weights[x], scale)
			last = j
			at++
		}
	}
	v[to].bool, v[to].float = true, p.Gamma
	v[to+ofLinkCounts].bytes, v[to+ofLinkSources].bytes = counts, gaps
	v[to+ofLinkWeights].bytes, v[to+ofLinkScales].bytes = steps, scales
	return nil
}

// Step returns the weight of one step of a target in a file: the largest weight has LinkSteps of them. It is 0 if the
// target has no sources, or the largest weight is too small to be stored. O(sources).
func (p *ItemLinks) Step(target int) float32 {
	_, weights := p.Row(target)
	return gaussian.Scale(weights, LinkSteps)
}

// Steps returns the weight of one of a target's sources in steps, 1 to LinkSteps. O(sources).
func (p *ItemLinks) Steps(target, source int) byte {
	sources, weights := p.Row(target)
	at, _ := slices.BinarySearch(sources, int32(source))
	return stepsOf(weights[at], p.Step(target))
}

func stepsOf(weight, step float32) byte { return byte(max(1, gaussian.Steps(weight, step))) }
