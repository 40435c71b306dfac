package rank

import (
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/gaussian"
)

// Coded is a table of Gaussians in a byte a number, for catalogues of which float32 rows do not fit: a million items of h = 50
// take 122 MB. A row is kept as an int8 model file keeps it, μ = scale·q with q in −127…127 and σ = max(scale·q,
// gaussian.MinStddev) with q in 0…255, each with a scale of its own, of 11 significant bits so that products are exact: rows that
// come from such a file are kept as they are.
//
// Nearest finds the nearest of these rows exactly, without looking at most of their bytes twice. It is safe for concurrent use
// once all rows are there.
type Coded struct {
	h, width    int     // width: h rounded up to 8
	n           int     //
	means       []int8  // rows of width, zeros behind h; as many rows as the next multiple of sifted
	stddevs     []uint8 // n×h
	meanScale   []float32
	stddevScale []float32
	norm        []float32 // ‖θ_i‖²; +Inf for what fills up
	spread      []float32 // ‖σ_i‖
	longest     float64   // the largest ‖μ_i‖
	heaviest    float64   // the largest ‖θ_i‖²
	sift        Sift
	pool        sync.Pool // of *sieve
}

// Sift looks at n rows, n a multiple of 4: it writes the numbers of those with
//
//	norms_i − spread·spreads_i − step·scales_i·Σ_d query_d·codes_id ≤ limit
//
// to dst in ascending order, and returns how many they are. codes is n×len(query), len(query) a multiple of 8; sums stay within
// an int32. Rounding may differ by 2⁻²² of the largest term.
type Sift func(dst []uint32, query []int16, codes []int8, scales, norms, spreads []float32, step, spread, limit float32) int

const (
	sifted  = 4       // rows are sifted in groups of so many
	firstly = 1 << 10 // rows that are sifted first, when nothing is known yet
	batch   = 1 << 14 // rows that are sifted together: their figures stay in a cache
)

// sieve is the working memory of one Nearest.
type sieve struct {
	query []int16
	left  []uint32
	row   []float32
	top   Top
}

// NewCoded returns a table of no rows of dimension h, with memory for n. A nil sift means the processor's own. h must be at
// most 512, so that sums stay within an int32.
func NewCoded(h, n int, sift Sift) *Coded {
	if h < 1 || h > 512 {
		panic(LengthError{h, 512})
	}
	if sift == nil {
		sift = siftOwn
	}
	width, rows := (h+7)&^7, (n+sifted-1)&^(sifted-1)
	c := &Coded{
		h: h, width: width, sift: sift, means: make([]int8, 0, rows*width), stddevs: make([]uint8, 0, n*h),
		meanScale: make([]float32, 0, rows), stddevScale: make([]float32, 0, n), norm: make([]float32, 0, rows), spread: make([]float32, 0, rows),
	}
	c.pool.New = func() any {
		return &sieve{query: make([]int16, width), left: make([]uint32, batch), row: make([]float32, 2*h)}
	}
	return c
}

// Len returns the number of rows.
func (c *Coded) Len() int { return c.n }

// Append adds a row θ = [μ; σ] of finite numbers, 2h, rounded to its codes. Not for use beside Nearest. O(h).
func (c *Coded) Append(row []float32) {
	if len(row) != 2*c.h {
		panic(LengthError{len(row), 2 * c.h})
	}
	at := c.n * c.width
	c.means = append(c.means[:at], make([]int8, c.width)...)
	ms, ss := gaussian.Scale(row[:c.h], 127), gaussian.Scale(row[c.h:], 255)
	for d, x := range row[:c.h] {
		c.means[at+d] = int8(gaussian.Steps(x, ms))
	}
	for _, x := range row[c.h:] {
		c.stddevs = append(c.stddevs, uint8(gaussian.Steps(x, ss)))
	}
	c.meanScale, c.stddevScale = append(c.meanScale[:c.n], ms), append(c.stddevScale, ss)
	c.norm, c.spread = c.norm[:c.n], c.spread[:c.n]
	c.n++
	own := make([]float32, 2*c.h)
	c.Row(own, c.n-1)
	var mean, stddev float64
	for d := range c.h {
		mean += float64(own[d]) * float64(own[d])
		stddev += float64(own[c.h+d]) * float64(own[c.h+d])
	}
	c.norm, c.spread = append(c.norm, float32(mean+stddev)), append(c.spread, float32(math.Sqrt(stddev)))
	c.longest, c.heaviest = max(c.longest, math.Sqrt(mean)), max(c.heaviest, mean+stddev)
	// Rows that nobody can be near to fill the last group up.
	for n := c.n; n%sifted != 0; n++ {
		c.means = append(c.means, make([]int8, c.width)...)
		c.meanScale, c.norm, c.spread = append(c.meanScale, 0), append(c.norm, float32(math.Inf(1))), append(c.spread, 0)
	}
}

// Row writes row i as it is kept into dst (2h).
func (c *Coded) Row(dst []float32, i int) {
	ms, ss := c.meanScale[i], c.stddevScale[i]
	for d, q := range c.means[i*c.width:][:c.h] {
		dst[d] = ms * float32(q)
	}
	for d, q := range c.stddevs[i*c.h:][:c.h] {
		s := ss * float32(q)
		if s < gaussian.MinStddev {
			s = gaussian.MinStddev
		}
		dst[c.h+d] = s
	}
}

// Nearest appends to dst the k rows of keep (nil: all) that are nearest to the query (2h) by W2, nearest first, with Score = W2²
// in float64: exactly the order of sorting all of keep by (W2Squared of the row as it is kept, row).
//
// Most rows are ruled out by half of their bytes. With N_i = ‖θ_i‖² and the query's [μ; σ],
//
//	W2² = ‖θ‖² + N_i − 2 μ·μ_i − 2 σ·σ_i ≥ ‖θ‖² + N_i − 2 μ·μ_i − 2 ‖σ‖‖σ_i‖        (Cauchy–Schwarz)
//
// whose μ·μ_i is a product of small integers once μ is rounded to multiples of a step, of 32,767 on each side of 0, which
// changes it by step/2·√h·‖μ_i‖ at most. A row of which that bound, less all rounding, is above the k-th smallest W2² so far is
// none of the k nearest; every other one is looked at whole, in float64. O(n·h) bytes, and O(h) for each row that is not ruled
// out: some thousands of a million.
func (c *Coded) Nearest(dst []Hit, query []float32, k int, keep Set) []Hit {
	if len(query) != 2*c.h {
		panic(LengthError{len(query), 2 * c.h})
	}
	k = min(k, c.n)
	if k <= 0 {
		return dst
	}
	w := c.pool.Get().(*sieve)
	defer c.pool.Put(w)
	var mean, stddev, most float64
	for d := range c.h {
		m, s := float64(query[d]), float64(query[c.h+d])
		mean, stddev, most = mean+m*m, stddev+s*s, max(most, math.Abs(m))
	}
	step := float32(most / 32767)
	for d := range c.h {
		w.query[d] = 0
		if step > 0 {
			w.query[d] = int16(max(-32767, min(32767, math.RoundToEven(float64(query[d])/float64(step)))))
		}
	}
	whole := mean + stddev
	// What rounding can do: of the query, half a step and as much again for the step's own; of the figures and of the sifter's
	// arithmetic in float32, 2⁻²⁰ of the largest that occurs.
	slack := 2*float64(step)*math.Sqrt(float64(c.h))*c.longest + 0x1p-20*(4*whole+4*c.heaviest) + 1e-37
	spread := float32(2 * math.Sqrt(stddev))
	w.top.Reset(k)
	for from := 0; from < c.n; {
		to := min(from+batch, len(c.norm))
		if from == 0 {
			to = min(firstly, to)
		}
		limit := math.MaxFloat32
		if w.top.Full() {
			limit = w.top.Worst().Score - whole + slack
		}
		n := c.sift(w.left, w.query, c.means[from*c.width:to*c.width], c.meanScale[from:to], c.norm[from:to], c.spread[from:to],
			2*step, spread, float32(limit))
		for _, i := range w.left[:n] {
			if at := from + int(i); keep.Has(at) {
				c.Row(w.row, at)
				w.top.Offer(Hit{at, W2Squared(query, w.row)})
			}
		}
		from = to
	}
	return append(dst, w.top.Sorted()...)
}
