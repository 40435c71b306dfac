package gaussian

import "slices"

// Silent returns the row of an unknown user, such as one without training items, or a visitor without likes. It is the
// row of a user with everybody's likes. It is not 0, because 0 is nearest to the items that were never learned:
//
//	θ = Π(Weight · m),   m = Σ_i n_i θ_i / Σ_i n_i
//
// with n_i the likes of item i (Table.WeightedMean). Without composition θ is m itself: bounds are convex, so a mean of
// bounded rows is bounded. mean is m, of length 2h; it is not changed. O(h).
func (c Composition) Silent(mean []float32, radius float32) []float32 {
	row := slices.Clone(mean)
	if c.Weight > 0 {
		Compose(row, nil, mean, c.Weight, radius)
	}
	return row
}

// WeightedMean returns m = Σ_i w_i θ_i / Σ_i w_i, 2h numbers, or zeros if all weights are 0. weight is called once for
// each row, in order. O(N·h).
func (t *Table) WeightedMean(weight func(i int) float64) []float64 {
	m, total := make([]float64, 2*t.h), 0.0
	for i := range t.n {
		w := weight(i)
		total += w
		for d, v := range t.Row(i) {
			m[d] += float64(w * float64(v))
		}
	}
	if total > 0 {
		for d := range m {
			m[d] /= total
		}
	}
	return m
}
