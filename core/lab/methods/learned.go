package methods

import (
	"slices"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/lab/learned"
)

// maxRate bounds the learning rate. A step of Adam moves a number by about the rate, and numbers are of the order of 1.
// With far larger rates the squares overflow and the unit ball brings all rows to 0, although every number stays
// finite.
const maxRate = 1000

// sharedSettings returns the settings common to all methods of package learned: those about pairs and negatives only if
// an epoch passes over pairs, and the one that allows the user's own items as negatives only if the method's authors
// draw them so.
func sharedSettings(m *learned.Method) []baseline.Setting {
	d := learned.Defaults(m.Name)
	unit, negatives := "positive pairs in a batch", []baseline.Setting{
		{Name: "negatives", Use: "negatives for each", Default: float64(d.Negatives), Min: 1, Max: 65536, Whole: true},
		{Name: "candidates", Use: "candidates for negatives per user, redrawn at times; 0: all items",
			Default: float64(d.Candidates), Max: 1e9, Whole: true},
		{Name: "byuser", Use: "1: every sample draws a user first, uniformly; 0: an epoch is all pairs", Max: 1,
			Whole: true},
	}
	if d.Owned {
		negatives = append(negatives, baseline.Setting{Name: "owned", Default: 1, Max: 1, Whole: true,
			Use: "1: negatives may be the user's own items; needs candidates=0"})
	}
	if m.Users {
		unit, negatives = "users in a batch", nil
	}
	return slices.Concat([]baseline.Setting{
		{Name: "dim", Use: "dimension", Default: float64(d.Dim), Min: 1, Max: 4096, Whole: true},
		{Name: "epochs", Use: "epochs at most", Default: float64(d.Epochs), Min: 1, Max: 1e6, Whole: true},
		{Name: "lr", Use: "learning rate of Adam", Default: d.LearnRate, Above: true, Max: maxRate},
		{Name: "decay", Use: "1: the learning rate falls linearly to 0", Max: 1, Whole: true},
		{Name: "batch", Use: unit, Default: float64(d.Batch), Min: 1, Max: 1e9, Whole: true},
	}, negatives, []baseline.Setting{
		{Name: "validation", Use: "share of each user's items held out to choose the best epoch; 0: keep the last",
			Default: d.Validation, Max: 0.9},
		{Name: "every", Use: "epochs between validations", Default: float64(d.Every), Min: 1, Max: 1e6, Whole: true},
		{Name: "patience", Use: "validations without improvement before stopping; 0: never",
			Default: float64(d.Patience), Max: 1e6, Whole: true},
		{Name: "seed", Use: "seed of everything random", Default: float64(d.Seed), Max: 1 << 53, Whole: true},
	})
}

// settings turns complete values into the settings of package learned.
func settings(m *learned.Method, v baseline.Values) learned.Settings {
	s := learned.Defaults(m.Name)
	s.Dim, s.Epochs, s.LearnRate, s.Decay, s.Batch = int(v["dim"]), int(v["epochs"]), v["lr"], v["decay"] == 1,
		int(v["batch"])
	s.Validation, s.Every, s.Patience, s.Seed = v["validation"], int(v["every"]), int(v["patience"]), uint64(v["seed"])
	if !m.Users {
		s.Negatives, s.Candidates = int(v["negatives"]), int(v["candidates"])
		s.Owned, s.ByUser = v["owned"] == 1, v["byuser"] == 1
	}
	s.Own = map[string]float64{}
	for _, o := range m.Own {
		s.Own[o.Name] = v[o.Name]
	}
	return s
}
