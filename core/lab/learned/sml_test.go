package learned

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// A user's margin settles where γ of a pair's negatives lie within it: it neither vanishes nor stays at its bound.
func TestMarginsRest(t *testing.T) {
	for _, gamma := range []float64{0.5, 2} {
		s := Defaults("sml")
		s.Own = map[string]float64{"margins": gamma, "item": 0}
		s.Dim, s.Batch, s.Epochs, s.LearnRate = 4, 100, 400, 0.01
		train := random(60, 100, 5)
		trainer, err := NewTrainer(train, s, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trainer.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		m := trainer.model.(*sml)
		r := rand.New(rand.NewPCG(5, 5))
		within, pairs, margins := 0.0, 0, 0.0
		for u := range int32(60) {
			margin := m.userMargins.Data[u]
			margins += float64(margin) / 60
			for _, p := range train.Row(int(u)) {
				pairs++
				near := vec.SquaredDistance(m.users.Row(u), m.items.Row(p))
				for drawn := 0; drawn < 200; {
					q := int32(r.IntN(100))
					if train.Contains(int(u), q) {
						continue
					}
					drawn++
					if near-vec.SquaredDistance(m.users.Row(u), m.items.Row(q))+margin > 0 {
						within += float64(s.Negatives) / 200
					}
				}
			}
		}
		within /= float64(pairs)
		t.Logf("γ %v: %.2f of a pair's %d negatives lie within a margin, of %.2f in the mean", gamma, within,
			s.Negatives, margins)
		if within < 0.6*gamma || within > 1.4*gamma {
			t.Errorf("γ %v: %.2f of a pair's %d negatives lie within a margin", gamma, within, s.Negatives)
		}
		if margins < 0.05 || margins > 0.95 {
			t.Errorf("γ %v: margins are %.3f in the mean", gamma, margins)
		}
	}
}
