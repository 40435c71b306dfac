package uncertainty

import (
	"context"
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// trained returns MovieLens small and two quick trainings, each without another third of the users.
func trained(t testing.TB, preset string, change func(*pmlam.Config)) (calibrate.Data, []HeldOut) {
	t.Helper()
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := pmlam.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	change(&cfg)
	var held []HeldOut
	thirds := make([][]int, 3)
	for u := range d.Users.Len() {
		thirds[u%3] = append(thirds[u%3], u)
	}
	for _, left := range thirds[:2] {
		on := *d
		on.Positives = calibrate.Without(d.Positives, left)
		trainer, err := pmlam.New(context.Background(), on.Positives, cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := trainer.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Model(&on, pmlam.Export{Config: cfg, Precision: model.Float32})
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, HeldOut{m, left})
	}
	return calibrate.Data{Likes: d.Positives, Unliked: d.Unliked, Low: d.Low}, held
}

// The regions have their stated coverage for people left out of training and calibration, for any taste and any number
// of likes.
func TestRegionsHoldWhatTheySay(t *testing.T) {
	d, held := trained(t, "composed", func(c *pmlam.Config) { c.Dim, c.Epochs = 16, 6 })
	r, err := Coverage(context.Background(), d, held, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", r)
	check := func(what string, row CoverageRow, full float64) {
		for k, level := range r.Levels {
			if got := row.Full[k].Value; math.Abs(got-level) > full {
				t.Errorf("%s, %d to %d likes: %.3f of the refits are inside the region for %.2f",
					what, row.From, row.To, got, level)
			}
		}
	}
	check("halves", r.Halves.All, 0.03)
	for _, row := range r.Halves.Rows {
		check("halves", row, 0.05)
	}
	if r.People != 376 || !(r.Growth.Shrunk > 0.75 && r.Growth.Shrunk < 0.95) {
		t.Errorf("%d people; %d likes, of which %.3f shrank the ellipse", r.People, r.Growth.Likes, r.Growth.Shrunk)
	}
}

// With a user table a visitor is inferred by a descent. Its posterior is an approximation; the learned radii give it
// the stated coverage.
func TestRegionsOfAUserTable(t *testing.T) {
	d, held := trained(t, "paper", func(c *pmlam.Config) {
		c.Dim, c.Hidden, c.Epochs, c.Batch, c.Negatives, c.LearnRate = 8, 4, 4, 1000, 2, 0.01
		c.Margin, c.Relations = pmlam.Fixed, pmlam.NoRelations
	})
	for k := range held {
		held[k].LeftOut = held[k].LeftOut[:24]
	}
	r, err := Coverage(context.Background(), d, held, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", r)
	for k, level := range r.Levels {
		if got := r.Halves.All.Full[k].Value; math.Abs(got-level) > 0.12 {
			t.Errorf("in all dimensions %.3f of the refits are inside the region for %.2f", got, level)
		}
	}
}
