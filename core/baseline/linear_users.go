package baseline

import (
	"context"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// scattered is the cost of one addition of invertUsers relative to one of invert's, which are in blocks.
const scattered = 200

// cheaperByUsers reports whether invertUsers is faster than invertItems.
func cheaperByUsers(train *dataset.Matrix) bool {
	users, items := 0.0, float64(train.Cols)
	for u := range train.Rows() {
		if len(train.Row(u)) > 0 {
			users++
		}
	}
	return users*users*users+scattered*items*float64(train.Len()) < items*items*items
}

// invertUsers writes the lower triangle of P by Woodbury's identity. With W = diag(n_u^−β), over users with items,
//
//	P = Λ⁻¹ − Λ⁻¹·Xᵀ·K·X·Λ⁻¹,   K = (W⁻¹ + X·Λ⁻¹·Xᵀ)⁻¹
//
// O(Σ_i |U_i|² + U³ + I·nnz); 4·U² bytes of scratch memory.
func (l *Linear) invertUsers(ctx context.Context, train *dataset.Matrix, workers int) error {
	var rows [][]int32 // of users with items
	var pairs []dataset.Pair
	for u := range train.Rows() {
		if row := train.Row(u); len(row) > 0 {
			for _, i := range row {
				pairs = append(pairs, dataset.Pair{Row: i, Col: int32(len(rows))})
			}
			rows = append(rows, row)
		}
	}
	items, n := dataset.NewMatrix(train.Cols, len(rows), pairs), len(rows)
	small := make([]float32, len(l.degree)) // 1/Λ_i
	for i, d := range l.degree {
		small[i] = float32(1 / l.settings.Penalty(d))
	}
	k := make([]float32, n*n)
	err := each(ctx, n, workers, func() func(int) {
		return func(u int) {
			own := k[u*n:][:u+1]
			for _, i := range rows[u] {
				for _, v := range items.Row(int(i)) {
					if int(v) > u {
						break
					}
					own[v] += small[i]
				}
			}
			own[u] += float32(math.Pow(float64(len(rows[u])), l.settings.Beta))
		}
	})
	if err == nil {
		err = invert(ctx, k, n, tile, workers)
	}
	if err == nil {
		err = mirror(ctx, k, n, workers)
	}
	if err != nil {
		return err
	}
	return each(ctx, len(l.degree), workers, func() func(int) {
		sum := make([]float32, n)
		return func(i int) {
			clear(sum)
			for _, u := range items.Row(i) {
				vec.Axpy(1, k[int(u)*n:][:n], sum)
			}
			own := l.inverse[i*len(l.degree):][:i+1]
			for u, x := range sum {
				for _, j := range rows[u] {
					if int(j) > i {
						break
					}
					own[j] += x
				}
			}
			for j := range own {
				own[j] *= -small[i] * small[j]
			}
			own[i] += small[i]
		}
	})
}
