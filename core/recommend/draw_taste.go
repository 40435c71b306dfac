package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Draw turns standard normals into one draw from the distribution of a taste with n likes: g holds one for each like,
// in ascending order, and z one for each of the h dimensions. It writes the drawn row (2h) and each like's weight (n)
// in it, given here for likes that weigh 1 in the taste itself; others are scaled by their weight:
//
//	a_j = 1 + √(n/(n−1))·(g_j − ḡ)
//	δ = (Σ_j a_j·θ_j)/n − θ̄ + L·z/n        LLᵀ = W
//	θ* = Π(θ/c + w·n/(n+κ)·δ)        κ the likes of the prior (compose)
//
// Given the likes, δ has the covariance S²/n + W/n². S² = C/(n−1) is the empirical covariance of the likes. W is the
// covariance of one like around the mean of the same person's likes (model.Posterior; without calibration, the
// catalogue's variance). The first term is the sampling variance of the likes' mean, which is also the variance of
// refitting on a random half of them. It is produced by weighting each like with a_j instead of 1, so other sums over
// the likes, such as the item-item bonus, can be drawn with the same weights. The second, one like's worth of W,
// matters for visitors with few likes. With a prior, a draw varies as refits do, which the prior damps as it damps the
// taste: less than our uncertainty of the taste (posterior). Π bounds the draw itself. Without likes, δ is z times the
// spread. O((n + h)·h).
func (f *Inferrer) Draw(row, weights []float32, t *Taste, g, z []float32) {
	h := f.s.Items.Dim()
	copy(row, t.Row)
	n := float32(len(t.of.Likes))
	if n == 0 {
		for d, s := range t.Spread {
			row[d] += float32(s * z[d])
		}
		f.bound(row)
		return
	}
	w := float32(1)
	if f.s.Composition.Weight > 0 {
		w = f.s.Composition.Weight * float32(f.likesWeight(t.of.total()))
	}
	if t.scale != 1 {
		// The mean before it was scaled into the ball.
		for d := range h {
			row[d] /= t.scale
		}
	}
	mean := float32(0)
	for _, x := range g {
		mean += x
	}
	mean /= n
	scale := float32(math.Sqrt(float64(n) / max(float64(n)-1, 1)))
	each := n / float32(t.of.total())
	for k, j := range t.of.Likes {
		own := float32(t.of.weight(j))
		a := own * scale * (g[k] - mean)
		weights[k] = own + float32(a)
		vec.Axpy(w*each*a/n, f.s.Items.Row(j), row)
	}
	lower := f.within()
	for d, at := 0, 0; d < h; d++ {
		row[d] += float32(w / n * vec.Dot(lower[at:at+d+1], z[:d+1]))
		at += d + 1
	}
	f.bound(row)
}

// factor returns Draw's lower triangle L, by rows.
func (f *Inferrer) factor() []float32 {
	h := f.s.Items.Dim()
	if f.s.Posterior != nil {
		return cholesky(f.s.Posterior.Within, h)
	}
	out := make([]float32, triangle(h))
	for d, v := range f.variance {
		out[d*(d+3)/2] = float32(math.Sqrt(v))
	}
	return out
}

// bound enforces the bounds of users: the mean in the ball, standard deviations above their floor.
func (f *Inferrer) bound(row []float32) {
	h := len(row) / 2
	gaussian.ScaleInto(row[:h], f.s.Radius)
	vec.ScaleFloor(1, row[h:], gaussian.MinStddev)
}

// cholesky returns the lower triangle L, by rows, of LLᵀ = W, given W's lower triangle by rows. If rounding leaves a
// pivot of W that is not positive, its row becomes zeros. O(h³).
func cholesky(w []float32, h int) []float32 {
	l := make([]float64, len(w))
	for i, a := 0, 0; i < h; i++ {
		for j, b := 0, 0; j <= i; j++ {
			s := float64(w[a+j])
			for k := range j {
				s -= float64(l[a+k] * l[b+k])
			}
			switch {
			case i == j:
				l[a+j] = math.Sqrt(max(s, 0))
			case l[b+j] > 0:
				l[a+j] = s / l[b+j]
			}
			b += j + 1
		}
		a += i + 1
	}
	out := make([]float32, len(l))
	for k, v := range l {
		out[k] = float32(v)
	}
	return out
}
