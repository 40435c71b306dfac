package recommend

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// someCovariance returns a covariance of h dimensions, its lower triangle by rows.
func someCovariance(r *rand.Rand, h int) []float32 {
	a := make([]float64, h*h)
	for i := range a {
		a[i] = 0.05 * r.NormFloat64()
	}
	var out []float32
	for i := range h {
		for j := range i + 1 {
			s := 0.0
			for k := range h {
				s += a[i*h+k] * a[j*h+k]
			}
			out = append(out, float32(s))
		}
	}
	return out
}

// The draws have the covariance w²(S²/n + W/n²), with a prior (n/(n+κ))² times that, in any direction, and their mean
// is the taste.
func TestDrawsHaveTheirCovariance(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	for _, name := range []string{"composed", "composed twice", "prior"} {
		s := settings(t)[name]
		s.Posterior = &model.Posterior{Within: someCovariance(r, fixtureDim), Strength: 1.5}
		s.Radius = float32(math.Inf(1)) // in the ball the posterior is a linearisation, the draw is not
		f, err := NewInferrer(s)
		if err != nil {
			t.Fatal(err)
		}
		likes := []int{3, 50, 90, 91, 200}
		taste := f.Infer(Evidence{Likes: likes, Dislikes: []int{120}}, nil)
		a, b := make([]float32, fixtureDim), make([]float32, fixtureDim)
		for d := range a {
			a[d], b[d] = float32(r.NormFloat64()), float32(r.NormFloat64())
		}
		const draws = 40000
		var ma, mb, aa, ab, bb float64
		row, weights := make([]float32, 2*fixtureDim), make([]float32, 5)
		normals := make([]float32, 5+fixtureDim)
		sum := 0.0
		for range draws {
			for k := range normals {
				normals[k] = float32(r.NormFloat64())
			}
			f.Draw(row, weights, taste, normals[:5], normals[5:])
			for d := range fixtureDim {
				row[d] -= taste.Row[d]
			}
			x, y := float64(vec.Dot(a, row[:fixtureDim])), float64(vec.Dot(b, row[:fixtureDim]))
			ma, mb, aa, ab, bb = ma+x/draws, mb+y/draws, aa+x*x/draws, ab+x*y/draws, bb+y*y/draws
			for _, w := range weights {
				sum += float64(w) / draws
			}
		}
		waa, wab, wbb := drawn(s, likes, a, b)
		scale := math.Sqrt(waa * wbb)
		for _, c := range [][2]float64{{aa, waa}, {ab, wab}, {bb, wbb}} {
			if math.Abs(c[0]-c[1]) > 0.04*scale {
				t.Errorf("%s: the draws' covariance is %v, the posterior's %v", name, c[0], c[1])
			}
		}
		if math.Abs(ma) > 5*math.Sqrt(waa/draws) || math.Abs(mb) > 5*math.Sqrt(wbb/draws) || math.Abs(sum-5) > 1e-3 {
			t.Errorf("%s: the draws are %v and %v away from the taste, the weights sum to %v", name, ma, mb, sum)
		}
	}
}

// drawn computes the covariance of Draw along a and b from its definition.
func drawn(s InferenceSettings, likes []int, a, b []float32) (aa, ab, bb float64) {
	h, n := len(a), float64(len(likes))
	mean := make([]float32, h)
	for _, j := range likes {
		vec.Axpy(float32(1/n), s.Items.Mean(j), mean)
	}
	along := func(x, dev []float32) float64 { return float64(vec.Dot(x, dev)) }
	for _, j := range likes {
		dev := make([]float32, h)
		vec.Axpy(1, s.Items.Mean(j), dev)
		vec.Axpy(-1, mean, dev)
		u, v := along(a, dev), along(b, dev)
		aa, ab, bb = aa+u*u*n/(n-1), ab+u*v*n/(n-1), bb+v*v*n/(n-1)
	}
	for i := range h {
		for j := range h {
			k := max(i, j)*(max(i, j)+1)/2 + min(i, j)
			w := float64(s.Posterior.Within[k])
			aa, ab, bb = aa+w*float64(a[i]*a[j]), ab+w*float64(a[i]*b[j]), bb+w*float64(b[i]*b[j])
		}
	}
	c := float64(s.Composition.Weight) / (n + float64(s.Composition.Prior))
	return aa * c * c, ab * c * c, bb * c * c
}

// The weights are the likes' weights in the drawn row: composing with them gives the row, except for W's part.
func TestDrawnWeightsComposeTheDrawnRow(t *testing.T) {
	for _, radius := range []float32{1, 0.3} {
		s := settings(t)["composed twice"]
		s.Radius = radius
		f, err := NewInferrer(s)
		if err != nil {
			t.Fatal(err)
		}
		likes := []int{3, 50, 90, 91, 200}
		taste := f.Infer(Evidence{Likes: likes}, nil)
		row, weights := make([]float32, 2*fixtureDim), make([]float32, 5)
		r := rand.New(rand.NewPCG(42, 1))
		g := make([]float32, 5)
		for k := range g {
			g[k] = float32(r.NormFloat64())
		}
		f.Draw(row, weights, taste, g, make([]float32, fixtureDim))
		sum, want := make([]float32, 2*fixtureDim), make([]float32, 2*fixtureDim)
		for k, j := range likes {
			vec.Axpy(weights[k], s.Items.Row(j), sum)
		}
		gaussian.Compose(want, nil, sum, s.Composition.Weight/5, radius)
		for d := range fixtureDim {
			if math.Abs(float64(row[d]-want[d])) > 1e-5 {
				t.Fatalf("radius %v: dimension %d is drawn at %v, its weights compose %v", radius, d, row[d], want[d])
			}
		}
		// Without noise, a draw is the taste itself.
		f.Draw(row, weights, taste, make([]float32, 5), make([]float32, fixtureDim))
		for d := range row {
			if math.Abs(float64(row[d]-taste.Row[d])) > 1e-6 {
				t.Errorf("radius %v: without noise dimension %d is %v, not %v", radius, d, row[d], taste.Row[d])
			}
		}
	}
}

func TestCholeskyIsARoot(t *testing.T) {
	const h = 12
	w := someCovariance(rand.New(rand.NewPCG(43, 1)), h)
	l := cholesky(w, h)
	row := func(m []float32, i int) []float32 { return m[i*(i+1)/2:][:i+1] }
	for i := range h {
		for j := range i + 1 {
			if got := vec.Dot(row(l, i)[:j+1], row(l, j)); math.Abs(float64(got-row(w, i)[j])) > 1e-6 {
				t.Errorf("LLᵀ is %v at %d, %d, W is %v", got, i, j, row(w, i)[j])
			}
		}
	}
}
