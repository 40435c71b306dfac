package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

// heldOutUsers measures the methods and the model on users whom their training did not see.
func (e *evaluateRun) heldOutUsers(ctx context.Context, s *cli.Source, in *cli.Input, m *model.Model) error {
	bar := e.StepsBar("evaluating", "users")
	defer bar.Done()
	strangers := eval.NewStrangers(*in.ByUser, e.told, s.SplitSeed, eval.Options{
		Ks: e.ks, Distance: distance(e.diversity, in.Dataset, m), Workers: e.Workers,
		Progress: func(done, total int) { bar.Set(int64(done), int64(total), "") },
	})
	measure := func(method, family string, scorer func(likes *dataset.Matrix) (eval.Scorer, error)) error {
		row, err := strangers.Measure(ctx, method, family, scorer)
		if err == nil && row.Report != nil {
			e.Printf("%s\n%s%s%s\n", method, row.Report, row.Report.BeyondTable(), row.Report.SliceTable())
		}
		return err
	}
	var failed error // the first baseline that failed; the others are measured
	for _, spec := range e.baselines {
		fit, err := baseline.New(ctx, spec, in.Split.Train, e.Workers)
		if err == nil {
			family, _, _ := strings.Cut(spec, ":")
			err = measure(spec, family, func(likes *dataset.Matrix) (eval.Scorer, error) {
				return baseline.FoldIn(ctx, fit, likes, e.Workers)
			})
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			e.Notef("%s was not measured: %v", spec, err)
			failed = cmp.Or(failed, fmt.Errorf("%s was not measured: %w", spec, err))
		}
	}
	for k, m := range forms(m) {
		name := e.model + []string{"", withoutPart}[k]
		v, missing, err := scoring.NewVisitors(m, in.Items.Strings())
		if err != nil {
			return fmt.Errorf("%s: %w", e.model, err)
		}
		if missing > 0 && k == 0 {
			e.Notef("%d of the %d items are not in the model and count as missed", missing, in.Items.Len())
		}
		if err := measure(name, "", func(likes *dataset.Matrix) (eval.Scorer, error) {
			return v.Scorer(likes), nil
		}); err != nil {
			return err
		}
	}
	e.Printf("Held-out users by the number of likes that they tell; their others are to be found. Of several settings "+
		"of a method,\nthe best on the validation users is measured on the test users. ± is the standard error.\n\n%s",
		strangers.Table())
	if !e.JSON {
		return failed
	}
	var results []cli.FlatObject
	margins := []eval.Margin{}
	for _, row := range strangers.Rows {
		var figures map[string]float64
		if row.Report != nil {
			figures = row.Report.All()
		}
		results = append(results, cli.Flat(row, figures))
		if row.Method == e.model {
			margins = strangers.Margins(row)
		}
	}
	return cmp.Or(e.PrintJSON(map[string]any{
		"dataset": in.Name, "split": in.SplitBy, "digest": in.Digest(in.Tested()), "k": strangers.K,
		"users": in.Users.Len(), "items": in.Items.Len(), "interactions": in.Positives.Len(),
		"trained_interactions": in.Split.Train.Len(), "test_interactions": in.Tested().Test.Len(),
		"results": results, "margins": margins, "reading": cli.NewReadingReport(in.Read),
	}), failed)
}

// forms returns the model, and the model without its links if it has any; none for nil.
func forms(m *model.Model) []*model.Model {
	switch {
	case m == nil:
		return nil
	case m.ItemItem == nil:
		return []*model.Model{m}
	}
	alone := *m
	alone.ItemItem = nil
	return []*model.Model{m, &alone}
}
