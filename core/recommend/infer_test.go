package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

func TestLikesBringTheirClusterNear(t *testing.T) {
	for name, s := range settings(t) {
		f := inferrer(t, s)
		for c := range fixtureClusters {
			base := c * fixtureEach
			taste := f.Infer(Evidence{Likes: []int{base + 1, base + 5, base + 9}}, nil)
			for o := range fixtureClusters {
				if o != c && distanceTo(s.Items, taste.Row, c) >= distanceTo(s.Items, taste.Row, o) {
					t.Errorf("%s: likes of cluster %d left cluster %d nearer", name, c, o)
				}
			}
			if n := math.Sqrt(float64(vec.Dot(taste.Row[:fixtureDim], taste.Row[:fixtureDim]))); n > 1+1e-5 {
				t.Errorf("%s: ‖μ‖ = %v is outside the ball", name, n)
			}
			for _, x := range taste.Row[fixtureDim:] {
				if x < gaussian.MinStddev {
					t.Errorf("%s: a standard deviation of %v is below the floor", name, x)
				}
			}
		}
	}
}

func TestDislikesPushTheirClusterAwayAndLeaveTheLikes(t *testing.T) {
	for name, s := range settings(t) {
		f := inferrer(t, s)
		// Likes in clusters 0 and 1, dislikes in 1 and then in 2.
		likes := []int{0, 1, 2, 3, 40, 41}
		before := f.Infer(Evidence{Likes: likes}, nil)
		for _, bad := range []int{1, 2} {
			dislikes := []int{bad*fixtureEach + 20, bad*fixtureEach + 21}
			after := f.Infer(Evidence{Likes: likes, Dislikes: dislikes}, nil)
			// Compare ranks: how much farther the disliked cluster is than the liked one.
			gap := func(x *Taste) float64 {
				return distanceTo(s.Items, x.Row, bad) - distanceTo(s.Items, x.Row, 0)
			}
			if !(gap(after) > gap(before)) {
				t.Errorf(
					"%s: disliking two of cluster %d moved it from %.4f to %.4f beyond the likes",
					name,
					bad,
					gap(before),
					gap(after),
				)
			}
			for o := 1; o < fixtureClusters; o++ {
				if distanceTo(s.Items, after.Row, 0) >= distanceTo(s.Items, after.Row, o) {
					t.Errorf("%s: after dislikes of cluster %d, cluster %d is nearer than the liked one", name, bad, o)
				}
			}
			if after.Evidence != len(likes)+2 {
				t.Errorf("%s: Evidence is %d, want %d", name, after.Evidence, len(likes)+2)
			}
		}
		// Dislikes alone move the visitor away too.
		only := f.Infer(Evidence{Dislikes: []int{80, 81, 82}}, nil)
		none := f.Infer(Evidence{}, nil)
		far := func(x *Taste) float64 {
			rest := 0.0
			for c := range fixtureClusters {
				rest += distanceTo(s.Items, x.Row, c) / fixtureClusters
			}
			return distanceTo(s.Items, x.Row, 2) - rest
		}
		if !(far(only) > far(none)) {
			t.Errorf(
				"%s: with dislikes alone the cluster stands %.4f beyond the average, without %.4f",
				name,
				far(only),
				far(none),
			)
		}
	}
}

func TestTheAnswerDependsOnTheSetAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for name, s := range settings(t) {
		f := inferrer(t, s)
		e := Evidence{Likes: []int{3, 77, 120, 200, 5}, Dislikes: []int{90, 10}}
		want := f.Infer(e, nil)
		// The path must not matter: add one like after the other, starting from the taste of the last visit.
		var warm *Taste
		for n := range len(e.Likes) + 1 {
			warm = f.Infer(Evidence{Likes: e.Likes[:n], Dislikes: e.Dislikes}, warm)
		}
		shuffled := Evidence{
			Likes:    append(slices.Clone(e.Likes), 3, 3),
			Dislikes: []int{10, 90, 10, 77},
		} // 77 is liked, so it is not disliked
		r.Shuffle(len(shuffled.Likes), func(i, j int) {
			shuffled.Likes[i], shuffled.Likes[j] = shuffled.Likes[j], shuffled.Likes[i]
		})
		for what, got := range map[string]*Taste{
			"again":        f.Infer(e, nil),
			"step by step": warm,
			"shuffled":     f.Infer(shuffled, nil),
			"elsewhere":    inferrer(t, s).Infer(e, nil),
		} {
			if !slices.Equal(got.Row, want.Row) || !slices.Equal(got.Spread, want.Spread) ||
				got.Evidence != want.Evidence {
				t.Errorf("%s: inferred %s, the taste differs", name, what)
			}
		}
		if !slices.Equal(f.Row(shuffled), want.Row) {
			t.Errorf("%s: the row alone differs", name)
		}
		if f.Infer(shuffled, want) != want {
			t.Errorf("%s: the same evidence must return the warm taste", name)
		}
	}
}

func TestManyInferAtOnce(t *testing.T) {
	s := settings(t)["adaptive difference"]
	f := inferrer(t, s)
	want := f.Infer(Evidence{Likes: []int{1, 2, 3}}, nil)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for k := range 5 {
				f.Infer(Evidence{Likes: []int{g * 20, k}}, nil)
				if got := f.Infer(Evidence{Likes: []int{3, 2, 1}}, nil); !slices.Equal(got.Row, want.Row) {
					t.Error("a taste inferred in parallel differs")
				}
			}
		})
	}
	wg.Wait()
}

func TestComposedIsTheFormulaOfTraining(t *testing.T) {
	for _, name := range []string{"composed twice", "prior"} {
		s := settings(t)[name]
		f := inferrer(t, s)
		likes, kappa := []int{7, 50, 130}, s.Composition.Prior
		sum, want := make([]float32, 2*fixtureDim), make([]float32, 2*fixtureDim)
		for _, l := range likes {
			vec.Axpy(1, s.Items.Row(l), sum)
		}
		for d, m := range s.Items.WeightedMean(func(i int) float64 { return float64(s.Counts[i]) }) {
			sum[d] += kappa * float32(m)
		}
		gaussian.Compose(want, nil, sum, s.Composition.Weight/(3+kappa), s.Radius)
		got := f.Infer(Evidence{Likes: likes}, nil).Row
		for d := range want {
			if math.Abs(float64(got[d]-want[d])) > 1e-6 {
				t.Fatalf("%s: component %d is %v, training has %v", name, d, got[d], want[d])
			}
		}
	}
}

func TestNothingSaidIsTheWeightedMean(t *testing.T) {
	s := settings(t)["softmax table"]
	f := inferrer(t, s)
	taste := f.Infer(Evidence{}, nil)
	want, total := make([]float64, 2*fixtureDim), 0.0
	for i := range s.Items.Len() {
		total += float64(s.Counts[i])
		for d, v := range s.Items.Row(i) {
			want[d] += float64(s.Counts[i]) * float64(v)
		}
	}
	for d := range want {
		if math.Abs(float64(taste.Row[d])-want[d]/total) > 1e-6 {
			t.Fatalf("component %d is %v, the mean is %v", d, taste.Row[d], want[d]/total)
		}
	}
	if taste.Evidence != 0 || len(taste.Spread) != fixtureDim {
		t.Errorf("got %d pieces of evidence and %d spreads", taste.Evidence, len(taste.Spread))
	}
	// Counts that are all zero, or missing, weight all items alike.
	s.Counts = make([]int, s.Items.Len())
	zero := inferrer(t, s).Prior()
	s.Counts = nil
	if !slices.Equal(zero, inferrer(t, s).Prior()) {
		t.Error("counts of zero must weigh like no counts")
	}
}

// Check the fold-in's gradient against finite differences of the loss itself, with dislikes weighted as documented.
func TestFoldInDescendsTheLoss(t *testing.T) {
	for name, s := range settings(t) {
		if !s.Composition.Free {
			continue
		}
		f := inferrer(t, s)
		e := Evidence{Likes: []int{1, 2, 60}}.canonical(s.Items.Len())
		row := make([]float32, 2*fixtureDim)
		f.foldIn(row, e)
		w := new(fold)
		q := f.negatives(w, e, sampleOwn)
		value := func(theta []float32) float64 {
			dq, cq := make([]float32, q), make([]float32, q)
			vec.SquaredDistances(dq, theta, w.neg)
			sum := 0.0
			for _, l := range e.Likes {
				v, _ := s.Loss.Coefficients(gaussian.W2Squared(theta, s.Items.Row(l)), dq, nil, cq)
				sum += float64(v)
			}
			return sum
		}
		start := make([]float32, 2*fixtureDim)
		if s.Composition.Weight > 0 {
			for _, l := range e.Likes {
				vec.Axpy(1, s.Items.Row(l), start)
			}
			sum := slices.Clone(start)
			gaussian.Compose(start, nil, sum, s.Composition.Weight/float32(len(e.Likes)), s.Radius)
		} else {
			f.center(start, e.Likes, &e)
		}
		if a, b := value(start), value(row); !(b < a) {
			t.Errorf("%s: the loss went from %v to %v", name, a, b)
		}
	}
}

// weights returns weights by item.
func weights(of map[int]float32) (out []float32) {
	for i, w := range of {
		out = append(out, make([]float32, max(i+1-len(out), 0))...)
		out[i] = w
	}
	return out
}

// A like of more weight pulls the visitor towards its item, up to where two likes of it would; all likes of one weight
// are as certain as plain ones; and no weight, or an invalid one, is 1.
func TestWeights(t *testing.T) {
	for name, s := range settings(t) {
		f := inferrer(t, s)
		likes := []int{3, 120, 200}
		plain := f.Infer(Evidence{Likes: likes}, nil)
		loved := f.Infer(Evidence{Likes: likes, Weights: weights(map[int]float32{120: 1.5})}, plain)
		near := func(taste *Taste) float64 {
			return W2Squared(taste.Row, s.Items.Row(120)) - W2Squared(taste.Row, s.Items.Row(3))
		}
		if !s.Composition.Free && !(near(loved) < near(plain)) {
			t.Errorf("%s: a like that weighs 1.5 does not pull more than the others", name)
		}
		invalid := weights(map[int]float32{3: 0, 120: -1, 9: 4})
		if got := f.Infer(Evidence{Likes: likes, Weights: invalid}, nil); !slices.Equal(got.Row, plain.Row) ||
			!slices.Equal(got.Spread, plain.Spread) {
			t.Errorf("%s: weights that do not count change the taste", name)
		}
		if s.Composition.Prior == 0 && !s.Composition.Free && s.Posterior != nil {
			even := f.Infer(Evidence{Likes: likes, Weights: weights(map[int]float32{3: 1.5, 120: 1.5, 200: 1.5})}, nil)
			for d, x := range even.Spread {
				if math.Abs(float64(x/plain.Spread[d])-1) > 1e-5 {
					t.Errorf("%s: three likes of weight 1.5 have the spread %v, plain ones %v", name, x, plain.Spread[d])
					break
				}
			}
		}
	}
	s := settings(t)["prior"]
	f := inferrer(t, s)
	row := f.Row(Evidence{Likes: []int{3, 120}, Weights: weights(map[int]float32{120: 2})})
	sum := make([]float32, len(row)) // two likes of item 120, one of item 3, and κ of the mean
	vec.Axpy(1, s.Items.Row(3), sum)
	vec.Axpy(2, s.Items.Row(120), sum)
	vec.Axpy(s.Composition.Prior, f.mean, sum)
	want := make([]float32, len(row))
	gaussian.Compose(want, nil, sum, s.Composition.Weight/(3+s.Composition.Prior), s.Radius)
	for d := range want {
		if math.Abs(float64(row[d]-want[d])) > 1e-5 {
			t.Fatalf("a like of weight 2: %v at %d, want %v", row[d], d, want[d])
		}
	}
}

func TestSharedAnchorGradient(t *testing.T) {
	s := settings(t)["softmax table"]
	f := inferrer(t, s)
	e := Evidence{Likes: []int{1, 2, 60}, Dislikes: []int{100}}.canonical(s.Items.Len())
	width := 2 * fixtureDim
	w := &fold{theta: make([]float32, width), grad: make([]float32, width)}
	q := f.negatives(w, e, 50)
	if q != 50 || len(w.neg) != 51*width {
		t.Fatalf("%d negatives and %d values, want 50 followed by one dislike", q, len(w.neg))
	}
	n := q + 1
	w.dq, w.cq, w.total = make([]float32, n), make([]float32, n), make([]float32, n)
	r := rand.New(rand.NewPCG(5, 5))
	for d := range w.theta {
		w.theta[d] = float32(0.2 * r.NormFloat64())
	}
	likes := [][]float32{s.Items.Row(1), s.Items.Row(2), s.Items.Row(60)}
	f.sharedAnchor(w, likes, q)

	// In float64, from the definition: c_q of the dislike counts pushWeight-fold.
	tau := float64(s.Loss.Temperature)
	d2 := func(row []float32) (sum float64) {
		for d := range row {
			x := float64(w.theta[d]) - float64(row[d])
			sum += x * x
		}
		return sum
	}
	want := make([]float64, width)
	for _, p := range likes {
		dp, z := d2(p), 1.0
		e := make([]float64, n)
		for k := range n {
			e[k] = math.Exp((dp - d2(w.neg[k*width:(k+1)*width])) / tau)
			z += e[k]
		}
		cp := 0.0
		for k := range n {
			c := e[k] / z / tau
			cp += c
			if k >= q {
				c *= pushWeight
			}
			for d := range width {
				want[d] -= 2 * c * (float64(w.theta[d]) - float64(w.neg[k*width+d]))
			}
		}
		for d := range width {
			want[d] += 2 * cp * (float64(w.theta[d]) - float64(p[d]))
		}
	}
	for d := range width {
		if math.Abs(float64(w.grad[d])-want[d]) > 1e-4*(1+math.Abs(want[d])) {
			t.Errorf("∂J/∂θ_%d = %v, want %v", d, w.grad[d], want[d])
		}
	}
}

func TestFactoredSoftmaxIsTheLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, tau := range []float32{0.05, 0.5, 3} {
		f := &Inferrer{s: InferenceSettings{Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: tau}}}
		w := &fold{dq: make([]float32, 40), dp: make([]float32, 7), cp: make([]float32, 7), total: make([]float32, 40)}
		for i := range w.dq {
			w.dq[i] = float32(4 * r.Float64())
		}
		for i := range w.dp {
			w.dp[i] = float32(4 * r.Float64())
		}
		f.coefficients(w)
		want, cq := make([]float32, 40), make([]float32, 40)
		for j, d := range w.dp {
			_, cp := f.s.Loss.Coefficients(d, w.dq, nil, cq)
			vec.Axpy(1, cq, want)
			if math.Abs(float64(cp-w.cp[j])) > 2e-5/float64(tau) {
				t.Errorf("τ=%v: c_p of like %d is %v, the loss has %v", tau, j, w.cp[j], cp)
			}
		}
		for k := range want {
			if math.Abs(float64(want[k]-w.total[k])) > 5e-5/float64(tau) {
				t.Errorf("τ=%v: c_q of negative %d is %v, the loss has %v", tau, k, w.total[k], want[k])
			}
		}
	}
}

func TestNetworkMarginsAreTheNetworks(t *testing.T) {
	for _, in := range []margin.Input{margin.Difference, margin.Cat, margin.Add} {
		s := settings(t)["adaptive "+in.String()]
		f := inferrer(t, s)
		e := Evidence{Likes: []int{1, 60}}
		w := &fold{theta: slices.Clone(s.Items.Row(9))}
		q := f.negatives(w, e, 20)
		w.dq = make([]float32, q)
		likes := [][]float32{s.Items.Row(1), s.Items.Row(60)}
		f.networkMargins(w, likes)
		for j, p := range likes {
			for k := range q {
				neg := w.neg[k*2*fixtureDim:]
				want := s.Margins.Margin(w.theta[:fixtureDim], p[:fixtureDim], neg[:fixtureDim])
				if got := w.margins[j*q+k]; math.Abs(float64(got-want)) > 1e-5 {
					t.Errorf("%v: margin of like %d and negative %d is %v, the network has %v", in, j, k, got, want)
				}
			}
		}
	}
}

func TestBadSettingsAndItems(t *testing.T) {
	good := settings(t)["softmax table"]
	for want, change := range map[string]func(*InferenceSettings){
		"without items":        func(s *InferenceSettings) { s.Items = nil },
		"counts for 240 items": func(s *InferenceSettings) { s.Counts = s.Counts[:3] },
		"radius":               func(s *InferenceSettings) { s.Radius = 0 },
		"weight":               func(s *InferenceSettings) { s.Composition.Weight = -1 },
		"neither a free part":  func(s *InferenceSettings) { s.Composition = gaussian.Composition{} },
		"temperature":          func(s *InferenceSettings) { s.Loss.Temperature = 0 },
		"has dimension 30":     func(s *InferenceSettings) { s.Margins = margin.Zero(margin.Difference, 30, 4) },
	} {
		s := good
		change(&s)
		if _, err := NewInferrer(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	f := inferrer(t, good)
	for _, item := range []int{-1, good.Items.Len()} {
		func() {
			defer func() {
				if e, ok := recover().(IndexError); !ok || e.Item != item {
					t.Errorf("item %d: panicked with %v", item, e)
				}
			}()
			f.Infer(Evidence{Likes: []int{3, item}}, nil)
			t.Errorf("item %d was accepted", item)
		}()
	}
}

func TestEverythingLikedIsAnswered(t *testing.T) {
	for name, s := range settings(t) {
		all := make([]int, s.Items.Len())
		for i := range all {
			all[i] = i
		}
		// With no negatives left, the row must still be a Gaussian.
		for _, e := range []Evidence{{Likes: all}, {Likes: all[:120], Dislikes: all[120:]}} {
			for _, x := range inferrer(t, s).Infer(e, nil).Row {
				if x != x || math.IsInf(float64(x), 0) {
					t.Fatalf("%s: the row holds %v", name, x)
				}
			}
		}
	}
}

func BenchmarkInfer(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	items := gaussian.NewTable(10000, 50)
	for i := range items.Len() {
		for d := range 50 {
			items.Mean(i)[d], items.Stddev(i)[d] = float32(0.1*r.NormFloat64()), 0.1
		}
	}
	likes := r.Perm(10000)[:50]
	soft := gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1}
	hinge := gaussian.Loss{Kind: gaussian.Hinge, Margin: 1}
	for _, c := range []struct {
		name string
		s    InferenceSettings
	}{
		{"composed", InferenceSettings{Loss: soft, Composition: gaussian.Composition{Weight: 1}}},
		{"softmax", InferenceSettings{Loss: soft, Composition: gaussian.Composition{Free: true}}},
		{"hinge", InferenceSettings{Loss: hinge, Composition: gaussian.Composition{Free: true}}},
		{"adaptive", InferenceSettings{Loss: hinge, Composition: gaussian.Composition{Free: true}, Margins: margin.NewNetwork(margin.Difference, 50, 50, r)}},
		{"both", InferenceSettings{Loss: soft, Composition: gaussian.Composition{Free: true, Weight: 2}}},
	} {
		c.s.Items, c.s.Radius = items, 1
		f := inferrer(b, c.s)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				f.Infer(Evidence{Likes: likes}, nil)
			}
		})
	}
}
