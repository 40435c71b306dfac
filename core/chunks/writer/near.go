package writer

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/recommend"
)

const (
	nearSize   = 100 // average items of a cell
	genresSeen = 32  // most frequent genres that count when items are divided
	// Coordinates of being little known and of a genre, next to those of the row: as a difference of costs changes W2².
	rareScale, genreScale = .25, .25
	deviations            = 2.5 // as in package chunks
)

// Cells holds cells of similar items in memory, for recommenders over all items (recommend.Recommender.WithNearby). It
// is safe for concurrent use.
type Cells struct {
	items    []int32   // cell by cell
	first    []int32   // C+1: where each cell begins in items
	means    points    // C×2h
	variance []float32 // C: mean ‖θ − mean‖²
	rare     []moments // C: of ln((1 + c)/(1 + count))·τ
	genres   [][]share // C
	pool     sync.Pool // of *order
}

var _ recommend.Nearby = (*Cells)(nil)

type moments struct{ mean, variance float32 }

// share is the share of a cell's items that have a genre.
type share struct {
	genre int32
	of    float32
}

// NewCells divides the items into cells of similar rows, popularity and genres, by the same steps as Write. The same
// model gives the same cells for any number of workers (0: one for each processor). The error is that of ctx.
//
// A million items of h = 50 take 70 s of a processor and 500 MB while it runs, and 10 MB afterwards. O(I·√C·h).
func NewCells(ctx context.Context, r *recommend.Recommender, workers int) (*Cells, error) {
	n, w, f := r.Len(), len(r.Row(0)), r.Formula()
	places := map[string]int{}
	for g, name := range r.Genres() {
		places[name] = g
	}
	all := points{make([]float32, 0, n*(w+1+min(len(places), genresSeen))), w + 1 + min(len(places), genresSeen)}
	rare := func(i int) float64 { return f.Unit * math.Log(float64(1+f.FewKnow)/float64(1+max(r.Item(i).Count, 0))) }
	for i := range n {
		all.data = append(append(all.data, r.Row(i)...), make([]float32, all.w-w)...)
		extra := all.row(i)[w:]
		extra[0] = rareScale * float32(rare(i))
		for _, name := range r.Item(i).Genres {
			if g, ok := places[name]; ok && g < genresSeen {
				extra[1+g] = genreScale
			}
		}
	}
	cells, err := all.cells(ctx, nearSize, workers, func(int, int) {})
	if err != nil {
		return nil, err
	}
	x := &Cells{first: []int32{0}, means: points{w: w}, items: make([]int32, 0, n)}
	x.pool.New = func() any { return new(order) }
	for _, of := range cells {
		mean := all.mean(of)[:w]
		x.means.data = append(x.means.data, mean...)
		sum, known, counts := 0.0, moments{}, map[int]int{}
		for _, i := range of {
			x.items = append(x.items, int32(i))
			sum += float64(vec.SquaredDistance(r.Row(i), mean))
			known.mean += float32(rare(i) / float64(len(of)))
			for k, name := range r.Item(i).Genres {
				if g, ok := places[name]; ok && !slices.Contains(r.Item(i).Genres[:k], name) {
					counts[g]++
				}
			}
		}
		for _, i := range of {
			d := rare(i) - float64(known.mean)
			known.variance += float32(d * d / float64(len(of)))
		}
		var shares []share
		for g := range r.Genres() {
			if counts[g] > 0 {
				shares = append(shares, share{int32(g), float32(counts[g]) / float32(len(of))})
			}
		}
		x.first = append(x.first, int32(len(x.items)))
		x.variance = append(x.variance, float32(sum/float64(len(of))))
		x.rare, x.genres = append(x.rare, known), append(x.genres, shares)
	}
	return x, nil
}

// order is the scratch space of Near.
type order struct {
	distances []float32
	begin     []float32
	heap      []int32 // cells, the one that begins nearest at the root
}

// Order returns the items, cell by cell.
func (x *Cells) Order() []int32 { return x.items }

// Near yields the cells in the order of the cost at which each is assumed to begin, m − 2.5·sd, with the mean m and the
// standard deviation sd of its items' costs, as if W2², being little known and each genre were independent within a
// cell. It takes O(C·h + C·genres of a cell), and O(log C) for each cell.
func (x *Cells) Near(t recommend.Tendency) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		o := x.pool.Get().(*order)
		defer x.pool.Put(o)
		n := x.means.len()
		o.distances, o.begin = slices.Grow(o.distances[:0], n)[:n], slices.Grow(o.begin[:0], n)[:n]
		o.heap = slices.Grow(o.heap[:0], n)[:n]
		vec.SquaredDistances(o.distances, t.Row, x.means.data)
		for c, d := range o.distances {
			v, rare := x.variance[c], x.rare[c]
			mean := d + v - t.Rare*rare.mean
			variance := (4*d*v+2*v*v)/float32(x.means.w) + t.Rare*t.Rare*rare.variance
			for _, s := range x.genres[c] {
				b := t.Genres[s.genre]
				mean -= b * s.of
				variance += b * b * s.of * (1 - s.of)
			}
			o.begin[c], o.heap[c] = mean-deviations*float32(math.Sqrt(float64(variance))), int32(c)
		}
		for at := n/2 - 1; at >= 0; at-- {
			o.sink(at)
		}
		for len(o.heap) > 0 {
			c, last := o.heap[0], len(o.heap)-1
			if !yield(int(x.first[c]), int(x.first[c+1])) {
				return
			}
			o.heap[0] = o.heap[last]
			o.heap = o.heap[:last]
			o.sink(0)
		}
	}
}

// before reports whether the cell at place a of the heap begins before that at b.
func (o *order) before(a, b int) bool {
	x, y := o.heap[a], o.heap[b]
	return o.begin[x] < o.begin[y] || o.begin[x] == o.begin[y] && x < y
}

// sink moves the cell at a place of the heap down to where it belongs.
func (o *order) sink(at int) {
	for next := 2*at + 1; next < len(o.heap); next = 2*at + 1 {
		if next+1 < len(o.heap) && o.before(next+1, next) {
			next++
		}
		if !o.before(next, at) {
			return
		}
		o.heap[at], o.heap[next] = o.heap[next], o.heap[at]
		at = next
	}
}
