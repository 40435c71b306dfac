package model

import "github.com/pmlam/pmlam/core/yield"

// LinksBySource holds item links by source: the contributions of each item of a history to the scores of others. It is
// read-only, so it is safe for concurrent use.
type LinksBySource struct {
	offsets []int32   // I+1
	targets []int32   // ascending within a source
	weights []float32 // γ·B_ji
}

// BySource returns the links by source. p must pass Check. O(I + links).
func (p *ItemLinks) BySource() *LinksBySource {
	n := p.Len()
	x := &LinksBySource{
		offsets: make([]int32, n+1),
		targets: make([]int32, len(p.Sources)),
		weights: make([]float32, len(p.Sources)),
	}
	for at, j := range p.Sources {
		if at&0xffff == 0 {
			yield.Now()
		}
		x.offsets[j+1]++
	}
	for j := range n {
		x.offsets[j+1] += x.offsets[j]
	}
	next := append([]int32(nil), x.offsets[:n]...)
	for i := range n {
		if i&1023 == 0 {
			yield.Now()
		}
		sources, weights := p.Row(i)
		for at, j := range sources {
			to := next[j]
			next[j]++
			x.targets[to], x.weights[to] = int32(i), p.Gamma*weights[at]
		}
	}
	return x
}

// Len returns I.
func (x *LinksBySource) Len() int { return len(x.offsets) - 1 }

// Add adds γ·Σ_{j ∈ history} B_ji to dst[i] for every target i. The history must be ascending, or the sums may differ
// in their last bits. dst has length I. O(links of the history's items), whatever I is.
func (x *LinksBySource) Add(dst []float32, history []int32) {
	for _, j := range history {
		targets, weights := x.of(j)
		for at, i := range targets {
			dst[i] += weights[at]
		}
	}
}

// AddWeighted is Add with a weight for each item of the history.
func (x *LinksBySource) AddWeighted(dst []float32, history []int32, counting []float32) {
	for k, j := range history {
		c := counting[k]
		targets, weights := x.of(j)
		for at, i := range targets {
			dst[i] += float32(c * weights[at])
		}
	}
}

// Subtract is Add with the opposite sign, for dislikes.
func (x *LinksBySource) Subtract(dst []float32, history []int32) {
	for _, j := range history {
		targets, weights := x.of(j)
		for at, i := range targets {
			dst[i] -= weights[at]
		}
	}
}

// of returns the targets of a source, ascending, and γ·B of each.
func (x *LinksBySource) of(source int32) (targets []int32, weights []float32) {
	from, to := x.offsets[source], x.offsets[source+1]
	return x.targets[from:to], x.weights[from:to]
}

// Links returns the number of links of a history's items.
func (x *LinksBySource) Links(history []int32) (n int) {
	for _, j := range history {
		n += int(x.offsets[j+1] - x.offsets[j])
	}
	return n
}

// Targets appends the targets of a history's items to dst, once per link.
func (x *LinksBySource) Targets(dst []int32, history []int32) []int32 {
	for _, j := range history {
		dst = append(dst, x.targets[x.offsets[j]:x.offsets[j+1]]...)
	}
	return dst
}
