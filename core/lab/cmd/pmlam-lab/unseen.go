package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// unseenTest is the held-out share of a left-out user's items; the user is inferred from the rest.
const unseenTest = 0.2

func unseenCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	var set cli.Settings
	var share float64
	var draws int
	var told []int
	t := unseenTraining{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "unseen --data PATH [flags]",
		Short: "Measure the quality for users outside the training",
		Long: "Train twice: once without some of the users, who are then inferred from 80% of their items as a\n" +
			"visitor is, and once with those 80%. Both are measured on the remaining 20% of the same users.\n\n" +
			"A large share costs everybody data. A visitor is only one more person; a small share is closer to\n" +
			"that, but needs more draws of users.\n\n" +
			"With --told they are inferred from that number of random items instead of 80%, and measured on\n" +
			"all others, like visitors with few likes. Then there is only the first training." + cli.PresetHelp(),
		Example: "  pmlam-lab unseen --data ml-latest-small --share 0.1\n" +
			"  pmlam-lab unseen --data ml-latest-small --share 0.02 --draws 50\n" +
			"  pmlam-lab unseen --data ml-latest-small --draws 10 --told 1,3,8",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if !(share > 0 && share < 1) {
				return cli.Usagef("--share is %v; it must be between 0 and 1", share)
			}
			cfg, err := set.Config(c.Flags())
			if err != nil {
				return err
			}
			if set.Print {
				return a.PrintConfig(cfg)
			}
			if draws < 1 {
				return cli.Usagef("--draws is %d; it must be at least 1", draws)
			}
			if cfg.Epochs == 0 {
				return cli.Usagef("--epochs is 0; a training needs at least 1")
			}
			for _, n := range told {
				if n < 0 {
					return cli.Usagef("--told is %d; it must be at least 0", n)
				}
			}
			t.byHand = set.ByHand(c.Flags())
			return t.unseen(c.Context(), &s, cfg, unseenRun{share, draws, told})
		},
	}
	g := s.Add(cli.NewGroup("Users left out"))
	g.Float64Var(&share, "share", 0.1, "share of the users to leave out")
	g.IntVar(&draws, "draws", 1,
		"draws of users, with seeds from --split-seed on, measured together")
	g.Uint64Var(&s.SplitSeed, "split-seed", 1, "seed of the users left out and of their items")
	g.IntSliceVar(&told, "told", nil, "numbers of items to infer them from (default: 80% of them)")
	g.Placeholder("SHARE", "share")
	g.Placeholder("N", "draws")
	g.Placeholder("LIST", "told")
	g.Placeholder("N", "split-seed")
	cli.AddGroups(c, append(append([]*cli.Group{s.DataGroup(), g}, set.Register()...), t.Device.Register(t.Group()))...)
	cli.CompleteSource(c)
	cli.CompleteSettings(c)
	return c
}

// unseenTraining is one run of the command.
type unseenTraining struct {
	cli.Work
	cli.LongRun          // without flags
	byHand      []string // settings given by flags or --config, which are not chosen
}

// unseenRun holds the users left out and the items that they are inferred from.
type unseenRun struct {
	share float64
	draws int
	told  []int // numbers of items; empty: 80% of them
}

func (t *unseenTraining) unseen(ctx context.Context, s *cli.Source, cfg train.Settings, u unseenRun) error {
	if err := errors.Join(s.Check(), t.Work.Check()); err != nil {
		return err
	}
	if err := t.Device.Open(); err != nil {
		return err
	}
	defer t.Device.Close()
	in, err := s.Read(ctx, t.App)
	if err != nil {
		return err
	}
	var all []leftOutRun
	for d := range u.draws {
		if u.draws > 1 {
			t.Printf("draw %d of %d\n", d+1, u.draws)
		}
		one, err := t.leaveOut(ctx, in, cfg, u, s.SplitSeed+uint64(d))
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	if len(u.told) > 0 {
		return t.printTold(in, all, u.told)
	}
	return t.printUnseen(in, all)
}

// leftOutRun holds the figures of one draw of users: inferred after a training without them, and trained with them.
type leftOutRun struct {
	held              int // users left out
	inferred, trained *eval.Report
	told              []*eval.Report // with --told: for every number of items, instead of the two above
	config            train.Settings
}

// leaveOut draws a share of the users by seed and measures them after a training without them and, without --told,
// after a training with them.
func (t *unseenTraining) leaveOut(ctx context.Context, in *cli.Input, cfg train.Settings, run unseenRun,
	seed uint64) (out leftOutRun, err error) {
	without, held := in.LeaveUsersOut(run.share, seed)
	if len(held) == 0 || len(held) == in.Users.Len() {
		return out, cli.Usagef("--share %v leaves out %d of %d users; some must be left out and some must stay",
			run.share,
			len(held), in.Users.Len())
	}
	if cfg, err = t.Choose(ctx, &t.Work, in, without, cfg, t.byHand); err != nil {
		return out, err
	}
	first, err := t.Learn(ctx, &t.Work, "training without them", in, without, cfg)
	if err != nil {
		return out, err
	}
	e, err := cfg.Export()
	if err != nil {
		return out, err
	}
	e.Precision = model.Float32
	m, err := first.Model(in.LearnedFrom(without), e)
	if err != nil {
		return out, err
	}
	out = leftOutRun{held: len(held), config: cfg}
	infer := func(parts dataset.Split) (*eval.Report, error) {
		users, err := t.Tastes(ctx, m, parts.Train)
		if err != nil {
			return nil, err
		}
		return t.Evaluate(ctx, itemlinks.NewScorer(eval.NewW2(users, first.Items), first.Links, parts.Train), parts,
			nil)
	}
	for _, n := range run.told {
		r, err := infer(tell(in.Positives, held, n, seed))
		if err != nil {
			return out, err
		}
		out.told = append(out.told, r)
	}
	if len(run.told) > 0 {
		return out, nil
	}
	parts := dataset.HoldOut(in.Positives, unseenTest, seed)
	// theirs: the items that left-out users are inferred from and tested on; with: a training part that includes the
	// former.
	theirs := dataset.Split{Train: only(parts.Train, held), Test: only(parts.Test, held)}
	with := merge(without, parts.Train, held)
	if out.inferred, err = infer(theirs); err != nil {
		return out, err
	}
	second, err := t.Learn(ctx, &t.Work, "training with them", in, with, cfg)
	if err != nil {
		return out, err
	}
	out.trained, err = t.Evaluate(ctx, itemlinks.NewScorer(eval.NewW2(second.Users, second.Items), second.Links,
		theirs.Train), theirs, nil)
	return out, err
}

// printUnseen prints the two reports of a single draw, and the kept shares of all draws.
func (t *unseenTraining) printUnseen(in *cli.Input, all []leftOutRun) error {
	first := all[0]
	kept := map[string]eval.Estimate{}
	var lines []string
	for _, metric := range []string{eval.Recall, eval.NDCG} {
		for _, k := range first.inferred.Ks {
			e, inferred, trained := keptShare(all, metric, k)
			kept[eval.Key(metric, k)] = e
			lines = append(lines, fmt.Sprintf("  %-10s inferred %.4f  trained %.4f  kept %.3f [%.3f, %.3f]",
				eval.Key(metric, k), inferred, trained, e.Value, e.Low, e.High))
		}
	}
	left, measured := 0, 0
	for _, a := range all {
		left += a.held
		measured += a.inferred.Users
	}
	if len(all) == 1 {
		t.Printf("%d of %d users, left out of the training and inferred from 80%% of their items:\n%s\n", left,
			in.Users.Len(), first.inferred)
		t.Printf("the same users, trained:\n%s\n", first.trained)
	}
	t.Printf("share of the quality that left-out users keep, with its 95%% interval over %d users:\n", measured)
	for _, line := range lines {
		t.Printf("%s\n", line)
	}
	if !t.JSON {
		return nil
	}
	return t.PrintJSON(map[string]any{
		"users": in.Users.Len(), "draws": len(all), "left_out": left, "measured": measured,
		"inferred": meanOf(all, func(a leftOutRun) *eval.Report { return a.inferred }),
		"trained":  meanOf(all, func(a leftOutRun) *eval.Report { return a.trained }),
		"reading":  cli.NewReadingReport(in.Read),
		"kept":     kept, "config": first.config,
	})
}

// keptShare returns a metric at k for inferred left-out users as a share of the same users' metric when trained, with
// the bootstrap's interval over users, and both means.
func keptShare(all []leftOutRun, metric string, k int) (share eval.Estimate, inferred, trained float64) {
	var a, b []float64
	for _, one := range all {
		x, _ := one.inferred.PerUser.Values(metric, k)
		y, _ := one.trained.PerUser.Values(metric, k)
		for i := range x {
			a, b = append(a, float64(x[i])), append(b, float64(y[i]))
			inferred, trained = inferred+float64(x[i]), trained+float64(y[i])
		}
	}
	if len(a) == 0 {
		return share, 0, 0
	}
	share = eval.Bootstrap(len(a), 1, func(at []int) float64 {
		var x, y float64
		for _, i := range at {
			x, y = x+a[i], y+b[i]
		}
		if y == 0 {
			return 0
		}
		return x / y
	})
	return share, inferred / float64(len(a)), trained / float64(len(a))
}

// meanOf returns the mean of the draws' metrics, weighted by their users.
func meanOf(all []leftOutRun, of func(leftOutRun) *eval.Report) map[string]float64 {
	out, users := map[string]float64{}, 0
	for _, a := range all {
		r := of(a)
		for name, v := range r.Map() {
			out[name] += v * float64(r.Users)
		}
		users += r.Users
	}
	for name := range out {
		out[name] /= float64(max(users, 1))
	}
	return out
}

// only returns m with only the named rows.
func only(m *dataset.Matrix, rows []int) *dataset.Matrix {
	var pairs []dataset.Pair
	for _, r := range rows {
		pairs = appendRow(pairs, m, r)
	}
	return dataset.NewMatrix(m.Rows(), m.Cols, pairs)
}

// merge returns base with the named rows taken from other; in base they must be empty.
func merge(base, other *dataset.Matrix, rows []int) *dataset.Matrix {
	var pairs []dataset.Pair
	for r := range base.Rows() {
		pairs = appendRow(pairs, base, r)
	}
	for _, r := range rows {
		pairs = appendRow(pairs, other, r)
	}
	return dataset.NewMatrix(base.Rows(), base.Cols, pairs)
}

func appendRow(pairs []dataset.Pair, m *dataset.Matrix, r int) []dataset.Pair {
	for _, c := range m.Row(r) {
		pairs = append(pairs, dataset.Pair{Row: int32(r), Col: c})
	}
	return pairs
}
