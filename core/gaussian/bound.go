package gaussian

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// Bound moves a row back into the feasible set after an update (paper, "Model Training"): ‖μ‖ ≤ radius and ‖Σ‖ ≤ 1 with
// Σ = s², both by scaling, and s ≥ MinStddev by clipping. The paper's radius is 1. A radius of +Inf leaves the mean
// free. O(h).
func Bound(row []float32, radius float32) {
	h := len(row) / 2
	mean, stddev := row[:h], row[h:]
	ScaleInto(mean, radius)
	vec.ScaleFloor(1, stddev, MinStddev)
	var sum float32 // ‖Σ‖² = Σ s⁴
	for _, s := range stddev {
		q := float32(s * s)
		sum += float32(q * q)
	}
	if sum > 1 {
		// s → s·c scales Σ by c², so c = ‖Σ‖^{-1/2} = sum^{-1/4}.
		vec.ScaleFloor(float32(math.Sqrt(math.Sqrt(1/float64(sum)))), stddev, MinStddev)
	}
}

// ScaleInto scales x down to the sphere of the given radius if it is outside, and returns the factor, or 1 if x is
// unchanged. O(len(x)).
func ScaleInto(x []float32, radius float32) float32 {
	n2 := vec.Dot(x, x)
	if n2 <= float32(radius*radius) {
		return 1
	}
	c := radius / float32(math.Sqrt(float64(n2)))
	vec.ScaleFloor(c, x, float32(math.Inf(-1))) // no floor
	return c
}
