package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
)

// dense returns m as a dense matrix.
func dense(m *dataset.Matrix) *mat.Dense {
	x := mat.NewDense(m.Rows(), m.Cols, nil)
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			x.Set(u, int(i), 1)
		}
	}
	return x
}

// Scores are the polynomial of the dense matrix, for every order and both ways to apply it.
func TestTurboCFIsItsPolynomial(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 1))
	for _, c := range []struct {
		alpha, power float64
		order        int
	}{{.6, .7, 1}, {.5, 1.4, 2}, {.6, 1, 2}, {.3, 1, 1}, {.5, 1, 3}, {.7, .8, 3}} {
		m := drawMatrix(r, 25, 18)
		s, err := TurboCF(m, c.alpha, c.power, c.order)
		if err != nil {
			t.Fatal(err)
		}
		x := dense(m)
		norm := mat.DenseCopyOf(x)
		norm.Apply(func(u, i int, v float64) float64 {
			if v == 0 {
				return 0
			}
			return math.Pow(mat.Sum(x.RowView(u)), -c.alpha) * math.Pow(mat.Sum(x.ColView(i)), c.alpha-1)
		}, norm)
		var p, p2, p3, scores mat.Dense
		p.Mul(norm.T(), norm)
		p.Apply(func(_, _ int, v float64) float64 { return math.Pow(v, c.power) }, &p)
		p2.Mul(&p, &p)
		p3.Mul(&p2, &p)
		h := mat.DenseCopyOf(&p)
		h.Apply(func(i, j int, v float64) float64 {
			switch c.order {
			case 2:
				return 2*v - p2.At(i, j)
			case 3:
				return v + .01*(-p3.At(i, j)+10*p2.At(i, j)-29*v)
			}
			return v
		}, h)
		scores.Mul(x, h)
		for u := range m.Rows() {
			for i, got := range scoresOf(s, u) {
				if want := scores.At(u, i); math.Abs(float64(got)-want) > 1e-5*(1+math.Abs(want)) {
					t.Fatalf("%+v, user %d, item %d: %v, want %v", c, u, i, got, want)
				}
			}
		}
	}
}

// At the minimum the slope of a positive weight is 0, and at a weight of 0 it does not point upwards: the
// Karush-Kuhn-Tucker conditions, from dense matrices. The loss is convex, so no other weights are better.
func TestSLIMIsAtItsMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	above := 0
	for _, c := range []struct{ l1, l2 float64 }{{0, 1}, {.5, 2}, {2, .1}, {1, 30}} {
		m := drawMatrix(r, 40, 15)
		s, err := fitSLIM(context.Background(), m, c.l1, c.l2, 5000, 2)
		if err != nil {
			t.Fatal(err)
		}
		x := dense(m)
		var g mat.Dense
		g.Mul(x.T(), x)
		w := mat.NewDense(m.Cols, m.Cols, nil) // from, to
		for j := range m.Cols {
			for at := s.offsets[j]; at < s.offsets[j+1]; at++ {
				w.Set(j, int(s.targets[at]), float64(s.weights[at]))
			}
		}
		for i := range m.Cols {
			for j := range m.Cols {
				slope := -g.At(j, i) + c.l2*w.At(j, i) + c.l1
				for k := range m.Cols {
					slope += g.At(j, k) * w.At(k, i)
				}
				switch v := w.At(j, i); {
				case i == j && v != 0, v < 0:
					t.Fatalf("%+v: weight %d→%d is %v", c, j, i, v)
				case i == j:
				case v > 0 && math.Abs(slope) > .02:
					t.Errorf("%+v: weight %d→%d is %v, its slope %v", c, j, i, v, slope)
				case v == 0 && slope < -.02:
					t.Errorf("%+v: weight %d→%d is 0, its slope %v", c, j, i, slope)
				case v > 0:
					above++
				}
			}
		}
		one, err := fitSLIM(context.Background(), m, c.l1, c.l2, 5000, 1)
		if err != nil || !reflect.DeepEqual(one.weights, s.weights) || !reflect.DeepEqual(one.targets, s.targets) {
			t.Errorf("one worker and two differ, %v", err)
		}
	}
	if above < 50 {
		t.Errorf("only %d weights are above 0", above)
	}
}

func TestFiltersRefuse(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(32, 1)), 5, 5)
	for _, bad := range []func() error{
		func() error { _, err := TurboCF(m, -1, 1, 1); return err },
		func() error { _, err := TurboCF(m, .5, 0, 1); return err },
		func() error { _, err := TurboCF(m, .5, 1, 4); return err },
		func() error { _, err := SLIM(m, math.NaN(), 1, 1); return err },
		func() error { _, err := SLIM(m, 1, math.Inf(1), 1); return err },
		func() error { _, err := SLIM(m, 1, 1, 0); return err },
	} {
		if _, ok := bad().(OptionError); !ok {
			t.Error("is accepted")
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fitSLIM(ended, m, 1, 1, 1, 1); err == nil {
		t.Error("SLIM ignores its canceled context")
	}
	if _, err := fitTurboCF(ended, m, .5, .5, 1, 1); err == nil {
		t.Error("Turbo-CF ignores its canceled context")
	}
}
