package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/refresh"
	"github.com/pmlam/pmlam/core/train"
)

// runRefresh updates the model of --from, or of --out, with the data: train --refresh.
func (t *trainRun) runRefresh(ctx context.Context, s *cli.Source) error {
	if t.out == "" {
		return cli.Usagef("--out is missing: pass the model to refresh, which is also the file to write")
	}
	if err := t.Work.Check(); err != nil {
		return err
	}
	from := t.From
	if from == "" {
		from = t.out
	}
	older, err := cli.OpenModel(from)
	if err != nil {
		return err
	}
	if s.Changed("precision") && t.precision != older.Precision.String() {
		return cli.Usagef("--precision is %s, but %s has %s; a refresh cannot change it", t.precision, from,
			older.Precision)
	}
	if err := writable(t.out); err != nil {
		return err
	}
	t.Start()
	in, err := s.Read(ctx, t.App)
	if err != nil {
		return err
	}
	t.Printf("%s: %s\n", in.Name, in.Read)
	o := refresh.Options{Workers: t.Workers}
	if t.coldItems && in.Read.Titles != "" {
		about, _, err := loadItems(in.Read.Titles, in.Options)
		if err != nil {
			return err
		}
		o.Kept = about.Catalogue
	}
	m, r, err := refresh.Refresh(ctx, older, in.Dataset, o)
	if err != nil {
		return fmt.Errorf("%s is unchanged: %w", t.out, err)
	}
	if s.Changed("again") {
		m.Again = t.again
	}
	m.Provenance.Program = train.Version
	m.Provenance.Licence, m.Provenance.Attribution = in.Licence, in.Attribution
	t.Printf("refreshed %s: %d items new, %d retrained, %d unchanged, %d no longer in the data and left out\n", from,
		r.New, r.Moved, r.Kept, r.Gone)
	var cold *coldstart.Report
	if t.coldItems {
		if m, cold, err = t.withColdItems(ctx, m, in); err != nil {
			return fmt.Errorf("%s is unchanged: %w", t.out, err)
		}
	}
	if err := model.WriteFile(t.out, m); err != nil {
		return err
	}
	t.Printf("wrote %s: %d items\n", t.out, m.Items.Len())
	if t.JSON {
		return t.PrintJSON(map[string]any{
			"users": in.Users.Len(), "items": m.Items.Len(), "interactions": in.Positives.Len(), "refresh": r,
			"cold": cold, "seconds": t.Seconds(), "reading": cli.NewReadingReport(in.Read), "out": t.out,
		})
	}
	return nil
}

// withColdItems returns the model with catalogue items that it has not learned.
func (t *trainRun) withColdItems(ctx context.Context, m *model.Model, in *cli.Input) (*model.Model, *coldstart.Report,
	error) {
	about, err := t.readCold(in)
	if err != nil {
		return m, nil, err
	}
	var r *coldstart.Report
	if about != nil {
		if m, r, err = train.AddCold(ctx, m, *about, t.Workers); err != nil {
			return m, nil, err
		}
	}
	t.noteCold(in, about, r)
	return m, r, nil
}

// checkRefresh reports flags that do not apply to a refresh. It runs before pmlam.toml is read, whose keys are for full
// trainings. settings are the flags given.
func checkRefresh(flags *pflag.FlagSet, settings []string) error {
	if len(settings) > 0 {
		return cli.Usagef("--%s cannot be combined with --refresh, which keeps the model's settings",
			cli.FlagOf(settings[0]))
	}
	for _, flag := range []string{"measure", "checkpoint", "checkpoint-every", "fresh", "curves", "max-time",
		"device", "with-users", "replace", "config", "preset", "fold", "folds", "test", "by-time", "split-time",
		"item-links"} {
		if flags.Changed(flag) {
			return cli.Usagef("--%s cannot be combined with --refresh, which is not a full training", flag)
		}
	}
	return nil
}
