package rank

import (
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// Sieve finds the nearest of very many rows exactly without looking at most of them: it keeps 40 bytes of each, 64 numbers of
// four bits and two figures, which bound every distance from below. It is safe for concurrent use.
//
// What it keeps are codes of f, a map to 64 numbers that brings no two rows farther apart. With p orthonormal axes A (p×w, at
// most 63) and a centre m,
//
//	f(x) = [A(x−m); r]        r = ‖x − m − AᵀA(x−m)‖, what the axes leave of x
//
// since x−y is A's share and what is orthogonal to it, of which ‖u−v‖ ≥ |‖u‖−‖v‖|:
//
//	‖x−y‖² = ‖Ax−Ay‖² + ‖u_x−u_y‖² ≥ ‖f(x)−f(y)‖²
//
// and with g_i the codes' numbers and e_i ≥ ‖f(x_i)−g_i‖, by the triangle inequality,
//
//	‖q−x_i‖ ≥ ‖f(q)−g_i‖ − e_i
//
// so a row of which the right-hand side is above the k-th smallest distance is none of the k nearest. All others are looked at
// whole, in float64. Axes are the leading principal ones of a sample, so that 64 numbers say most of 2h; but which they are
// counts for speed alone, never for the answer. Trained models spread over all directions, σ's more than μ's, and of a million rows
// like theirs some thousands are looked at (docs/RATIONALE.md); where all directions count the same, most are.
type Sieve struct {
	n     int
	row   func(i int, dst []float32) []float32
	scan  Scan
	sift  Sift
	rest  func()
	lens  lens
	codes []uint16  // rows of vec.CodeWords, as many as the next multiple of sifted
	bases []float32 // ‖g_i‖² − e_i², g_i from the lowest codes; −Inf: cannot be ruled out; +Inf: fills up
	wrong []float32 // e_i

	sample []float32 // every stride-th row, as it is
	stride int

	heaviest, widest float64 // the largest ‖g_i‖² + e_i² and e_i of those that can be ruled out
	pool             sync.Pool
}

// Sift looks at n rows of codes, n a multiple of 4: it writes the numbers of those with
//
//	bases_i − spread·wrong_i − step·Σ_j query_j·code_ij ≤ limit
//
// to dst in ascending order, and returns how many they are. Number 16k+t of a row is the k-th nibble of its word t. Rounding is
// that of float32, each operation once.
type Sift func(dst []uint32, query *[vec.Codes]int16, codes []uint16, bases, wrong []float32, step, spread, limit float32) int

const (
	sifted  = 4       // rows are sifted in groups of so many
	batch   = 1 << 13 // rows that are sifted together
	sampled = 1 << 12 // rows that the first guess rests on
	huge    = 1e30    // squares beyond which float32 is not asked
)

// sieving is the working memory of one Nearest.
type sieving struct {
	query [vec.Codes]int16
	left  []uint32
	row   []float32
	look  looking
	near  []float32 // of the sample
	top   Top
}

// NewSieve makes a sieve of n rows of width w. row returns row i, in dst (w) or where it lies; rows must not change, and are asked
// for again whenever one is looked at. A nil scan or sift means the processor's own. rest, where it is not nil, is called every
// millisecond or two, here and in Nearest. O(n·w·64).
func NewSieve(n, w int, row func(i int, dst []float32) []float32, scan Scan, sift Sift, rest func()) *Sieve {
	if scan == nil {
		scan = vec.SquaredDistances
	}
	if sift == nil {
		sift = siftOwn
	}
	if rest == nil {
		rest = func() {}
	}
	s := &Sieve{n: n, row: row, scan: scan, sift: sift, rest: rest, stride: max(n/sampled, 1)}
	own := make([]float32, w)
	for i := 0; i < n; i += s.stride {
		s.sample = append(s.sample, row(i, own)...)
	}
	s.lens = newLens(w, s.sample, scan, rest)
	rows := (n + sifted - 1) &^ (sifted - 1)
	s.codes, s.bases, s.wrong = make([]uint16, rows*vec.CodeWords), make([]float32, rows), make([]float32, rows)
	s.pool.New = func() any {
		return &sieving{left: make([]uint32, batch), row: make([]float32, w), look: s.lens.looking(), near: make([]float32, len(s.sample)/w)}
	}
	work := s.pool.Get().(*sieving)
	defer s.pool.Put(work)
	for i := range n {
		if i&255 == 255 {
			rest()
		}
		s.keep(i, work)
	}
	for i := n; i < rows; i++ {
		s.bases[i] = float32(math.Inf(1))
	}
	return s
}

// keep writes what is kept of row i.
func (s *Sieve) keep(i int, own *sieving) {
	wrong := s.lens.look(&own.look, s.row(i, own.row), s.scan)
	var codes [vec.CodeWords]uint16
	var norm, square float64
	for j, x := range own.look.numbers {
		g := &s.lens.grid[j]
		c := max(0, min(15, math.RoundToEven((x-g.low)*g.perStep)))
		at := c * g.step
		norm += at * at
		square += (x - g.low - at) * (x - g.low - at)
		codes[j%vec.CodeWords] |= uint16(c) << (j / vec.CodeWords * 4)
	}
	// The figures' own rounding is a part of the slack in Nearest; that of e is made up for here.
	e := (math.Sqrt(square) + wrong) * (1 + 0x1p-20)
	if !(norm+e*e < huge) {
		s.bases[i] = float32(math.Inf(-1))
		return
	}
	copy(s.codes[i*vec.CodeWords:], codes[:])
	s.bases[i], s.wrong[i] = float32(norm-e*e), float32(e)
	s.heaviest, s.widest = max(s.heaviest, norm+e*e), max(s.widest, e)
}

// Len returns the number of rows.
func (s *Sieve) Len() int { return s.n }

// Nearest appends to dst the k rows of keep (nil: all) that are nearest to the query (w), nearest first, with a bonus for each
// (n, nil: none; finite): the order is exactly that of sorting all of keep by (W2Squared of query and row − bonus, row). Score is that cost.
//
// What a sample's nearest costs is guessed to be more than the last of the answer does; what cannot be below that is not looked at, and where
// the guess was too low all is done again without it. O(n + looked at·w).
func (s *Sieve) Nearest(dst []Hit, query, bonus []float32, k int, keep Set) []Hit {
	if len(query) != s.lens.w {
		panic(LengthError{len(query), s.lens.w})
	}
	if bonus != nil && len(bonus) != s.n {
		panic(LengthError{len(bonus), s.n})
	}
	k = min(k, s.n)
	if k <= 0 {
		return dst
	}
	own := s.pool.Get().(*sieving)
	defer s.pool.Put(own)
	if guess := s.guess(own, query, bonus, k, keep); !math.IsInf(guess, 1) {
		s.within(own, query, bonus, k, keep, guess)
		if own.top.Full() && own.top.Worst().Score <= guess {
			return append(dst, own.top.Sorted()...)
		}
	}
	s.within(own, query, bonus, k, keep, math.Inf(1))
	return append(dst, own.top.Sorted()...)
}

// offer offers row i where it may be among the k cheapest: by a scan first, and in float64 only where that leaves it open.
func (s *Sieve) offer(own *sieving, query, bonus []float32, i int) {
	row, near := s.row(i, own.row), own.near[:1]
	if own.top.Full() {
		s.scan(near, query, row)
		// What float32 does not hold leaves it open.
		if d := float64(near[0]); d < huge && cost(d*(1-scanError(len(query)))-1e-37, bonus, i) > own.top.Worst().Score {
			return
		}
	}
	own.top.Offer(Hit{i, cost(W2Squared(query, row), bonus, i)})
}

// guess returns a cost that k rows of keep probably do not exceed, +Inf where there is none: of a sample of every stride-th row
// about k/stride are among the k cheapest, with a standard deviation of its root.
func (s *Sieve) guess(own *sieving, query, bonus []float32, k int, keep Set) float64 {
	if s.stride < 2 {
		return math.Inf(1)
	}
	s.scan(own.near, query, s.sample)
	expected := float64(k) / float64(s.stride)
	own.top.Reset(int(expected+3*math.Sqrt(expected)) + 3)
	for at, d := range own.near {
		if i := at * s.stride; keep.Has(i) {
			own.top.Offer(Hit{i, cost(float64(d), bonus, i)})
		}
	}
	if !own.top.Full() {
		return math.Inf(1)
	}
	return own.top.Worst().Score
}

// within offers to own.top all rows of keep that may be among the k cheapest, if those cost no more than most. Those with a bonus
// come first, as they may lie anywhere; all others cost their W2² or more.
func (s *Sieve) within(own *sieving, query, bonus []float32, k int, keep Set, most float64) {
	own.top.Reset(k)
	for i, b := range bonus {
		if b > 0 && keep.Has(i) {
			s.offer(own, query, bonus, i)
		}
	}
	s.rest()
	off, norm, step := s.lens.turn(own, query, s.scan)
	for from := 0; from < s.n; from += batch {
		to := min(from+batch, len(s.bases))
		// Of the limit: float32 rounds every figure, product and difference, by 2⁻²⁴ of what occurs, and the query's own rounding is half a
		// step for each unit of a code.
		limit, spread := math.MaxFloat32, 0.0
		if own.top.Full() {
			most = min(most, own.top.Worst().Score)
		}
		if t := math.Sqrt(max(most, 0))*(1+0x1p-20) + off; norm+t*t < huge {
			spread = 2 * t
			limit = t*t - norm + 0x1p-20*(norm+s.heaviest+t*t+spread*s.widest) + 15*vec.Codes*1.01*step + 1e-37
		}
		by := float32(2 * step)
		if spread == 0 {
			by = 0
		}
		n := s.sift(own.left, &own.query, s.codes[from*vec.CodeWords:to*vec.CodeWords], s.bases[from:to], s.wrong[from:to], by, float32(spread), float32(limit))
		for _, x := range own.left[:n] {
			if i := from + int(x); keep.Has(i) && !(bonus != nil && bonus[i] > 0) {
				s.offer(own, query, bonus, i)
			}
		}
		s.rest()
	}
}
