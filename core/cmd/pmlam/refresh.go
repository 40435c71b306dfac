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

// runRefresh brings the model of --from, else that of --out, up to date with the data: train --refresh.
func (t *trainRun) runRefresh(ctx context.Context, s *cli.Source) error {
	if t.out == "" {
		return cli.Usagef("--out is needed: the model to refresh, and the file to write it to")
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
		return cli.Usagef("--precision is %s, and %s keeps %s: a refresh keeps its rows as they are", t.precision, from,
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
		return fmt.Errorf("%s is as it was: %w", t.out, err)
	}
	m.Provenance.Program = train.Version
	m.Provenance.Licence, m.Provenance.Attribution = in.Licence, in.Attribution
	t.Printf("refreshed %s: %d items new, %d trained again, %d as they were, %d not in the data and left out\n", from,
		r.New, r.Moved, r.Kept, r.Gone)
	var cold *coldstart.Report
	if t.coldItems {
		if m, cold, err = t.withColdItems(ctx, m, in); err != nil {
			return fmt.Errorf("%s is as it was: %w", t.out, err)
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

// withColdItems returns the model with the items of the catalogue that it has not learned.
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

// checkRefresh finds flags that a refresh has no use for. It is called before pmlam.toml is read, which may say how the
// model is trained from the beginning. settings are those that were given.
func checkRefresh(flags *pflag.FlagSet, settings []string) error {
	if len(settings) > 0 {
		return cli.Usagef("--%s is a setting of a training; a refresh goes on with those of the model",
			cli.FlagOf(settings[0]))
	}
	for _, flag := range []string{"measure", "checkpoint", "checkpoint-every", "fresh", "curves", "max-time",
		"device", "with-users", "replace", "config", "preset", "fold", "folds", "test", "by-time", "split-time",
		"item-links"} {
		if flags.Changed(flag) {
			return cli.Usagef("--%s is about a training from the beginning, and --refresh is none", flag)
		}
	}
	return nil
}
