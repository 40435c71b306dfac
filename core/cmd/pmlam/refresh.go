package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/refresh"
)

// runRefresh brings the model of --from, else that of --out, up to date with the data: train --refresh.
func (t *trainRun) runRefresh(ctx context.Context, s *source) error {
	if t.out == "" {
		return usagef("--out is needed: the model to refresh, and the file to write it to")
	}
	if err := t.work.check(); err != nil {
		return err
	}
	from := t.from
	if from == "" {
		from = t.out
	}
	older, err := openModel(from)
	if err != nil {
		return err
	}
	if s.changed("precision") && t.precision != older.Precision.String() {
		return usagef("--precision is %s, and %s keeps %s: a refresh keeps its rows as they are", t.precision, from,
			older.Precision)
	}
	if err := writable(t.out); err != nil {
		return err
	}
	t.start()
	in, err := s.read(ctx, t.app)
	if err != nil {
		return err
	}
	t.printf("%s: %s\n", in.Name, in.Read)
	o := refresh.Options{Workers: t.workers}
	if t.coldItems && in.Read.Titles != "" {
		about, err := loadItems(in.Read.Titles, in.options.Columns.Title)
		if err != nil {
			return err
		}
		o.Kept = about.Catalogue
	}
	m, r, err := refresh.Refresh(ctx, older, in.Dataset, o)
	if err != nil {
		return fmt.Errorf("%s is as it was: %w", t.out, err)
	}
	m.Provenance.Program = version
	m.Provenance.Licence, m.Provenance.Attribution = in.Licence, in.Attribution
	t.printf("refreshed %s: %d items new, %d trained again, %d as they were, %d not in the data and left out\n", from,
		r.New, r.Moved, r.Kept, r.Gone)
	if t.coldItems {
		if m, err = t.withColdItems(ctx, m, in); err != nil {
			return fmt.Errorf("%s is as it was: %w", t.out, err)
		}
	}
	if err := model.WriteFile(t.out, m); err != nil {
		return err
	}
	t.printf("wrote %s: %d items\n", t.out, m.Items.Len())
	if t.json {
		return t.printJSON(map[string]any{
			"users": in.Users.Len(), "items": m.Items.Len(), "interactions": in.Positives.Len(), "refresh": r,
			"cold": t.cold, "seconds": t.seconds(), "reading": newReadingReport(in.Read), "out": t.out,
		})
	}
	return nil
}

// checkRefresh finds flags that a refresh has no use for. It is called before pmlam.toml is read, which may say how the
// model is trained from the beginning. settings are those that were given.
func checkRefresh(flags *pflag.FlagSet, settings []string) error {
	if len(settings) > 0 {
		return usagef("--%s is a setting of a training; a refresh goes on with those of the model", flagOf(settings[0]))
	}
	for _, flag := range []string{"measure", "method", "checkpoint", "checkpoint-every", "fresh", "curves", "max-time",
		"device", "with-users", "replace", "config", "preset", "fold", "folds", "test", "by-time", "split-time",
		"record", "item-links"} {
		if flags.Changed(flag) {
			return usagef("--%s is about a training from the beginning, and --refresh is none", flag)
		}
	}
	return nil
}
