package coldstart

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// crowded returns a model with warm items on a sphere, and cold ones near the middle, like predicted rows.
func crowded(warm, cold, h int) *model.Model {
	r := rand.New(rand.NewPCG(5, 6))
	m := &model.Model{Items: gaussian.NewTable(warm+cold, h), Catalogue: &catalogue.Catalogue{},
		Objective: model.Objective{Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1, Margin: 1},
			Composition: gaussian.Composition{Weight: 2}, Radius: 1, LearnRate: 0.01}}
	for i := range warm + cold {
		row := m.Items.Row(i)
		for d := range h {
			row[d], row[h+d] = float32(0.2*r.NormFloat64()), 0.1
			if i >= warm {
				row[d] = float32(0.02 * r.NormFloat64())
			}
		}
		gaussian.Bound(row, 1)
		item := catalogue.Item{ID: string(rune('A' + i)), Title: string(rune('A' + i))}
		if i < warm {
			item.Count = 7
		}
		m.Catalogue.Items = append(m.Catalogue.Items, item)
	}
	return m
}

// Items without likes are held to the requested share, by default their share of the catalogue. The other rows do not
// change, and the result is reproducible.
func TestHold(t *testing.T) {
	const warm, cold, h = 400, 40, 32
	for _, c := range []struct{ share, want float64 }{
		{0, 40.0 / 440}, {0.05, 0.05}, {0.12, 0.12}, {0.2, 0.2}, {0.3, 0.3}, {0.5, 0.5}, {0.08, 0.08}, {0.15, 0.15},
		{0.25, 0.25}, {0.4, 0.4},
	} {
		m, again := crowded(warm, cold, h), crowded(warm, cold, h)
		held, err := Hold(background, m, warm, c.share)
		if err != nil || held == nil || held.Share != c.want || held.Before < 0.6 || held.After > c.want+heldEnough {
			t.Errorf("share %v: %+v, %v", c.share, held, err)
			continue
		}
		if held.After < c.want*0.7 && c.want > 0.1 {
			t.Errorf("share %v: they have only %v", c.share, held.After)
		}
		before := crowded(warm, cold, h)
		for i := range warm {
			for k, v := range m.Items.Row(i) {
				if v != before.Items.Row(i)[k] {
					t.Fatalf("row %d of a learned item has changed", i)
				}
			}
		}
		if _, err := Hold(background, again, warm, c.share); err != nil || !bytes.Equal(encoded(t, m), encoded(t, again)) {
			t.Errorf("share %v: the model differs, %v", c.share, err)
		}
		second, err := Hold(background, m, warm, c.share)
		if err != nil || second.Before != held.After {
			t.Errorf("share %v: a second call gives %+v", c.share, second)
		}
	}
	for name, c := range map[string]struct {
		m     *model.Model
		from  int
		share float64
	}{
		"no bound": {crowded(warm, cold, h), warm, 1}, "none cold": {crowded(warm, 0, h), warm, 0},
		"none new": {crowded(warm, cold, h), warm + cold, 0}, "all cold": {crowded(0, cold, h), 0, 0},
	} {
		if held, err := Hold(background, c.m, c.from, c.share); held != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, held, err)
		}
	}
}
