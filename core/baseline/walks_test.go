package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
)

// nearest returns the k indices of the largest positive weights; ties go to the lower index.
func nearest(weights []float64, k int) []int {
	var all []int
	for i, w := range weights {
		if w > 0 {
			all = append(all, i)
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return float32(weights[all[a]]) > float32(weights[all[b]]) })
	return all[:min(k, len(all))]
}

func TestUserKNNIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	for _, k := range []int{1, 4, 50} {
		m, shrink := drawMatrix(r, 25, 18), 2*r.Float64()
		s := UserKNN(m, k, shrink)
		for u := range m.Rows() {
			weights := make([]float64, m.Rows())
			for v := range weights {
				shared := 0.0
				for i := range m.Cols {
					shared += has(m, u, i) * has(m, v, i)
				}
				if v != u {
					weights[v] = shared / (math.Sqrt(float64(len(m.Row(u)))*float64(len(m.Row(v)))) + shrink)
				}
			}
			got := scoresOf(s, u)
			for i := range m.Cols {
				want := 0.0
				for _, v := range nearest(weights, k) {
					want += weights[v] * has(m, v, i)
				}
				if math.Abs(float64(got[i])-want) > 1e-5*(1+want) {
					t.Fatalf("k %d, user %d, item %d: %v, want %v", k, u, i, got[i], want)
				}
			}
		}
	}
}

// The walk as matrices: P_ui = x_ui/|S_u|, P_iu = x_ui/|U_i|, each entry to the power α.
func TestRP3BetaIsThreeSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 22))
	for _, c := range []struct {
		k           int
		alpha, beta float64
	}{{50, 1, 0}, {50, .7, .6}, {3, 1.3, .4}} {
		m := drawMatrix(r, 25, 18)
		users := m.Transpose()
		toItem, toUser := mat.NewDense(m.Rows(), m.Cols, nil), mat.NewDense(m.Cols, m.Rows(), nil)
		for u := range m.Rows() {
			for _, i := range m.Row(u) {
				toItem.Set(u, int(i), math.Pow(1/float64(len(m.Row(u))), c.alpha))
				toUser.Set(int(i), u, math.Pow(1/float64(len(users.Row(int(i)))), c.alpha))
			}
		}
		var two mat.Dense
		two.Mul(toUser, toItem)
		s := RP3Beta(m, c.k, c.alpha, c.beta)
		want := mat.NewDense(m.Cols, m.Cols, nil)
		for j := range m.Cols {
			weights := make([]float64, m.Cols)
			for i := range weights {
				if n := len(users.Row(i)); i != j && n > 0 {
					weights[i] = two.At(j, i) / math.Pow(float64(n), c.beta)
				}
			}
			for _, i := range nearest(weights, c.k) {
				want.Set(j, i, weights[i])
			}
		}
		for u := range m.Rows() {
			got := scoresOf(s, u)
			for i := range m.Cols {
				sum := 0.0
				for _, j := range m.Row(u) {
					sum += want.At(int(j), i)
				}
				if math.Abs(float64(got[i])-sum) > 1e-5*(1+sum) {
					t.Fatalf("%+v, user %d, item %d: %v, want %v", c, u, i, got[i], sum)
				}
			}
		}
	}
}

// ialsLoss is the objective as written, over all pairs.
func ialsLoss(m *dataset.Matrix, o IALSSettings, s *ials) float64 {
	users := m.Transpose()
	loss := 0.0
	norm := func(x []float64) (sum float64) {
		for _, v := range x {
			sum += v * v
		}
		return sum
	}
	for u := range m.Rows() {
		w := s.users[u*o.Dim : (u+1)*o.Dim]
		for i := range m.Cols {
			dot := 0.0
			for k, v := range s.items[i*o.Dim : (i+1)*o.Dim] {
				dot += w[k] * v
			}
			loss += has(m, u, i)*(dot-1)*(dot-1) + o.Unobserved*dot*dot
		}
		loss += o.Lambda * math.Pow(float64(len(m.Row(u)))+o.Unobserved*float64(m.Cols), o.Nu) * norm(w)
	}
	for i := range m.Cols {
		loss += o.Lambda * math.Pow(float64(len(users.Row(i)))+o.Unobserved*float64(m.Rows()), o.Nu) *
			norm(s.items[i*o.Dim:(i+1)*o.Dim])
	}
	return loss
}

// After solving for the items, no change of an item's factors lowers the loss, and every epoch lowers it.
func TestIALSSolvesItsLoss(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(23, 23)), 25, 18)
	o := IALSSettings{Dim: 4, Unobserved: .3, Lambda: .05, Nu: .7, Seed: 5}
	before := math.Inf(1)
	for o.Epochs = 1; o.Epochs <= 5; o.Epochs++ {
		s, err := fitIALS(t.Context(), m, o, 3)
		if err != nil {
			t.Fatal(err)
		}
		loss := ialsLoss(m, o, s)
		if loss >= before {
			t.Fatalf("epoch %d: loss %v after %v", o.Epochs, loss, before)
		}
		before = loss
		const step = 1e-4
		for at := range s.items {
			x := s.items[at]
			s.items[at] = x + step
			up := ialsLoss(m, o, s)
			s.items[at] = x - step
			down := ialsLoss(m, o, s)
			s.items[at] = x
			if slope := (up - down) / (2 * step); math.Abs(slope) > 1e-6 {
				t.Fatalf("epoch %d, item factor %d: the loss still falls, by %v", o.Epochs, at, slope)
			}
		}
	}
	o.Lambda, o.Dim = 0, 30 // more unknowns than the data determine
	if _, err := IALS(dataset.NewMatrix(2, 2, []dataset.Pair{{}, {Row: 1, Col: 1}}), o); err == nil {
		t.Error("a singular system is accepted")
	}
}

// Steps of conjugate gradients numbering twice the dimensions solve a system. Two steps lower the loss in every epoch,
// and approach the exact solution.
func TestIALSBySteps(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(25, 25)), 40, 30)
	o := IALSSettings{Dim: 6, Epochs: 4, Unobserved: .3, Lambda: .05, Nu: .7, Seed: 5}
	exact, err := fitIALS(t.Context(), m, o, 3)
	if err != nil {
		t.Fatal(err)
	}
	o.Steps = 2 * o.Dim
	s, err := fitIALS(t.Context(), m, o, 3)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range exact.items {
		if got := s.items[at]; math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
			t.Fatalf("%d steps: item factor %d is %v, want %v", o.Steps, at, got, want)
		}
	}
	best, before := ialsLoss(m, o, exact), math.Inf(1)
	o.Steps = 2
	for o.Epochs = 1; o.Epochs <= 20; o.Epochs++ {
		if s, err = fitIALS(t.Context(), m, o, 3); err != nil {
			t.Fatal(err)
		}
		loss := ialsLoss(m, o, s)
		if loss >= before {
			t.Fatalf("epoch %d of %d steps: loss %v after %v", o.Epochs, o.Steps, loss, before)
		}
		before = loss
	}
	if before > 1.02*best {
		t.Errorf("20 epochs of %d steps reach a loss of %v, 4 exact ones %v", o.Steps, before, best)
	}
}

func TestIALSForAnyNumberOfWorkers(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(24, 24)), 40, 30)
	o := IALSSettings{Dim: 5, Epochs: 3, Unobserved: .1, Lambda: .01, Nu: 1, Seed: 1}
	one, err := fitIALS(t.Context(), m, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 8} {
		s, err := fitIALS(t.Context(), m, o, workers)
		if err != nil {
			t.Fatal(err)
		}
		for i := range one.items {
			if one.items[i] != s.items[i] {
				t.Fatalf("%d workers: item factor %d is %v, with one it is %v", workers, i, s.items[i], one.items[i])
			}
		}
	}
}

// The default suits the size of the data: it is the value chosen on MovieLens small, and on Gowalla.
func TestUnobservedWeight(t *testing.T) {
	for _, c := range []struct {
		users, items int
		want         float64
	}{{563, 1947, 0.1}, {893, 1007, 0.1}, {29858, 40981, 0.003}, {1, 1, 0.1}, {0, 0, 0.1}} {
		if got := UnobservedWeight(c.users, c.items); math.Abs(got-c.want) > 0.0001 {
			t.Errorf("%d users and %d items: %g", c.users, c.items, got)
		}
	}
	// √(users·items) is 2,000 here.
	var pairs []dataset.Pair
	for u := range int32(2000) {
		pairs = append(pairs, dataset.Pair{Row: u, Col: u}, dataset.Pair{Row: u, Col: (u + 1) % 2000})
	}
	m := dataset.NewMatrix(2000, 2000, pairs)
	named, err := New(context.Background(), "ials:dim=4:epochs=1:unobserved=0.0525", m, 0)
	if err != nil {
		t.Fatal(err)
	}
	unnamed, err := New(context.Background(), "ials:dim=4:epochs=1", m, 0)
	if err != nil || !slices.Equal(scoresOf(named, 3), scoresOf(unnamed, 3)) {
		t.Errorf("%v: naming the default weight changes scores", err)
	}
}
