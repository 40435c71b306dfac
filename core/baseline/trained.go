package baseline

import (
	"context"

	"github.com/pmlam/pmlam/core/baseline/learned"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// trained returns the methods of package learned as entries of the registry.
func trained() []Method {
	shared := func(name string) []Setting {
		d := learned.Defaults(name)
		return []Setting{
			{Name: "dim", Use: "dimension", Default: float64(d.Dim), Min: 1, Max: 4096, Whole: true},
			{Name: "epochs", Use: "epochs at most", Default: float64(d.Epochs), Min: 1, Max: 1e6, Whole: true},
			{Name: "lr", Use: "learning rate of Adam", Default: d.LearnRate, Above: true, Max: infinite},
			{Name: "batch", Use: "positive pairs in a batch", Default: float64(d.Batch), Min: 1, Max: 1e9, Whole: true},
			{Name: "negatives", Use: "negatives for each", Default: float64(d.Negatives), Min: 1, Max: 65536, Whole: true},
			{Name: "candidates", Use: "items for each user that negatives come from now and then; 0: all", Default: float64(d.Candidates), Max: 1e9, Whole: true},
			{Name: "validation", Use: "share of each user's items held out to choose the best epoch; 0: the last is taken", Default: d.Validation, Max: 0.9},
			{Name: "every", Use: "epochs between validations", Default: float64(d.Every), Min: 1, Max: 1e6, Whole: true},
			{Name: "patience", Use: "validations without a better one before stopping; 0: never", Default: float64(d.Patience), Max: 1e6, Whole: true},
			{Name: "seed", Use: "of everything random", Default: float64(d.Seed), Max: 1 << 53, Whole: true},
		}
	}
	var all []Method
	for _, m := range learned.Methods() {
		settings := shared(m.Name)
		for _, o := range m.Own {
			settings = append(settings, Setting{Name: o.Name, Use: o.Use, Default: o.Default, Min: o.Min, Max: o.Max})
		}
		all = append(all, Method{
			Name: m.Name, Title: m.Title, Summary: m.Summary, Source: m.Source, Settings: settings,
			fit: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
				s := learned.Defaults(m.Name)
				s.Dim, s.Epochs, s.LearnRate, s.Batch = int(v["dim"]), int(v["epochs"]), v["lr"], int(v["batch"])
				s.Negatives, s.Candidates, s.Seed = int(v["negatives"]), int(v["candidates"]), uint64(v["seed"])
				s.Validation, s.Every, s.Patience = v["validation"], int(v["every"]), int(v["patience"])
				s.Own = map[string]float64{}
				for _, o := range m.Own {
					s.Own[o.Name] = v[o.Name]
				}
				t, err := learned.NewTrainer(train, s, workers)
				if err != nil {
					return nil, err
				}
				return scorer(t.Run(ctx, nil))
			},
		})
	}
	return all
}
