// Package relation finds who is similar to whom: user-user and item-item neighbours by the cosine of their rows in
// the binary interaction matrix (paper, "Implementation Details").
//
//	cos(a,b) = |S_a ∩ S_b| / √(|S_a|·|S_b|)
//
// In the flow: dataset gives the matrix, pmlam trains on the neighbours (Eqs. 16 and 17).
package relation

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
)

// Neighbours returns the symmetric N×N matrix that holds (a,b), a ≠ b, where the rows a and b of m have a cosine of
// at least threshold > 0. For users m is U×I, for items its transpose. The result does not depend on workers (0: as
// many as there are processors). An error is only ever the context's.
//
// Cost: O(Σ_c n_c²) over the columns' lengths n_c; memory O(N) a worker beside the result.
func Neighbours(ctx context.Context, m *dataset.Matrix, threshold float64, workers int) (*dataset.Matrix, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n, columns := m.Rows(), m.Transpose()
	rows := make([][]int32, n)
	next := make(chan int)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			common := make([]int32, n) // |S_a ∩ S_b| for the current a
			var seen []int32
			for a := range next {
				seen = seen[:0]
				for _, c := range m.Row(a) {
					for _, b := range columns.Row(int(c)) {
						if common[b] == 0 {
							seen = append(seen, b)
						}
						common[b]++
					}
				}
				na := float64(len(m.Row(a)))
				var near []int32
				for _, b := range seen {
					nb := float64(len(m.Row(int(b))))
					if int(b) != a && float64(common[b]) >= threshold*math.Sqrt(na*nb) {
						near = append(near, b)
					}
					common[b] = 0
				}
				slices.Sort(near)
				rows[a] = near
			}
		})
	}
	err := func() error {
		defer close(next)
		for a := range n {
			select {
			case next <- a:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}()
	wait.Wait()
	if err != nil {
		return nil, err
	}
	out := &dataset.Matrix{Cols: n, Offsets: make([]int, n+1)}
	for a, near := range rows {
		out.Offsets[a+1] = out.Offsets[a] + len(near)
	}
	out.Indices = make([]int32, 0, out.Offsets[n])
	for _, near := range rows {
		out.Indices = append(out.Indices, near...)
	}
	return out, nil
}
