package uncertainty

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
)

// world makes a training of users and items at random places in the ball. Each user likes the nearest items; every
// third like is held out.
func world(users, items, h int, seed uint64) (Trained, dataset.Split) {
	r := rand.New(rand.NewPCG(seed, 1))
	table := func(n int) *gaussian.Table {
		t := gaussian.NewTable(n, h)
		for i := range n {
			for d := range h {
				t.Mean(i)[d], t.Stddev(i)[d] = float32(r.NormFloat64()), 0.05+0.3*r.Float32()
			}
		}
		return t
	}
	m := Trained{Users: table(users), Items: table(items)}
	var train, test []dataset.Pair
	for u := range users {
		order := make([]int, items)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			x, y := gaussian.W2Squared(m.Users.Row(u), m.Items.Row(a)), gaussian.W2Squared(m.Users.Row(u),
				m.Items.Row(b))
			if x < y {
				return -1
			}
			return 1
		})
		for k, i := range order[:9+u%20] {
			p := dataset.Pair{Row: int32(u), Col: int32(i)}
			if k%3 == 0 {
				test = append(test, p)
			} else {
				train = append(train, p)
			}
		}
	}
	return m, dataset.Split{Train: dataset.NewMatrix(users, items, train), Test: dataset.NewMatrix(users, items, test)}
}

// rotated returns m in another basis, with noise on the means and the same deviations.
func rotated(m Trained, noise float64, seed uint64) Trained {
	r := rand.New(rand.NewPCG(seed, 2))
	h := m.Items.Dim()
	random := mat.NewDense(h, h, nil)
	for i := range h {
		for j := range h {
			random.Set(i, j, r.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(random)
	var q mat.Dense
	qr.QTo(&q)
	rotation := func(t *gaussian.Table) *gaussian.Table {
		out := t.Clone()
		var x mat.Dense
		x.Mul(means(t), &q)
		for i := range t.Len() {
			for d := range h {
				out.Mean(i)[d] = float32(x.At(i, d) + noise*r.NormFloat64())
			}
		}
		return out
	}
	return Trained{Users: rotation(m.Users), Items: rotation(m.Items)}
}

// Trainings that differ only by a rotation align exactly; with noise, the residual is the noise.
func TestAlignFindsTheRotation(t *testing.T) {
	m, _ := world(40, 200, 8, 1)
	users, items, residue, err := align([]Trained{m, rotated(m, 0, 5), rotated(m, 0, 6)})
	if err != nil || residue > 1e-10 || slices.Max(items) > 1e-5 || slices.Max(users) > 1e-5 {
		t.Errorf("after a rotation: residue %g, deviations up to %g and %g, %v", residue, slices.Max(items),
			slices.Max(users), err)
	}
	const noise = 0.1
	_, items, _, err = align([]Trained{rotated(m, noise, 7), rotated(m, noise, 8), rotated(m, noise, 9),
		rotated(m, noise, 10)})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, x := range items {
		sum += x * x / float64(len(items))
	}
	// The mean of four removes a quarter of the noise.
	if want := noise * math.Sqrt(8*0.75); math.Abs(math.Sqrt(sum)/want-1) > 0.05 {
		t.Errorf("the deviation is %.4f, want about %.4f", math.Sqrt(sum), want)
	}
}

// A σ that is a function of the count has rank correlation one with it and none at equal counts. Likes are the nearest
// items, so hardly any is missed.
func TestSigmaOfKnownWorlds(t *testing.T) {
	m, split := world(120, 300, 8, 3)
	count := make([]int, m.Items.Len())
	for _, i := range split.Train.Indices {
		count[i]++
	}
	for i := range m.Items.Len() {
		for d := range m.Items.Stddev(i) {
			m.Items.Stddev(i)[d] = 0.01 + 0.002*float32(count[i])
		}
	}
	again := rotated(m, 0, 4)
	r, err := Sigma(context.Background(), []Trained{m, again}, split, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Measures {
		if c := r.Items.Count[name].Value; math.Abs(c-1) > 1e-9 {
			t.Errorf("%s of σ with the count: %v", name, c)
		}
		if c := r.Items.Seeds[name].Value; math.Abs(c-1) > 1e-9 {
			t.Errorf("%s of σ with the rotated one's: %v", name, c)
		}
	}
	if r.Residue > 1e-9 || r.Items.N != 300 || r.Users.N != 120 || r.Users.Measured != 120 || len(r.Points) != 300 {
		t.Errorf("residue %g, %d items, %d users, %d measured, %d points", r.Residue, r.Items.N, r.Users.N,
			r.Users.Measured, len(r.Points))
	}
	one, err := Sigma(context.Background(), []Trained{m}, split, 1, nil)
	if err != nil || one.Items.Spread != nil || one.Users.Lists != nil ||
		one.Items.Count["mean"] != r.Items.Count["mean"] {
		t.Errorf("one training: %+v, %v", one.Items, err)
	}
	if _, err := Sigma(context.Background(), nil, split, 1, nil); err == nil {
		t.Error("no trainings: no error")
	}
}

func TestSigmaStops(t *testing.T) {
	m, split := world(20, 60, 4, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sigma(ctx, []Trained{m}, split, 1, nil); err == nil {
		t.Error("an ended context was ignored")
	}
}
