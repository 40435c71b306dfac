package uncertainty

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// The rings on the map have their stated coverage of other likes, for people unseen by training and map, with radii
// fitted on others.
func TestRingsHoldWhatTheySay(t *testing.T) {
	ctx := context.Background()
	d, held := trained(t, "composed", func(c *pmlam.Config) { c.Dim, c.Epochs = 16, 6 })
	var cases []Case
	for k, h := range held {
		o := held[(k+1)%len(held)]
		m := *h.Model
		var err error
		if m.Calibration, err = calibrate.Calibrate(ctx, d.Without(h.LeftOut), []calibrate.Fold{{Model: o.Model,
			Left: o.LeftOut}}, h.Model, 1, 0); err != nil {
			t.Fatal(err)
		}
		e, err := recommend.Open(&m, recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, Case{Model: &m, Engine: e, LeftOut: h.LeftOut[:94]})
	}
	r, err := Places(ctx, d, cases, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	whole := &Report{Places: r}
	text := whole.String()
	t.Log(text)
	if r.People != 188 || !strings.Contains(text, "21 and more") || len(whole.Pictures()) != 1 {
		t.Errorf("%d people: %s", r.People, text)
	}
	for _, row := range r.Rows {
		for k, level := range r.Levels {
			if got := row.Held[k].Value; math.Abs(got-level) > 0.07 {
				t.Errorf("%d to %d likes: %.3f of the others lie within the rings for %.2f", row.From, row.To, got, level)
			}
			if k > 0 && !(row.Titles[k].Value > row.Titles[k-1].Value && row.Titles[k].Value < 1) {
				t.Errorf("%d to %d likes: the rings hold %v of the titles", row.From, row.To, row.Titles)
			}
		}
		if row.Hot.Value < 0.25 || row.Outside.Value > 0.5 || row.Tastes.Value < 1 {
			t.Errorf("%+v", row)
		}
	}
}
