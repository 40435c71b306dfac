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
	ks, told  []int
	diversity string // the difference of items
}

func evaluateCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	e := evaluateRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "evaluate --data PATH --fold N [--model FILE] [--baselines LIST] [flags]",
		Short: "Measure a model and plain methods on held-out items",
		Long: "Measure a model and plain methods on the test part of a split. Users in the model file are\n" +
			"ranked from their own Gaussian; others are inferred from their training items, as visitors are.\n" +
			"Items unknown to the model count as missed, so all results are comparable. Use the split of the\n" +
			"training; with another one, the model has learned from some test items. A model with item-item\n" +
			"links is also measured without them. The command also reports results by user activity, and for\n" +
			"cold users and cold items.\n\n" +
			"With --by-user, or a folder with test_in.txt, the test users are strangers: methods are fitted on\n" +
			"the other users, and the strangers are inferred from some of their likes as visitors are. Train\n" +
			"the model with the same split.",
		Example: "  pmlam evaluate --data ml-latest-small --fold 0 --model fold0.msgpack --baselines " +
			"popularity,itemknn,ease",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return e.run(c.Context(), &s) },
	}
	g := cli.NewGroup("Methods")
	g.StringVar(&e.model, "model", "", "model file")
	g.StringSliceVar(&e.baselines, "baselines", nil, "plain methods, fitted on the same training part: any from "+
		"\"pmlam methods\", with settings as in ease:lambda=80")
	g.IntSliceVar(&e.ks, "k", eval.DefaultKs, "list lengths")
	g.IntSliceVar(&e.told, "told", []int{1, 3, 5, 10, 20}, "of users held out, numbers of likes that they tell, in "+
		"addition to all that they give")
	g.StringVar(&e.diversity, "diversity", byGenres, "difference of items in a list: genres (their cosine), if "+
		"there are any, or model (the distance of --model)")
	g.Placeholder("FILE", "model")
	g.Placeholder("WORD", "diversity")
	g.Placeholder("LIST", "baselines", "k", "told")
	cli.AddGroups(c, g, s.DataGroup(), s.SplitGroup(), e.Device.Register(e.Group()))
	cli.CompleteSource(c)
	cli.Complete(c, "device", cli.DeviceNames...)
	cli.Complete(c, "baselines", baseline.Names()...)
	cli.Complete(c, "diversity", byGenres, byModel)
	return c
}

// check reports wrong flags before anything is read.
func (e *evaluateRun) check(s *cli.Source) error {
	if e.model == "" && len(e.baselines) == 0 {
		return cli.Usagef("nothing to measure: pass --model, --baselines or both")
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
		return cli.Usagef("--diversity model needs --model")
	}
	for _, k := range e.ks {
		if k < 1 {
			return cli.Usagef("--k is %d; it must be at least 1", k)
		}
	}
	for _, n := range e.told {
		if n < 1 {
			return cli.Usagef("--told is %d; it must be at least 1", n)
		}
	}
	if err := errors.Join(s.Check(), e.Work.Check()); err != nil {
		return err
	}
	switch how := s.Splitting(); {
	case how == cli.NoSplit:
		return cli.Usagef("no test part: pass --fold, --test, --by-time, --split-time or --by-user")
	case how != cli.FoldSplit && s.Changed("folds"):
		return cli.Usagef("--folds needs --fold, the number of the fold to hold out")
	}
	return nil
}

// measured is a result in JSON, without the metrics.
type measured struct {
	Method string           `json:"method"`
	Users  int              `json:"users"`
	Slices []cli.FlatObject `json:"slices"`
}

// withoutPart is the suffix of a model that is ranked by the distance alone.
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
	if in.ByUser != nil {
		return e.heldOutUsers(ctx, s, in, m)
	}
	var all []cli.FlatObject
	o := eval.Options{Ks: e.ks, Distance: distance(e.diversity, in.Dataset, m)}
	// only in the text
	measure := func(method, note string, scorer eval.Scorer) (*eval.Report, error) {
		r, err := e.EvaluateWith(ctx, scorer, in.Split, o)
		if err != nil {
			return nil, err
		}
		all = append(all, cli.Flat(measured{method, r.Users, cli.Slices(r)}, r.All()))
		e.Printf("%s%s\n%s%s%s\n", method, note, r, r.BeyondTable(), r.SliceTable())
		return r, nil
	}
	var failed error // the first baseline that failed; the others are measured
	for _, spec := range e.baselines {
		scorer, err := baseline.New(ctx, spec, in.Split.Train, e.Workers)
		if err == nil {
			_, err = measure(spec, "", scorer)
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			e.Notef("%s was not measured: %v", spec, err)
			failed = cmp.Or(failed, fmt.Errorf("%s was not measured: %w", spec, err))
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
		outcome.Figures = all[len(all)-1].Figures // as train prints them
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

// scorer ranks the data's items for the data's users by the model; own is the number of users with a Gaussian in the
// model file.
func (e *evaluateRun) scorer(ctx context.Context, m *model.Model, in *cli.Input) (s eval.Scorer, own int, err error) {
	to, missing := scoring.Numbers(m, in.Items.Strings())
	if len(missing) == in.Items.Len() {
		return nil, 0, fmt.Errorf("%s knows none of the %d items of %s; check that it was trained on these "+
			"data", e.model, len(missing), in.Name)
	}
	if len(missing) > 0 {
		e.Notef("%d of the %d items are not in the model and count as missed", len(missing), in.Items.Len())
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
		s = scoring.MissingLast(s, missing)
	}
	return s, own, nil
}

// tables returns the model's Gaussians for the data's users and items, 0 for unknown items. to maps items to rows of
// the model. own is the number of users in the model file; all others are inferred from the training part.
func (e *evaluateRun) tables(ctx context.Context, m *model.Model, in *cli.Input, to []int32) (users,
	items *gaussian.Table,
	own int, err error) {
	users, own, err = e.Users(ctx, m, in.Dataset, scoring.Renumber(in.Split.Train, to, m.Items.Len()))
	return users, scoring.Items(m, to), own, err
}
