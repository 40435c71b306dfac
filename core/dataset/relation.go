// Package relation finds who is similar to whom: user-user and item-item neighbours by the cosine of their rows in
// the binary interaction matrix (paper, "Implementation Details").
//
//	cos(a,b) = |S_a ∩ S_b| / √(|S_a|·|S_b|)
//
// All pairs over a threshold t are found exactly, by a sparse product that leaves out what cannot reach t (after
// Bayardo, Ma and Srikant, "Scaling Up All Pairs Similarity Search", WWW 2007). Rows are taken by ascending length,
// n_a = |S_a|, each against the rows before it, so that a pair is looked at once:
//
//   - c = |S_a ∩ S_b| ≤ n_b, so b is a neighbour only if n_b ≥ t²·n_a. Such rows are one range of the order, and one
//     piece of each column's list, which lies in the same order;
//   - with n_lo the shortest of them, c ≥ t·√(n_a·n_lo): a row is noted when its count gets there, and the many that
//     never do cost one increment for each item shared, without a branch.
//
// What that paper does beside it, leaving the most frequent columns of each row out of the lists and comparing the
// candidates afterwards, does not pay here: a count costs less than a comparison as long as the counts fit in cache.
//
// In the flow: dataset gives the matrix, pmlam trains on the neighbours (Eqs. 16 and 17).
package dataset

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Neighbours returns the symmetric N×N matrix that holds (a,b), a ≠ b, where the rows a and b of m have a cosine of
// at least the threshold, in (0,1]; NewThreshold says how exactly. For users m is U×I, for items its transpose. The
// result does not depend on workers (0: as many as there are processors). An error is only ever the context's, and
// comes within the time of one row. It panics with ThresholdError for a threshold that is none.
//
// Cost: O(Σ_c n_c²/2) counts at most, over the columns' lengths n_c. Memory beside the result of 4 bytes a neighbour:
// half of that again until the result is put together, two copies of m, and 8N + 16·Cols bytes a worker.
func Neighbours(ctx context.Context, m *Matrix, threshold float64, workers int) (*Matrix, error) {
	t := NewThreshold(threshold)
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	j := newJoin(m, t)
	if err := parallel(ctx, len(j.found), workers, func() func(int) {
		w := j.newWorker()
		return func(chunk int) { j.found[chunk] = slices.Clone(w.search(ctx, chunk)) }
	}); err != nil {
		return nil, err
	}
	return j.both(ctx, workers)
}

// parallel calls the functions that start returns, one a worker, for 0…n−1; each of them gets ascending numbers.
// It returns ctx's error where ctx ended, even during the last call.
func parallel(ctx context.Context, n, workers int, start func() func(int)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, n) {
		wait.Go(func() {
			do := start()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}
