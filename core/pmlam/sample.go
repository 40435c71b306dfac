package pmlam

import (
	"math/bits"
	"slices"
)

// Streams of random numbers: every use draws from its own, so that none depends on what another one took.
const (
	streamInit = iota + 1
	streamOrder
	streamCandidates
	streamPair                   // + the task's number
	streamNoise = streamPair + 3 // + the task's number
)

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014), a bijection that leaves no bit where it was.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// gamma is SplitMix64's increment, 2⁶⁴ divided by the golden ratio.
const gamma = 0x9e3779b97f4a7c15

// seedOf returns where the numbers of a stream begin that belong to counter.
func seedOf(seed, stream, counter uint64) uint64 {
	return mix(mix(mix(seed+gamma)^stream*gamma) + counter*gamma)
}

// source is SplitMix64: its n-th number is mix(state + n·gamma), so that any number of any stream can be had at once,
// on any machine, and nothing of a generator needs to be kept in a checkpoint.
type source struct{ state uint64 }

func (s *source) set(seed, stream, counter uint64) { s.state = seedOf(seed, stream, counter) }

// Uint64 returns the next number; with it a source is a rand.Source.
func (s *source) Uint64() uint64 {
	s.state += gamma
	return mix(s.state)
}

// below returns a number in [0,n), n > 0. It is uniform up to n/2⁶⁴.
func (s *source) below(n int) int {
	high, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(high)
}

// outside draws an index in [0,n) that is not in row (ascending), uniformly; ok is false where row holds all of them.
// A few rejections, then the exact way: a rank among the missing ones, so nobody who has seen nearly everything can
// stall it. O(log len(row)), at worst O(len(row)).
func outside(row []int32, n int, r *source) (int32, bool) {
	missing := n - len(row)
	if missing <= 0 {
		return 0, false
	}
	for range 8 {
		c := int32(r.below(n))
		if _, seen := slices.BinarySearch(row, c); !seen {
			return c, true
		}
	}
	return missingAt(row, r.below(missing)), true
}

// missingAt returns the index that is the rank-th (from 0) not in row, which is ascending. O(log len(row)).
func missingAt(row []int32, rank int) int32 {
	// row[i] − i indices are missing before row[i]; the answer lies before the first i where that exceeds rank.
	lo, hi := 0, len(row)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(row[mid])-mid > rank {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return int32(rank + lo)
}

// candidates are the first phase of the two-phase sampling: for every user a number of items that they have not seen,
// drawn anew every few epochs, from which the negatives are drawn. They are a function and no table: which is the k-th
// candidate of a user in a round follows from the seed, so nobody waits for them and they take no memory.
type candidates struct {
	seed, round uint64
	per         int // at most so many a user
	items       int // I
}

// draw draws one of the user's candidates, with r; row is what they have seen, fewer than all items. Where no more
// than per are unseen, all of them are candidates. O(log len(row)), at worst O(len(row)).
func (c *candidates) draw(u int32, row []int32, r *source) int32 {
	if missing := c.items - len(row); missing <= c.per {
		return missingAt(row, r.below(missing))
	}
	return c.at(u, row, r.below(c.per))
}

// at returns the k-th candidate of a user who has more than per items to see.
func (c *candidates) at(u int32, row []int32, k int) int32 {
	var r source
	r.set(c.seed, streamCandidates+c.round<<8, uint64(u)<<32|uint64(k))
	item, _ := outside(row, c.items, &r)
	return item
}
