package training

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014), a bijection that affects every bit.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// gamma is SplitMix64's increment, 2⁶⁴ divided by the golden ratio.
const gamma = 0x9e3779b97f4a7c15

// Start returns the initial state of a stream for a counter.
func Start(seed, stream, counter uint64) uint64 {
	return mix(mix(mix(seed+gamma)^stream*gamma) + counter*gamma)
}

// Source is SplitMix64: its n-th number is mix(state + n·gamma), so any number of any stream can be computed directly,
// on any machine. It is a rand.Source. The zero value starts at 0; Set sets another start.
type Source struct{ state uint64 }

// NewSource returns a source that starts at Start(seed, stream, counter).
func NewSource(seed, stream, counter uint64) *Source { return &Source{Start(seed, stream, counter)} }

// Set restarts s at Start(seed, stream, counter).
func (s *Source) Set(seed, stream, counter uint64) { s.state = Start(seed, stream, counter) }

// Uint64 returns the next number.
func (s *Source) Uint64() uint64 {
	s.state += gamma
	return mix(s.state)
}

// Below returns a number in [0,n), n > 0. It is uniform up to n/2⁶⁴.
func (s *Source) Below(n int) int {
	high, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(high)
}

// Order returns a permutation of 0…n−1 that depends on seed, stream and counter, in dst if it is large enough. O(n).
func Order(dst []int32, n int, seed, stream, counter uint64) []int32 {
	dst = slices.Grow(dst[:0], n)[:n]
	for i := range dst {
		dst[i] = int32(i)
	}
	rand.New(NewSource(seed, stream, counter)).Shuffle(n, func(i, j int) { dst[i], dst[j] = dst[j], dst[i] })
	return dst
}

// OrderTogether returns a permutation of 0…n−1 that depends on seed, stream and counter and keeps up to size numbers of
// a run adjacent. Run k is [starts[k], starts[k+1]), and n is the last of starts. Each run is shuffled and cut into
// pieces of size (the last may be shorter), and the pieces are shuffled. The result is in dst if that is large enough.
// O(n).
func OrderTogether(dst, starts []int32, size int, seed, stream, counter uint64) []int32 {
	return orderPieces(dst, starts, func(int) int { return size }, seed, stream, counter)
}

// OrderParts is OrderTogether with pieces of PartSize: it cuts each run into parts pieces.
func OrderParts(dst, starts []int32, parts int, seed, stream, counter uint64) []int32 {
	return orderPieces(dst, starts, func(n int) int { return PartSize(n, parts) }, seed, stream, counter)
}

// PartSize returns the maximum size of one of parts equal parts of n, which is n/parts rounded up, at least 1.
func PartSize(n, parts int) int { return max(1, (n+parts-1)/parts) }

func orderPieces(dst, starts []int32, size func(n int) int, seed, stream, counter uint64) []int32 {
	n := int(starts[len(starts)-1])
	dst = slices.Grow(dst[:0], n)[:0]
	random := rand.New(NewSource(seed, stream, counter))
	inRun := make([]int32, n)
	var pieces [][]int32
	for k := range len(starts) - 1 {
		run := inRun[starts[k]:starts[k+1]]
		for i := range run {
			run[i] = starts[k] + int32(i)
		}
		random.Shuffle(len(run), func(i, j int) { run[i], run[j] = run[j], run[i] })
		pieces = slices.AppendSeq(pieces, slices.Chunk(run, size(len(run))))
	}
	random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	for _, piece := range pieces {
		dst = append(dst, piece...)
	}
	return dst
}

// Outside draws an index uniformly in [0,n) that is not in row (ascending); ok is false if row has every index. After a
// few rejections it draws a rank among the missing ones, so a user who has seen almost everything cannot stall it.
// O(log len(row)), at worst O(len(row)).
func Outside(row []int32, n int, r *Source) (index int32, ok bool) {
	missing := n - len(row)
	if missing <= 0 {
		return 0, false
	}
	for range 8 {
		c := int32(r.Below(n))
		if !contains(row, c) {
			return c, true
		}
	}
	return MissingAt(row, r.Below(missing)), true
}

// contains reports whether c is in row, which is ascending. A branch on the search half would be unpredictable, so the
// step is arithmetic instead. O(log len(row)).
func contains(row []int32, c int32) bool {
	if len(row) == 0 {
		return false
	}
	at := 0
	for n := len(row); n > 1; {
		half := n / 2
		upper := (int64(row[at+half]) - int64(c) - 1) >> 63 // all ones if row[at+half] ≤ c, else 0
		at += half & int(upper)
		n -= half
	}
	return row[at] == c
}

// MissingAt returns the index of the given rank (from 0) among those not in row, which is ascending. O(log len(row)).
func MissingAt(row []int32, rank int) int32 {
	// row[i] − i indices are missing before row[i]; the answer is before the first i where that exceeds rank.
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

// Candidates are the first phase of two-phase sampling: every few epochs (a round), each user gets a random set of
// unseen items, from which the negatives are drawn. The set is computed, not stored: the k-th candidate of a user in a
// round follows from the seed, so it needs neither preparation nor memory.
type Candidates struct {
	Seed, Stream, Round uint64 // Stream + Round·2⁸ is the stream of a round
	Per                 int    // maximum number per user
	Items               int    // I
}

// Draw draws one of the user's candidates with r. row holds the items that the user has seen, fewer than all. If at
// most Per are unseen, all of those are candidates. O(log len(row)), at worst O(len(row)).
func (c *Candidates) Draw(u int32, row []int32, r *Source) int32 {
	if missing := c.Items - len(row); missing <= c.Per {
		return MissingAt(row, r.Below(missing))
	}
	return c.At(u, row, r.Below(c.Per))
}

// At returns the k-th candidate of a user with more than Per unseen items.
func (c *Candidates) At(u int32, row []int32, k int) int32 {
	var r Source
	r.Set(c.Seed, c.Stream+c.Round<<8, uint64(u)<<32|uint64(k))
	item, _ := Outside(row, c.Items, &r)
	return item
}
