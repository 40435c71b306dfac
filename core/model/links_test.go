//go:build !js

package model

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// TestLinksAreKept checks that a file keeps sources and γ exactly, weights within half a step of their target's
// largest, or a whole step for weights that would vanish, and the order of a target's weights.
func TestLinksAreKept(t *testing.T) {
	const n = 500
	m := full(n, 2, Float32)
	m.ItemItem = partOf(n, 12)
	got, want := decode(t, encode(t, m)).ItemItem, m.ItemItem
	if err := got.Check(n); err != nil {
		t.Fatal(err)
	}
	if got.Gamma != want.Gamma || !slices.Equal(got.Offsets, want.Offsets) || !slices.Equal(got.Sources, want.Sources) {
		t.Fatal("γ or sources changed")
	}
	for i := range n {
		_, a := got.Row(i)
		_, b := want.Row(i)
		for k := range b {
			// A scale of 11 bits is up to 1/1024 too large.
			step := float64(slices.Max(b)) / LinkSteps * (1 + 1.0/1024)
			if e := math.Abs(float64(a[k] - b[k])); e > step/2*(1+1e-5) && !(float64(b[k]) < step/2 && e <= step) {
				t.Fatalf("target %d: %v became %v, step %v", i, b[k], a[k], step)
			}
			if kept := float32(want.Steps(i, int(want.Sources[int(want.Offsets[i])+k]))) * want.Step(i); a[k] != kept {
				t.Fatalf("target %d: %v became %v, and %v by its steps", i, b[k], a[k], kept)
			}
			for l := range k {
				if b[l] < b[k] && a[l] > a[k] {
					t.Fatalf("target %d: the order of %v and %v changed", i, b[l], b[k])
				}
			}
		}
	}
}

// TestLinkLimitsCanBeKept checks the largest γ and weights, weights that differ by more than any number of steps, and
// no links at all.
func TestLinkLimitsCanBeKept(t *testing.T) {
	for name, p := range map[string]*ItemLinks{
		"largest": {Gamma: MaxGamma, Offsets: []int32{0, 1, 2, 3}, Sources: []int32{1, 2, 0}, Weights: []float32{MaxWeight, 1, 1e-30}},
		"spread":  {Gamma: 1e-30, Offsets: []int32{0, 2, 2, 2}, Sources: []int32{1, 2}, Weights: []float32{1e-30, 1e6}},
		"none":    {Gamma: 1, Offsets: []int32{0, 0, 0, 0}},
	} {
		m := golden(Float32)
		m.ItemItem = p
		if got := decode(t, encode(t, m)).ItemItem; got.Check(3) != nil || got.Links() != p.Links() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A preference for little-known items that was given up is kept, and costs nothing otherwise.
func TestNoRarityIsKept(t *testing.T) {
	m := goldenLinked(Int8)
	before := encode(t, m)
	m.Objective.NoRarity = true
	b := encode(t, m)
	if got := decode(t, b); !got.Objective.NoRarity || len(b) == len(before) || !bytes.Equal(encode(t, got), b) {
		t.Errorf("%+v became %+v", m.Objective, got.Objective)
	}
	if bytes.Contains(before, []byte("noRarity")) {
		t.Error("false is written")
	}
}

// A prior of the links is kept, costs nothing where there is none, and halves the share of that many likes.
func TestLinkPriorIsKept(t *testing.T) {
	m := goldenLinked(Int8)
	before := encode(t, m)
	m.Objective.LinkPrior = 2.5
	b := encode(t, m)
	got := decode(t, b)
	if got.Objective != m.Objective || len(b) == len(before) || !bytes.Equal(encode(t, got), b) {
		t.Errorf("%+v became %+v", m.Objective, got.Objective)
	}
	if bytes.Contains(before, []byte("linkPrior")) {
		t.Error("a prior of 0 is written")
	}
	for n, want := range map[int]float32{0: 1, 1: 1 / 3.5, 5: 5 / 7.5} {
		if share := m.Objective.LinkShare(n); share != want {
			t.Errorf("of %d likes %v counts, want %v", n, share, want)
		}
	}
}
