package pmlam

import (
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

// Streams of random numbers: every use draws from its own, so that none depends on what another one took.
const (
	streamInit = iota + 1
	streamOrder
	streamCandidates
	streamPair                   // + the task's number
	streamNoise = streamPair + 3 // + the task's number
)

// seed mixes the run's seed, a stream and a counter into a PCG seed (splitmix64's finaliser, Steele et al. 2014).
func seedOf(seed, stream, counter uint64) (uint64, uint64) {
	mix := func(z uint64) uint64 {
		z += 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	a := mix(seed ^ mix(stream))
	return a, mix(a ^ counter)
}

// source is a random generator that can be set to any point of any stream.
type source struct {
	pcg rand.PCG
	*rand.Rand
}

func newSource() *source {
	s := &source{}
	s.Rand = rand.New(&s.pcg)
	return s
}

func (s *source) set(seed, stream, counter uint64) { s.pcg.Seed(seedOf(seed, stream, counter)) }

// outside draws an index in [0,n) that is not in row (ascending), uniformly; ok is false where row holds all of them.
// A few rejections, then the exact way: a rank among the missing ones, so nobody who has seen nearly everything can
// stall it. O(log len(row)), at worst O(len(row)).
func outside(row []int32, n int, r *rand.Rand) (int32, bool) {
	missing := n - len(row)
	if missing <= 0 {
		return 0, false
	}
	for range 8 {
		c := int32(r.IntN(n))
		if _, seen := slices.BinarySearch(row, c); !seen {
			return c, true
		}
	}
	return missingAt(row, r.IntN(missing)), true
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

// candidates are the first phase of the two-phase sampling: for each user some items they have not seen, from which
// the negatives of the next epochs are drawn.
type candidates struct {
	per   int     // at most so many a user
	items []int32 // U×per
	count []int32 // U: how many there are
}

// drawCandidates draws up to per unseen items for each row of m; where fewer are unseen it takes them all. The result
// depends on seed and round only. O(U·per·log).
func drawCandidates(m *dataset.Matrix, per int, seed, round uint64) *candidates {
	c := &candidates{per: per, items: make([]int32, m.Rows()*per), count: make([]int32, m.Rows())}
	r := newSource()
	for u := range m.Rows() {
		row, out := m.Row(u), c.items[u*per:(u+1)*per]
		missing := m.Cols - len(row)
		if missing <= per {
			for k := range missing {
				out[k] = missingAt(row, k)
			}
			c.count[u] = int32(missing)
			continue
		}
		r.set(seed, streamCandidates, round<<32|uint64(u))
		for k := range out {
			out[k], _ = outside(row, m.Cols, r.Rand)
		}
		c.count[u] = int32(per)
	}
	return c
}

// of returns the candidates of user u.
func (c *candidates) of(u int) []int32 { return c.items[u*c.per : u*c.per+int(c.count[u])] }

// ahead draws the candidates of one round after the other beside the training, one round ahead.
type ahead struct {
	rounds chan *candidates
	stop   chan struct{}
}

func drawAhead(m *dataset.Matrix, per int, seed uint64, from uint64) *ahead {
	a := &ahead{rounds: make(chan *candidates), stop: make(chan struct{})}
	go func() {
		for round := from; ; round++ {
			select {
			case a.rounds <- drawCandidates(m, per, seed, round):
			case <-a.stop:
				return
			}
		}
	}()
	return a
}
