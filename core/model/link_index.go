package model

import "github.com/pmlam/pmlam/core/yield"

// Index is a Part turned round, by source: what each item of a history speaks for. It is read only, so any number of
// goroutines may use it.
type LinkIndex struct {
	offsets []int32   // I+1
	targets []int32   // ascending within a source
	weights []float32 // γ·B_ji
}

// NewLinkIndex returns p by source. p must pass Check. O(I + links).
func NewLinkIndex(p *ItemLinks) *LinkIndex {
	n := p.Len()
	x := &LinkIndex{
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
func (x *LinkIndex) Len() int { return len(x.offsets) - 1 }

// Add adds γ·Σ_{j ∈ history} B_ji to dst[i] for every target i. The history must be ascending, or the sums may differ in
// their last bits. dst has length I. O(links of the history's items), whatever I is.
func (x *LinkIndex) Add(dst []float32, history []int32) {
	for _, j := range history {
		from, to := x.offsets[j], x.offsets[j+1]
		weights := x.weights[from:to]
		for at, i := range x.targets[from:to] {
			dst[i] += weights[at]
		}
	}
}

// AddWeighted is Add with each item of the history counting as often as its weight says.
func (x *LinkIndex) AddWeighted(dst []float32, history []int32, counting []float32) {
	for k, j := range history {
		c := counting[k]
		from, to := x.offsets[j], x.offsets[j+1]
		weights := x.weights[from:to]
		for at, i := range x.targets[from:to] {
			dst[i] += float32(c * weights[at])
		}
	}
}

// Subtract is Add with the sign turned round: for what is disliked.
func (x *LinkIndex) Subtract(dst []float32, history []int32) {
	for _, j := range history {
		from, to := x.offsets[j], x.offsets[j+1]
		weights := x.weights[from:to]
		for at, i := range x.targets[from:to] {
			dst[i] -= weights[at]
		}
	}
}

// Targets appends to dst the targets that the items of a history speak for, each as often as there are links to it.
func (x *LinkIndex) Targets(dst []int32, history []int32) []int32 {
	for _, j := range history {
		dst = append(dst, x.targets[x.offsets[j]:x.offsets[j+1]]...)
	}
	return dst
}
