package pmlam

import (
	"context"
	"slices"
	"testing"
)

// Held rows stay, bit by bit, and others are trained, for all settings; the networks stay, too.
func TestHold(t *testing.T) {
	m := clustered(40, 24, 6)
	for name, c := range configs(t) {
		trainer := newTrainer(t, m, c, 2)
		held := make([]bool, m.Cols)
		if c.Shrinkage > 0 {
			refused := func() (refused bool) {
				defer func() { refused = recover() != nil }()
				trainer.Hold(held)
				return false
			}
			if !refused() {
				t.Errorf("%s: Hold accepts rows that are composed of others", name)
			}
			continue
		}
		for i := range held {
			held[i] = i%3 > 0
		}
		before := trainer.itemsTable(trainer.theta).Clone()
		nets := trainer.networks()
		for k, n := range nets {
			if n != nil {
				nets[k] = n.Clone()
			}
		}
		trainer.Hold(held)
		r, err := trainer.Run(context.Background(), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range held {
			if same := slices.Equal(before.Row(i), r.Items.Row(i)); same != held[i] {
				t.Errorf("%s: item %d: held %v, unchanged %v", name, i, held[i], same)
			}
		}
		for k, n := range trainer.networks() {
			if n != nil && !slices.Equal(n.W1, nets[k].W1) {
				t.Errorf("%s: network %d has changed", name, k)
			}
		}
	}
}
