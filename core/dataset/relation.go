package dataset

import (
	"context"
	"runtime"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// Neighbours returns the symmetric N×N matrix that holds (a,b), a ≠ b, where the rows a and b of m have a cosine of
// at least the threshold, in (0,1] (paper, "Implementation Details"; Eqs. 16 and 17 train on the neighbours):
//
//	cos(a,b) = |S_a ∩ S_b| / √(|S_a|·|S_b|)
//
// For users m is U×I, for items its transpose. NewThreshold says how the threshold is rounded. The result does not
// depend on workers (0: one per processor). The only error is the context's; it comes within the time of one row. It
// panics with ThresholdError unless 0 < threshold ≤ 1.
//
// All pairs are found exactly, by a sparse product that skips pairs that cannot reach the threshold t (after Bayardo,
// Ma and Srikant, "Scaling Up All Pairs Similarity Search", WWW 2007). Rows are taken by ascending length n_a = |S_a|,
// each compared with the rows before it, so every pair is compared once:
//
//   - c = |S_a ∩ S_b| ≤ n_b, so b is a neighbour only if n_b ≥ t²·n_a. Such rows are one range of the order, and one
//     range of each column's list, which has the same order;
//   - with n_lo the length of the shortest of them, c ≥ t·√(n_a·n_lo): a row becomes a candidate when its count
//     reaches that bound; the others cost one increment per shared item, without a branch.
//
// That paper also keeps the most frequent columns of each row out of the lists and compares the candidates afterwards.
// That is slower here: a count costs less than a comparison as long as the counts fit in cache.
//
// Cost: at most O(Σ_c n_c²/2) counts, over the columns' lengths n_c. Memory: 4 bytes per neighbour for the result and
// half of that until the result is complete, two copies of m, and 8N + 16·Cols bytes per worker.
func Neighbours(ctx context.Context, m *Matrix, threshold float64, workers int) (*Matrix, error) {
	t := NewThreshold(threshold)
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	j := newJoin(m, t)
	if err := parallel.Each(ctx, len(j.found), workers, func() func(int) {
		w := j.newWorker()
		return func(chunk int) { j.found[chunk] = slices.Clone(w.search(ctx, chunk)) }
	}); err != nil {
		return nil, err
	}
	return j.both(ctx, workers)
}
