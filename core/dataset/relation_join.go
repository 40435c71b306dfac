package dataset

import (
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// chunkRows is the number of rows that a worker takes at a time.
const chunkRows = 32

// join is one run of Neighbours: the shared input, and where workers write. A row's rank is its place in the order of
// ascending length; rows of equal length keep their order.
type join struct {
	threshold Threshold
	order     []int32 // rank → row
	lengths   []int32 // rank → |S|
	rows      *Matrix // the rows by rank
	columns   *Matrix // its transpose: column → ranks, ascending

	found [][]int32 // chunk → the lower ranked neighbours of its rows, one row after the other, in no order
	count []int32   // rank → number of these neighbours
}

func newJoin(m *Matrix, t Threshold) *join {
	n := m.Rows()
	j := &join{
		threshold: t,
		order:     make([]int32, n),
		lengths:   make([]int32, n),
		rows:      &Matrix{Cols: m.Cols, Offsets: make([]int, n+1), Indices: make([]int32, 0, m.Len())},
		found:     make([][]int32, (n+chunkRows-1)/chunkRows),
		count:     make([]int32, n),
	}
	for r := range j.order {
		j.order[r] = int32(r)
	}
	slices.SortStableFunc(j.order, func(a, b int32) int { return len(m.Row(int(a))) - len(m.Row(int(b))) })
	for rank, r := range j.order {
		row := m.Row(int(r))
		j.lengths[rank] = int32(len(row))
		j.rows.Indices = append(j.rows.Indices, row...)
		j.rows.Offsets[rank+1] = len(j.rows.Indices)
	}
	j.columns = j.rows.Transpose()
	return j
}

// worker looks for the neighbours of ascending ranks.
type worker struct {
	*join
	lo     int     // the lowest rank that can be a neighbour of the current one
	least  int     // the fewest columns that any neighbour of the current rank shares with it
	from   []int   // column → place in its list of the first rank ≥ lo
	to     []int   // column → place in its list of the first rank ≥ the current one
	shared []int32 // rank → |S_a ∩ S_b| for the current a; zero between ranks
	near   []int32 // scratch: those that reached least; one place more than there are ranks
	out    []int32 // scratch: the chunk's neighbours
}

func (j *join) newWorker() *worker {
	starts := j.columns.Offsets[:j.columns.Rows()]
	return &worker{
		join: j, least: 1, from: slices.Clone(starts), to: slices.Clone(starts),
		shared: make([]int32, j.rows.Rows()), near: make([]int32, j.rows.Rows()+1),
	}
}

// search returns the lower ranked neighbours of the chunk's rows and stores the number of each. The slice belongs to
// the worker until its next call. It stops early if the context ends.
func (w *worker) search(ctx context.Context, chunk int) []int32 {
	w.out = w.out[:0]
	for a := chunk * chunkRows; a < min((chunk+1)*chunkRows, len(w.order)); a++ {
		if ctx.Err() != nil {
			break
		}
		before := len(w.out)
		w.row(a)
		w.count[a] = int32(len(w.out) - before)
	}
	return w.out
}

// row appends the neighbours of rank a among the ranks before it to out.
func (w *worker) row(a int) {
	na := int(w.lengths[a])
	if na == 0 {
		return
	}
	// The longer a is, the longer its shortest neighbour, and the more they share: both bounds only ever rise.
	for n := int(w.lengths[w.lo]); n == 0 || !w.threshold.Reached(n, na, n); n = int(w.lengths[w.lo]) {
		w.lo++
	}
	for !w.threshold.Reached(w.least, na, int(w.lengths[w.lo])) {
		w.least++
	}
	near, shared := w.near, w.shared
	least := int32(w.least)
	k, counts := 0, 0
	for _, c := range w.rows.Row(a) {
		list, from, to := w.columns.Indices[:w.columns.Offsets[c+1]], w.from[c], w.to[c]
		for from < len(list) && int(list[from]) < w.lo {
			from++
		}
		to = max(to, from)
		for int(list[to]) < a { // a itself is in the list
			to++
		}
		w.from[c], w.to[c] = from, to
		counts += to - from
		for _, b := range list[from:to] {
			n := shared[b] + 1
			shared[b] = n
			near[k] = b // taken back by the next one, unless b gets to the bound with this count
			reached := 0
			if n == least {
				reached = 1
			}
			k += reached
		}
	}
	for _, b := range near[:k] {
		if w.threshold.Reached(int(shared[b]), na, int(w.lengths[b])) {
			w.out = append(w.out, b)
		}
	}
	w.clear(a, counts)
}

// clear resets the counts to zero, one by one or all together, whichever is cheaper.
func (w *worker) clear(a, counts int) {
	const together = 8 // zeros that are written in the time of one here and one there
	if counts > (a-w.lo)/together {
		clear(w.shared[w.lo:a])
		return
	}
	for _, c := range w.rows.Row(a) {
		for _, b := range w.columns.Indices[w.from[c]:w.to[c]] {
			w.shared[b] = 0
		}
	}
}

// both returns the matrix of all pairs in both directions, by row instead of rank. found is empty afterwards.
func (j *join) both(ctx context.Context, workers int) (*Matrix, error) {
	n := len(j.order)
	out := &Matrix{Cols: n, Offsets: make([]int, n+1)}
	j.pairs(func(a, b int32) {
		out.Offsets[a+1]++
		out.Offsets[b+1]++
	}, false)
	for r := range n {
		out.Offsets[r+1] += out.Offsets[r]
	}
	out.Indices = make([]int32, out.Offsets[n])
	next := slices.Clone(out.Offsets[:n])
	j.pairs(func(a, b int32) {
		out.Indices[next[a]], out.Indices[next[b]] = b, a
		next[a]++
		next[b]++
	}, true)
	// The rows' places are fixed by now, so they can be sorted in any order.
	err := parallel.Each(ctx, len(j.found), workers, func() func(int) {
		return func(chunk int) {
			for r := chunk * chunkRows; r < min((chunk+1)*chunkRows, n); r++ {
				slices.Sort(out.Row(r))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// pairs calls do with the rows of every pair found, in a fixed order; last releases each chunk after use.
func (j *join) pairs(do func(a, b int32), last bool) {
	for chunk, found := range j.found {
		at := 0
		for a := chunk * chunkRows; a < min((chunk+1)*chunkRows, len(j.order)); a++ {
			for _, b := range found[at : at+int(j.count[a])] {
				do(j.order[a], j.order[b])
			}
			at += int(j.count[a])
		}
		if last {
			j.found[chunk] = nil
		}
	}
}
