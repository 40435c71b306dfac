package coldstart

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// naive solves the weighted ridge regression directly, with one more unknown for the unpenalised intercept.
func naive(rows []row, weights, targets []float64, f int, lambda float64, x row) float64 {
	wide := func(r row) []float64 {
		out := make([]float64, f+1)
		out[f] = 1
		for k, at := range r.at {
			out[at] += r.value[k]
		}
		return out
	}
	a, b := mat.NewDense(f+1, f+1, nil), mat.NewVecDense(f+1, nil)
	for k := range f {
		a.Set(k, k, lambda)
	}
	for i, r := range rows {
		z := wide(r)
		for k, v := range z {
			b.SetVec(k, b.AtVec(k)+weights[i]*v*targets[i])
			for l, w := range z {
				a.Set(k, l, a.At(k, l)+weights[i]*v*w)
			}
		}
	}
	var beta mat.VecDense
	if err := beta.SolveVec(a, b); err != nil {
		panic(err)
	}
	return mat.Dot(&beta, mat.NewVecDense(f+1, wide(x)))
}

func random(r *rand.Rand, n, f int) (rows []row, weights, targets []float64) {
	for range n {
		var x row
		for at := range f {
			if r.IntN(3) == 0 {
				x.add(int32(at), r.NormFloat64())
			}
		}
		rows, weights, targets = append(rows, x), append(weights, 0.1+r.Float64()), append(targets, r.NormFloat64())
	}
	return rows, weights, targets
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9*(1+math.Abs(b)) }

// One feature, two items of weight 1: x̄ = 1/2, and the slope is ½·(y₁−y₀)/(½ + λ).
func TestRidgeClosedForm(t *testing.T) {
	rows := []row{{}, {[]int32{0}, []float64{1}}}
	s, err := newSystem(rows, []float64{1, 1}, 1).solve(2)
	if err != nil {
		t.Fatal(err)
	}
	x := s.to([]float64{3, 8}, 1)
	if slope := 0.5 * 5 / 2.5; !near(x.slope[0], slope) || !near(x.predict(rows[1])[0], 5.5+slope/2) {
		t.Errorf("slope %v, prediction %v", x.slope, x.predict(rows[1]))
	}
	s, _ = newSystem(rows, []float64{1, 1}, 1).solve(1e12)
	if got := s.to([]float64{3, 8}, 1).predict(rows[1])[0]; math.Abs(got-5.5) > 1e-9 {
		t.Errorf("with a huge λ it predicts %v, not the mean", got)
	}
}

// The fast regression agrees with the naive one. Leave-one-out errors agree with naive regressions on the other items.
// The shares sum to 1 and give the prediction.
func TestRidgeIsTheNaiveOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	const n, f, lambda = 40, 9, 1.5
	rows, weights, targets := random(r, n, f)
	s, err := newSystem(rows, weights, f).solve(lambda)
	if err != nil {
		t.Fatal(err)
	}
	x := s.to(targets, 1)
	errs, err := x.leftOut(context.Background(), targets, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		fresh, _, _ := random(r, 1, f)
		want := naive(rows, weights, targets, f, lambda, fresh[0])
		if got := x.predict(fresh[0])[0]; !near(got, want) {
			t.Fatalf("prediction %v, naive regression %v", got, want)
		}
		sum, by := 0.0, 0.0
		for k, a := range s.shares(fresh[0]) {
			sum, by = sum+a, by+a*targets[k]
		}
		if !near(sum, 1) || !near(by, want) {
			t.Fatalf("the shares sum to %v and give %v, not %v", sum, by, want)
		}
		without := func(v []float64) []float64 { return slices.Delete(slices.Clone(v), i, i+1) }
		left := naive(slices.Delete(slices.Clone(rows), i, i+1), without(weights), without(targets), f, lambda, rows[i])
		if !near(errs[i], targets[i]-left) {
			t.Fatalf("item %d left out: error %v, naive regression %v", i, errs[i], targets[i]-left)
		}
	}
}

// For targets that are linear in the features, the least λ is chosen; for noise, the greatest. Columns that are not
// judged do not matter. A context that has ended stops it.
func TestStrengthIsChosenByItemsLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	rows, weights, noise := random(r, 60, 5)
	var linear, random []float64
	for i, x := range rows {
		y := 1.0
		for k, at := range x.at {
			y += x.value[k] * float64(at+1)
		}
		linear, random = append(linear, y, noise[i]), append(random, noise[i], y)
	}
	s := newSystem(rows, weights, 5)
	for _, c := range []struct {
		targets []float64
		want    float64
	}{{linear, strengths[0]}, {random, strengths[len(strengths)-1]}} {
		best, errs, err := s.choose(context.Background(), c.targets, 2, 1, 1)
		if err != nil || best.lambda != c.want || len(errs) != len(c.targets) {
			t.Errorf("λ %v, want %v: %v", best.lambda, c.want, err)
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, _, err := s.choose(ended, linear, 2, 1, 1); err == nil {
		t.Error("a cancelled context is ignored")
	}
}
