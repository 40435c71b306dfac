package coldstart

import (
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
)

// Report counts the items by outcome, and says how good the map is that placed them. If no item is new, no map was
// learned.
type Report struct {
	Added    int     `json:"added"`
	Known    int     `json:"known"`    // left out: already in the model
	Blank    int     `json:"blank"`    // left out: has no feature in common with a warm item
	Warm     int     `json:"warm"`     // items that the map was learned from
	Features int     `json:"features"` // f
	Strength float64 `json:"strength"` // λ
	// share of similar items' lists that go to items without likes; nil: not held
	Held      *Held   `json:"held,omitempty"`
	Explained float64 `json:"explained"` // share of the variance of held-out warm items' rows (Map.Explained)
}

// Add returns a copy of m with the items of about that it lacks appended in their order. It returns the errors of Fit;
// if no item is new, it only checks that there is one vector for each item. O(Fit), and for each new item O(nnz·f + Σ
// nnz_i + links + I).
func Add(ctx context.Context, m *model.Model, about Items, workers int) (*model.Model, *Report, error) {
	if err := about.check(); err != nil {
		return nil, nil, err
	}
	has := make(map[string]bool, m.Catalogue.Len())
	for i := range m.Catalogue.Items {
		has[m.Catalogue.Items[i].ID] = true
	}
	r := &Report{}
	var unknown []described
	for i := range about.Items {
		if d := about.item(i); has[d.ID] {
			r.Known++
		} else {
			has[d.ID] = true
			unknown = append(unknown, d)
		}
	}
	if len(unknown) == 0 {
		return join(m, nil), r, nil
	}
	p, err := Fit(ctx, m, about, workers)
	if err != nil {
		return nil, nil, err
	}
	r.Warm, r.Features, r.Strength, r.Explained = len(p.warm), p.features.count, p.fit.lambda, p.Explained()
	var fresh []described
	var rows []row
	for i := range unknown {
		x := p.features.row(&unknown[i])
		if len(x.at) == 0 {
			r.Blank++
			continue
		}
		fresh, rows = append(fresh, unknown[i]), append(rows, x)
	}
	r.Added = len(fresh)
	entries := make([]entry, len(fresh))
	if err := parallel.Each(ctx, len(fresh), workers, func() func(int) {
		return func(k int) { entries[k] = p.entry(&fresh[k], rows[k]) }
	}); err != nil {
		return nil, nil, err
	}
	return join(m, entries), r, nil
}

// join returns a copy of m with the entries appended to its items.
func join(m *model.Model, entries []entry) *model.Model {
	out, n := *m, m.Items.Len()
	out.Digest = ""
	out.Items = gaussian.NewTable(n+len(entries), m.Items.Dim())
	copy(out.Items.Data(), m.Items.Data())
	out.Catalogue = &catalogue.Catalogue{Items: slices.Clone(m.Catalogue.Items), Columns: m.Catalogue.Columns,
		LeftOut: m.Catalogue.LeftOut}
	if m.Map != nil {
		out.Map = &model.Map{X: slices.Clone(m.Map.X), Y: slices.Clone(m.Map.Y), Regions: m.Map.Regions}
	}
	if l := m.ItemItem; l != nil {
		out.ItemItem = &model.ItemLinks{Gamma: l.Gamma, Offsets: slices.Clone(l.Offsets),
			Sources: slices.Clone(l.Sources), Weights: slices.Clone(l.Weights)}
	}
	if l := m.Next; l != nil { // nobody has chosen a new item yet
		next := *l
		next.Offsets = slices.Grow(slices.Clone(l.Offsets), len(entries))
		for range entries {
			next.Offsets = append(next.Offsets, int32(len(l.Sources)))
		}
		out.Next = &next
	}
	var like *model.LikeRegression
	if c := m.Calibration; c != nil && c.Like != nil {
		calibration, regression := *c, *c.Like
		regression.Rates = slices.Clone(regression.Rates)
		calibration.Like, out.Calibration, like = &regression, &calibration, &regression
	}
	for k := range entries {
		e := &entries[k]
		copy(out.Items.Row(n+k), e.row)
		out.Catalogue.Items = append(out.Catalogue.Items, e.item)
		if out.Map != nil {
			out.Map.X, out.Map.Y = append(out.Map.X, e.x), append(out.Map.Y, e.y)
		}
		if l := out.ItemItem; l != nil {
			l.Sources, l.Weights = append(l.Sources, e.sources...), append(l.Weights, e.weights...)
			l.Offsets = append(l.Offsets, int32(len(l.Sources)))
		}
		if like != nil {
			like.Rates = append(like.Rates, e.rate)
		}
	}
	out.Catalogue.DropListed()
	return &out
}
