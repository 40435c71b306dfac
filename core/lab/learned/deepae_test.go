package learned

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// The popularity offsets minimise the loss of an output that is the same for all users: with half a user more on either
// side the derivative with respect to an item's x is zero, and smaller and larger x cost more.
func TestPopularOffsets(t *testing.T) {
	train := random(40, 30, 6)
	have := make([]float64, train.Cols)
	for u := range train.Rows() {
		for _, i := range train.Row(u) {
			have[i]++
		}
	}
	for _, c := range []float64{0, 1, 10} {
		own := map[string]float64{"outer": 5, "positives": c, "dropout": 0.5, "prior": 1}
		m := newDeepAE(train, Settings{Dim: 3}, own, rand.New(rand.NewPCG(1, 1))).(*deepAE)
		for i, x := range m.last.b.Data {
			cost := func(x float64) float64 {
				y := 1 / (1 + math.Exp(-x))
				return (c*have[i]+0.5)*(1-y)*(1-y) + (float64(train.Rows())-have[i]+0.5)*y*y
			}
			at := float64(x)
			if here := cost(at); here > cost(at-0.01) || here > cost(at+0.01) {
				t.Errorf("c %v: item %d, which %v have, starts at %v, but the loss is lower nearby", c, i, have[i], x)
			}
		}
	}
	own := map[string]float64{"outer": 5, "positives": 10, "dropout": 0.5}
	for i, x := range newDeepAE(train, Settings{Dim: 3}, own, rand.New(rand.NewPCG(1, 1))).(*deepAE).last.b.Data {
		if x != 0 {
			t.Errorf("without prior item %d starts at %v", i, x)
		}
	}
}

// On a large catalogue hidden units with zero initial offsets soon agree for all users; with popularity offsets they
// distinguish users.
func TestHiddenUnitsTellUsersApart(t *testing.T) {
	train := random(300, 6000, 10)
	apart := func(prior float64) float64 {
		s := Defaults("deepae")
		s.Own = map[string]float64{"prior": prior}
		s.Dim, s.Batch, s.Epochs = 20, 300, 60
		trainer, err := NewTrainer(train, s, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trainer.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		m := trainer.model.(*deepAE)
		users := make([]int32, train.Rows())
		for u := range users {
			users[u] = int32(u)
		}
		var p hidden
		m.forward(&p, users, nil)
		h, n, sum := m.last.in, float64(len(users)), 0.0
		for k := range h {
			mean, squares := 0.0, 0.0
			for u := range users {
				z := float64(p.z[2][u*h+k])
				mean += z / n
				squares += z * z / n
			}
			sum += math.Sqrt(max(0, squares-mean*mean))
		}
		return sum / float64(h)
	}
	with, without := apart(1), apart(0)
	t.Logf("standard deviation over users of a hidden unit: %.3f with popularity offsets, %.3f without", with,
		without)
	if with < 2*without {
		t.Errorf("a hidden unit's standard deviation over users is %.3f with popularity offsets and %.3f "+
			"without", with, without)
	}
}
