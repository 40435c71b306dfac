package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// evaluateRun is one run of the evaluate command.
type evaluateRun struct {
	cli.Work
	model     string
	baselines []string
	ks        []int
	diversity string // what makes items different
}

func evaluateCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	e := evaluateRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "evaluate --data PATH --fold N [--model FILE] [--baselines LIST] [flags]",
		Short: "Measure a model, and plain methods beside it, on held-out items",
		Long: "Measure a model, and plain methods beside it, on the test part of a split. A user that the model\n" +
			"keeps is ranked from their own Gaussian; any other is inferred from their training items, as a\n" +
			"visitor is. Items that the model does not know count as missed, so all figures compare. The\n" +
			"split must be the one that the model was trained with, or it has learned from the test items. A\n" +
			"model with an item-item part is measured without it too. Below the figures of all stand those of\n" +
			"the users by activity, and where some test items or users have no likes in the training part,\n" +
			"of these.",
		Example: "  pmlam evaluate --data ml-latest-small --fold 0 --model fold0.msgpack --baselines " +
			"popularity,itemknn,ease",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return e.run(c.Context(), &s) },
	}
	g := cli.NewGroup("Methods")
	g.StringVar(&e.model, "model", "", "a model file")
	g.StringSliceVar(&e.baselines, "baselines", nil, "plain methods, fitted on the same training part: any that "+
		"\"pmlam methods\" lists, with settings as in ease:lambda=80")
	g.IntSliceVar(&e.ks, "k", eval.DefaultKs, "lengths of the lists")
	g.StringVar(&e.diversity, "diversity", byGenres, "what makes the items of a list different: genres (their "+
		"cosine), where there are any, or model (the distance of --model)")
	g.Placeholder("FILE", "model")
	g.Placeholder("WORD", "diversity")
	g.Placeholder("LIST", "baselines", "k")
	cli.AddGroups(c, g, s.DataGroup(), s.SplitGroup(), e.Device.Register(e.Group()))
	cli.CompleteSource(c)
	cli.Complete(c, "device", cli.DeviceNames...)
	cli.Complete(c, "baselines", baseline.Names()...)
	cli.Complete(c, "diversity", byGenres, byModel)
	return c
}

// check finds what cannot be, before anything is read.
func (e *evaluateRun) check(s *cli.Source) error {
	if e.model == "" && len(e.baselines) == 0 {
		return cli.Usagef("there is nothing to measure: give --model, --baselines or both")
	}
	for i := range e.baselines {
		e.baselines[i] = strings.TrimSpace(e.baselines[i]) // "popularity, ease"
	}
	for _, spec := range e.baselines {
		if _, _, err := baseline.Parse(spec); err != nil {
			return cli.Usagef("--baselines: %w", err)
		}
	}
	switch {
	case e.diversity != byGenres && e.diversity != byModel:
		return cli.Usagef("--diversity is %q; it must be %s or %s", brief.Text(e.diversity), byGenres, byModel)
	case e.diversity == byModel && e.model == "":
		return cli.Usagef("--diversity model is the distance of a model's items; name it with --model")
	}
	for _, k := range e.ks {
		if k < 1 {
			return cli.Usagef("--k is %d; a list has at least 1 item", k)
		}
	}
	if err := errors.Join(s.Check(), e.Work.Check()); err != nil {
		return err
	}
	switch how := s.Splitting(); {
	case how == cli.NoSplit:
		return cli.Usagef("there is no test part: give --fold, --test, --by-time or --split-time")
	case how != cli.FoldSplit && s.Changed("folds"):
		return cli.Usagef("--folds says how many folds there are; say which one is held out with --fold")
	}
	return nil
}

// measured is one row of the evaluate command's JSON, without the metrics.
type measured struct {
	Method string           `json:"method"`
	Users  int              `json:"users"`
	Slices []cli.FlatObject `json:"slices"`
}

// withoutPart marks the figures of a model ranked by the distance alone, which shows what its item-item part adds.
const withoutPart = " without its item-item part"

func (e *evaluateRun) run(ctx context.Context, s *cli.Source) error {
	if err := e.check(s); err != nil {
		return err
	}
	if err := e.Device.Open(); err != nil {
		return err
	}
	defer e.Device.Close()
	var m *model.Model
	if e.model != "" {
		var err error
		if m, err = cli.OpenModel(e.model); err != nil {
			return err
		}
	}
	in, err := s.Read(ctx, e.App)
	if err != nil {
		return err
	}
	e.Printf("%s, %s\n\n", in.Name, in.SplitBy)
	var all []cli.FlatObject
	o := eval.Options{Ks: e.ks, Distance: distance(e.diversity, in.Dataset, m)}
	// the note is for people only
	measure := func(method, note string, scorer eval.Scorer) (*eval.Report, error) {
		r, err := e.EvaluateWith(ctx, scorer, in.Split, o)
		if err != nil {
			return nil, err
		}
		all = append(all, cli.Flat(measured{method, r.Users, cli.Slices(r)}, r.All()))
		e.Printf("%s%s\n%s%s%s\n", method, note, r, r.BeyondTable(), r.SliceTable())
		return r, nil
	}
	var failed error // the first baseline that could not be measured; the others are
	for _, spec := range e.baselines {
		scorer, err := baseline.New(ctx, spec, in.Split.Train, e.Workers)
		if err == nil {
			_, err = measure(spec, "", scorer)
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			e.Notef("%s is not measured: %v", spec, err)
			failed = cmp.Or(failed, fmt.Errorf("%s is not measured: %w", spec, err))
		}
	}
	outcome := cli.FlatObject{Fields: map[string]any{
		"dataset": in.Name, "split": in.SplitBy,
		"users": in.Users.Len(), "items": in.Items.Len(), "interactions": in.Positives.Len(),
		"trained_interactions": in.Split.Train.Len(), "test_interactions": in.Split.Test.Len(),
		"digest":  in.Digest(in.Split),
		"reading": cli.NewReadingReport(in.Read),
	}}
	if m != nil {
		scorer, own, err := e.scorer(ctx, m, in)
		if err != nil {
			return err
		}
		note := fmt.Sprintf(", %d users by the model's own Gaussians, %d inferred from their training items", own,
			in.Users.Len()-own)
		if _, err := measure(e.model, note, scorer); err != nil {
			return err
		}
		outcome.Figures = all[len(all)-1].Figures // the model's, as train prints them
		if m.ItemItem != nil {
			alone := *m
			alone.ItemItem = nil
			if scorer, _, err = e.scorer(ctx, &alone, in); err != nil {
				return err
			}
			if _, err := measure(e.model+withoutPart, "", scorer); err != nil {
				return err
			}
		}
	}
	if !e.JSON {
		return failed
	}
	outcome.Fields.(map[string]any)["results"] = all
	return cmp.Or(e.PrintJSON(outcome), failed)
}

// scorer ranks the data's items for the data's users by the model; own is the number of users whose Gaussian the model
// file holds.
func (e *evaluateRun) scorer(ctx context.Context, m *model.Model, in *cli.Input) (s eval.Scorer, own int, err error) {
	to, missing := scoring.Numbers(m, in.Items.Strings())
	if len(missing) == in.Items.Len() {
		return nil, 0, fmt.Errorf("%s knows none of the %d items of %s; was it trained on other data?", e.model,
			len(missing), in.Name)
	}
	if len(missing) > 0 {
		e.Notef("the model does not know %d of the %d items; they count as missed", len(missing), in.Items.Len())
	}
	users, items, own, err := e.tables(ctx, m, in, to)
	if err != nil {
		return nil, 0, err
	}
	if s = eval.NewW2(users, items); len(missing) == 0 {
		s = e.Device.Distance(users, items, m.ItemItem)
	}
	if m.ItemItem != nil {
		s = itemlinks.NewScorer(s, scoring.RenumberPart(m.ItemItem, to), in.Split.Train)
	}
	if len(missing) > 0 {
		s = scoring.Known(s, missing)
	}
	return s, own, nil
}

// tables returns the model's Gaussians for the data's users and items; that of an item that it does not know is 0. to
// are the items' numbers in the model. own is the number of users that the model file holds; all others are inferred
// from the training part.
func (e *evaluateRun) tables(ctx context.Context, m *model.Model, in *cli.Input, to []int32) (users,
	items *gaussian.Table,
	own int, err error) {
	users, own, err = e.Users(ctx, m, in.Dataset, scoring.Renumber(in.Split.Train, to, m.Items.Len()))
	return users, scoring.Items(m, to), own, err
}
