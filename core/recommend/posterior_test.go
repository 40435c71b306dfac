package recommend

import (
	"math"
	"math/rand/v2"
	"testing"
)

// matrix returns the full symmetric matrix of a lower triangle.
func matrix(lower []float32) [][]float64 {
	var m [][]float64
	for at, d := 0, 0; at < len(lower); d++ {
		m = append(m, make([]float64, fixtureDim))
		for e := range d + 1 {
			m[d][e] = float64(lower[at])
			m[e][d] = m[d][e]
			at++
		}
	}
	return m
}

// along returns aᵀMb.
func along(m [][]float64, a, b []float64) (sum float64) {
	for d := range m {
		for e := range m {
			sum += a[d] * m[d][e] * b[e]
		}
	}
	return sum
}

// Covariances agrees bit for bit with the posteriors of each strength.
func TestCovariancesOfStrengths(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	strengths := []float32{1, 3, 100}
	for _, name := range []string{"composed, calibrated", "composed twice, calibrated", "prior, calibrated",
		"softmax table, calibrated"} {
		s := settings(t)[name]
		f := inferrer(t, s)
		for range 20 {
			e := Evidence{Likes: r.Perm(240)[:1+r.IntN(9)], Dislikes: r.Perm(240)[:r.IntN(3)]}
			taste := f.Infer(e, nil)
			a, b := make([]float32, fixtureDim), make([]float32, fixtureDim)
			for d := range a {
				a[d], b[d] = float32(r.NormFloat64()), float32(r.NormFloat64())
			}
			got := f.Covariances(taste, a, b, strengths)
			for k, strength := range strengths {
				other, post := s, *s.Posterior
				post.Strength, other.Posterior = strength, &post
				g := inferrer(t, other)
				aa, ab, bb, _ := g.Covariance(g.Infer(e, nil), a, b)
				if got[k] != [3]float64{aa, ab, bb} {
					t.Fatalf("%s, strength %v: %v, want %v %v %v", name, strength, got[k], aa, ab, bb)
				}
			}
		}
	}
}

// The posterior is JΣJᵀ plus the curvature of the sphere, computed here with full matrices, for visitors on the ball's
// surface and inside, with and without dislikes and weights.
func TestPosteriorIsTheFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	onto := 0
	for _, name := range []string{"composed, calibrated", "composed twice, calibrated", "prior, calibrated",
		"softmax table, calibrated"} {
		s := settings(t)[name]
		f := inferrer(t, s)
		w := matrix(s.Posterior.Within)
		for range 30 {
			e := Evidence{Likes: r.Perm(240)[:1+r.IntN(9)], Dislikes: r.Perm(240)[:r.IntN(3)]}.canonical(240)
			e.Weights = make([]float32, 240)
			if r.IntN(2) == 0 {
				e.Weights[e.Likes[0]] = 1.5
			}
			taste := f.Infer(e, nil)
			mean, n := make([]float64, fixtureDim), float64(len(e.Likes))
			all, squares := 0.0, 0.0
			weight := func(j int) float64 { return max(float64(e.Weights[j]), 1) }
			for _, j := range e.Likes {
				all += weight(j)
				squares += weight(j) * weight(j)
			}
			for _, j := range e.Likes {
				for d, v := range s.Items.Mean(j) {
					mean[d] += weight(j) * float64(v) / all
				}
			}
			trace, scatter := 0.0, 0.0
			c := make([][]float64, fixtureDim)
			for d := range c {
				c[d] = make([]float64, fixtureDim)
				trace += w[d][d]
				for k := range c {
					for _, j := range e.Likes {
						c[d][k] += weight(j) * n / all * (float64(s.Items.Mean(j)[d]) - mean[d]) *
							(float64(s.Items.Mean(j)[k]) - mean[k])
					}
				}
				scatter += c[d][d]
			}
			kappa, total := float64(s.Posterior.Strength), all*all/squares+0.5*float64(len(e.Dislikes))
			midst := 0.0
			for _, q := range e.Dislikes {
				square := 0.0
				for d, v := range s.Items.Mean(q) {
					square += math.Pow(float64(v)-mean[d], 2)
				}
				midst += math.Exp(-square / trace)
			}
			size := (3 + scatter/trace) / (3 + n - 1)
			// J depends on the norm of the vector being scaled.
			scale, length := 1.0, 0.0
			if s.Composition.Weight > 0 {
				scale = float64(s.Composition.Weight) * math.Sqrt(all/(all+float64(s.Composition.Prior)))
			}
			for _, v := range taste.Row[:fixtureDim] {
				length += float64(v) * float64(v)
			}
			clamped := math.Sqrt(length) > 1-1e-5
			unit := make([]float64, fixtureDim)
			if clamped {
				onto++
				for d, v := range taste.Row[:fixtureDim] {
					unit[d] = float64(v)
				}
			}
			if clamped && s.Composition.Weight > 0 && s.Composition.Prior == 0 && len(e.Dislikes) == 0 {
				z := 0.0
				for _, v := range mean {
					z += v * v
				}
				scale /= max(1, scale*math.Sqrt(z))
			} else if clamped && s.Composition.Weight > 0 {
				scale = taste.known.scale // the effect of the dislikes and the prior is not recomputed here
			}
			back := func(a []float32) []float64 {
				out, dot := make([]float64, fixtureDim), 0.0
				for d, v := range a {
					dot += unit[d] * float64(v)
				}
				for d, v := range a {
					out[d] = scale * (float64(v) - dot*unit[d])
				}
				return out
			}
			tangent := func(a, b []float32) float64 {
				x, y := back(a), back(b)
				return (kappa*size*along(w, x, y) + along(c, x, y)) / (kappa + n - 1) * (1 + midst/total) / total
			}
			flat := 0.0
			for d := range fixtureDim {
				axis := make([]float32, fixtureDim)
				axis[d] = 1
				flat += tangent(axis, axis)
			}
			straight := make([]float64, fixtureDim)
			for d := range straight {
				straight[d] = scale * unit[d]
			}
			free := (kappa*size*along(w, straight, straight) + along(c, straight, straight)) / (kappa + n - 1) * (1 + midst/total) / total
			cov := func(a, b []float32) float64 {
				var x, y float64
				for d, u := range unit {
					x += u * float64(a[d])
					y += u * float64(b[d])
				}
				return tangent(a, b) + min(flat*flat/2, free)*x*y
			}
			a, b := make([]float32, fixtureDim), make([]float32, fixtureDim)
			for d := range a {
				a[d], b[d] = float32(r.NormFloat64()), float32(r.NormFloat64())
			}
			aa, ab, bb, likes := f.Covariance(taste, a, b)
			for _, v := range [][2]float64{{aa, cov(a, a)}, {ab, cov(a, b)}, {bb, cov(b, b)}} {
				if likes != len(e.Likes) || math.Abs(v[0]-v[1]) > 1e-5*math.Sqrt(cov(a, a)*cov(b, b))+1e-9 {
					t.Fatalf("%s, %+v: covariance %v, want %v", name, e, v[0], v[1])
				}
			}
			for d := range fixtureDim {
				axis := make([]float32, fixtureDim)
				axis[d] = 1
				if want := math.Sqrt(max(cov(axis, axis), 0)); math.Abs(
					float64(taste.Spread[d])-want,
				) > 1e-4*want+1e-5 {
					t.Fatalf("%s, %+v: spread %d is %v, want %v", name, e, d, taste.Spread[d], want)
				}
			}
		}
	}
	if onto < 20 || onto > 80 {
		t.Errorf("%d of 90 visitors are on the sphere; both kinds must be tried", onto)
	}
}

// Without a prior, a visitor's variance is the variance of all refits on half of the likes: here the full delete-half
// distribution, for a mean inside the ball.
func TestPosteriorIsTheDeleteHalfDistribution(t *testing.T) {
	s := settings(t)["composed, calibrated"]
	s.Radius = 100
	s.Posterior.Strength = 1e-6
	f := inferrer(t, s)
	likes := []int{3, 50, 99, 120, 170, 201, 222, 239}
	taste := f.Infer(Evidence{Likes: likes}, nil)
	sum, halves := make([]float64, fixtureDim), 0
	for set := range 1 << len(likes) {
		var half []int
		for k, j := range likes {
			if set>>k&1 == 1 {
				half = append(half, j)
			}
		}
		if len(half) != len(likes)/2 {
			continue
		}
		halves++
		for d, v := range f.Infer(Evidence{Likes: half}, nil).Row[:fixtureDim] {
			sum[d] += math.Pow(float64(v)-float64(taste.Row[d]), 2)
		}
	}
	for d, v := range sum {
		if want := math.Sqrt(v / float64(halves)); math.Abs(float64(taste.Spread[d])-want) > 1e-4*want {
			t.Errorf("spread %d is %v, the halves' is %v", d, taste.Spread[d], want)
		}
	}
}

// Before the first like the variances along the axes agree with the spread, with the catalogue's correlations.
func TestCovarianceBeforeTheFirstLike(t *testing.T) {
	s := settings(t)["composed, calibrated"]
	f := inferrer(t, s)
	taste := f.Infer(Evidence{}, nil)
	a, b := make([]float32, fixtureDim), make([]float32, fixtureDim)
	for d := range fixtureDim - 1 {
		clear(a)
		clear(b)
		a[d], b[d+1] = 1, 1
		aa, ab, bb, likes := f.Covariance(taste, a, b)
		for _, v := range [][2]float64{{aa, float64(taste.Spread[d])}, {bb, float64(taste.Spread[d+1])}} {
			if likes != 0 || math.Abs(math.Sqrt(v[0])-v[1]) > 1e-4*v[1] {
				t.Errorf("dimension %d: a standard deviation of %v and a spread of %v", d, math.Sqrt(v[0]), v[1])
			}
		}
		if ab == 0 || ab*ab > aa*bb {
			t.Errorf("dimension %d: covariance %v between variances %v and %v", d, ab, aa, bb)
		}
	}
}

// A covariance of another dimension is refused.
func TestPosteriorOfAnotherDimension(t *testing.T) {
	s := settings(t)["composed, calibrated"]
	s.Posterior.Within = s.Posterior.Within[1:]
	if _, err := NewInferrer(s); err == nil {
		t.Error("a covariance of another dimension was accepted")
	}
}
