package learned

import (
	"sync"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// atOnce is the number of items scored together by models whose score is more than a product or a distance of two rows.
// A kernel over all of them costs a fraction of separate ones, and with 50 dimensions they fit into the first-level
// cache.
const atOnce = 128

// blocks calls f for the items [from, to), at most atOnce at a time, with their part of dst.
func blocks(dst []float32, f func(from, to int, dst []float32)) {
	for from := 0; from < len(dst); from += atOnce {
		to := min(from+atOnce, len(dst))
		f(from, to, dst[from:to])
	}
}

// spares lends working memory to concurrent, repeated work.
type spares[T any] struct{ pool sync.Pool }

func newSpares[T any](fresh func() *T) *spares[T] {
	return &spares[T]{sync.Pool{New: func() any { return fresh() }}}
}

func (s *spares[T]) take() *T { return s.pool.Get().(*T) }
func (s *spares[T]) put(x *T) { s.pool.Put(x) }

// sized returns a slice of n values with unspecified contents, reusing x if possible.
func sized(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}

// farthest writes −‖row‖² of each row of x (d values) into dst.
func farthest(dst, x []float32, d int) {
	for i := range dst {
		row := vec.Row(x, i, d)
		dst[i] = -vec.Dot(row, row)
	}
}
