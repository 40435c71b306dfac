package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// unseenTest is the share of the items of a user left out that is to be found; the inference is told the rest.
const unseenTest = 0.2

func (a *app) unseenCommand() *cobra.Command {
	var s source
	var set settings
	var share float64
	t := trainRun{work: work{app: a}}
	c := &cobra.Command{
		Use:   "unseen --data PATH [flags]",
		Short: "Measure what somebody gets who was not there when the model was trained",
		Long: "Train twice: once without some of the users, who are then inferred from 80% of their items as a visitor is, and\n" +
			"once with those 80%. Both are measured on the remaining 20% of the same users." + presetHelp(),
		Example:           "  pmlam unseen --data ml-latest-small --share 0.1",
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if !(share > 0 && share < 1) {
				return usagef("--share is %v; it must lie between 0 and 1", share)
			}
			cfg, err := set.config(c.Flags())
			if err != nil {
				return err
			}
			if set.print {
				return a.printConfig(cfg)
			}
			t.byHand = set.byHand(c.Flags())
			return t.unseen(c.Context(), &s, cfg, share)
		},
	}
	g := s.add(newGroup("Users left out"))
	g.Float64Var(&share, "share", 0.1, "share of the users to leave out")
	g.Uint64Var(&s.splitSeed, "split-seed", 1, "seed of who is left out, and of their 20%")
	g.placeholder("SHARE", "share")
	g.placeholder("N", "split-seed")
	addGroups(c, append(append([]*group{s.dataGroup(), g}, set.register()...), t.device.register(t.group()))...)
	completeSource(c)
	completeSettings(c)
	return c
}

func (t *trainRun) unseen(ctx context.Context, s *source, cfg pmlam.Config, share float64) error {
	if err := errors.Join(s.check(), t.work.check()); err != nil {
		return err
	}
	if err := t.device.open(); err != nil {
		return err
	}
	defer t.device.Close()
	in, err := s.read(ctx, t.app)
	if err != nil {
		return err
	}
	without, held := in.LeaveUsersOut(share, s.splitSeed)
	if len(held) == 0 || len(held) == in.Users.Len() {
		return usagef("--share %v leaves %d of %d users out; some must be left out and some must stay", share, len(held), in.Users.Len())
	}
	parts := dataset.HoldOut(in.Positives, unseenTest, s.splitSeed)
	// What is known of those left out, what is to be found, and the training part that knows of them too.
	theirs := dataset.Split{Train: only(parts.Train, held), Test: only(parts.Test, held)}
	with := merge(without, parts.Train, held)

	if cfg, err = t.suit(ctx, without, cfg); err != nil {
		return err
	}
	first, err := t.learn(ctx, "training without them", without, cfg)
	if err != nil {
		return err
	}
	part, err := t.itemPart(ctx, without, cfg)
	if err != nil {
		return err
	}
	m, err := first.Model(in.learnedFrom(without), pmlam.Export{Config: cfg, Precision: model.Float32})
	if err != nil {
		return err
	}
	users, err := t.tastes(ctx, m, theirs.Train)
	if err != nil {
		return err
	}
	inferred, err := t.evaluate(ctx, ranking(eval.NewW2(users, first.Items), part, theirs.Train), theirs, nil)
	if err != nil {
		return err
	}
	second, err := t.learn(ctx, "training with them", with, cfg)
	if err != nil {
		return err
	}
	if part, err = t.itemPart(ctx, with, cfg); err != nil {
		return err
	}
	trained, err := t.evaluate(ctx, ranking(eval.NewW2(second.Users, second.Items), part, theirs.Train), theirs, nil)
	if err != nil {
		return err
	}
	t.printf("%d of %d users, left out of the training and inferred from 80%% of their items:\n%s\n", len(held), in.Users.Len(), inferred)
	t.printf("the same users, trained:\n%s", trained)
	if !t.json {
		return nil
	}
	return t.printJSON(map[string]any{
		"users": in.Users.Len(), "left_out": len(held), "measured": inferred.Users,
		"inferred": inferred.Map(), "trained": trained.Map(), "config": cfg,
	})
}

// only returns m with the rows named and no others.
func only(m *dataset.Matrix, rows []int) *dataset.Matrix {
	var pairs []dataset.Pair
	for _, r := range rows {
		pairs = appendRow(pairs, m, r)
	}
	return dataset.NewMatrix(m.Rows(), m.Cols, pairs)
}

// merge returns base with the rows named taken from other; in base they must be empty.
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
