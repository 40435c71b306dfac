package eval

import "math"

// filter rules out items that cannot be among a user's nearest, by a matrix product. The distances of many users from
// many items are essentially a product,
//
//	½(‖u‖² − W2²(u,i)) = u·i − ½‖i‖² =: p(u,i)
//
// which takes a fraction of the time of the distances. But it rounds differently. With n = 2h, ε = 2⁻²⁴ the rounding of
// float32, γ_m = mε/(1−mε) and M the largest norm of an item:
//
//   - The computed p is a chain of n fused multiply-adds and the addition of −½‖i‖², itself rounded, so it errs by at
//     most γ_{n+1}·(½‖i‖² + Σ|u_k·i_k|) ≤ γ_{n+1}·(½M² + ‖u‖M) (Higham, "Accuracy and Stability of Numerical
//     Algorithms", 2002, section 3.1).
//   - A computed distance d has the true distance D ≤ d/(1−γ_m) with m = ⌈n/8⌉ + 6: its terms are all positive and
//     pass through a difference, which counts twice, a square, ⌈n/8⌉ additions in a lane and three to fold the lanes.
//
// So an item whose computed distance is at most w has a computed p of at least
//
//	½(‖u‖² − w/(1−γ_m)) − γ_{n+1}·(½M² + ‖u‖M)
//
// and with w the last distance of a full list, all items below that can be skipped.
type filter struct {
	*W2
	start []float32 // I: −½‖i‖²
	reach float64   // M
	dist  float64   // 1/(1−γ_m), slightly larger
	prod  float64   // γ_{n+1}, slightly larger
}

const (
	// Squared norms up to this keep all intermediate values finite; rows with NaN or Inf exceed it.
	largestNorm = 1e30
	// slack covers products that underflow, each by less than 2⁻¹⁴⁹, where float32 errors are no longer relative.
	slack = 1e-38
	// little covers the rounding of the bounds, which are computed in float64.
	little = 1 + 1e-6
)

// newFilter returns nil if a filter would not help: for lists that hold much of the catalogue, and for items with
// values that are not finite or far too large. O(I·h).
func newFilter(s *W2, depth int) *filter {
	items, n := s.items.Len(), 2*s.items.Dim()
	if depth > items/16 {
		return nil
	}
	gamma := func(m int) float64 {
		e := float64(m) * 0x1p-24
		return e / (1 - e) * little
	}
	f := &filter{W2: s, start: make([]float32, items), dist: 1 / (1 - gamma((n+7)/8+6)), prod: gamma(n + 1)}
	largest := 0.0
	for i := range f.start {
		norm := squaredNorm(s.items.Row(i))
		if !(norm <= largestNorm) {
			return nil
		}
		largest = max(largest, norm)
		f.start[i] = float32(-norm / 2)
	}
	f.reach = math.Sqrt(largest)
	return f
}

// base returns the common part of a user's bounds, given the squared norm: bound(base, 0).
func (f *filter) base(norm float64) float64 {
	n := float64(2 * f.items.Dim())
	return norm/2 - f.prod*(f.reach*f.reach/2+math.Sqrt(norm)*f.reach) - n*0x1p-51*norm - slack
}

// bound returns the smallest computed p of an item that may be as near as w.
func (f *filter) bound(base float64, w float32) float32 {
	return math.Nextafter32(float32(base-float64(w)*f.dist/2), float32(math.Inf(-1)))
}

// squaredNorm returns ‖x‖² with a relative error below len(x)·2⁻⁵². O(len(x)).
func squaredNorm(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}
