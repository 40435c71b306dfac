package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

func (a *app) unseenCommand() *cobra.Command {
	var s source
	var set settings
	var share float64
	t := training{app: a}
	c := &cobra.Command{
		Use:   "unseen --data FILE",
		Short: "Measure what somebody gets who was not there when the model was trained",
		Long: "Train twice: once without some of the users, who are then inferred from 80% of their items as a visitor is, and\n" +
			"once with those 80%. Both are measured on the remaining 20% of the same users.",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if share <= 0 || share >= 1 {
				return usagef("--share is %v; it must lie between 0 and 1", share)
			}
			cfg, err := set.config()
			if err != nil {
				return err
			}
			s.fold, s.folds = -1, 5
			return t.unseen(c.Context(), &s, cfg, share)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.Float64Var(&share, "share", 0.1, "share of the users to leave out")
	f.Uint64Var(&s.splitSeed, "split-seed", 1, "seed of who is left out, and of their 20%")
	f.IntVar(&t.workers, "workers", 0, "goroutines; 0: as many as there are processors")
	s.register(f)
	set.register(f)
	return c
}

func (t *training) unseen(ctx context.Context, s *source, cfg pmlam.Config, share float64) error {
	in, err := s.read(t.app)
	if err != nil {
		return err
	}
	without, held := in.LeaveUsersOut(share, s.splitSeed)
	known := dataset.HoldOut(in.Positives, 0.2, s.splitSeed)
	// Their training and test part only, and the matrix that has everybody's, theirs cut to the training part.
	likes, test, with := only(known.Train, held), only(known.Test, held), merge(without, known.Train, held)

	folded, err := t.learn(ctx, "training without them", without, cfg, &outcome{})
	if err != nil {
		return err
	}
	m, err := folded.Model(in.Dataset, pmlam.Export{Config: cfg, Precision: model.Float32})
	if err != nil {
		return err
	}
	users, err := tastes(m, likes)
	if err != nil {
		return err
	}
	inferred, err := eval.Evaluate(ctx, eval.NewW2(users, folded.Items), likes, test, eval.Options{Workers: t.workers})
	if err != nil {
		return err
	}
	trained, err := t.learn(ctx, "training with them", with, cfg, &outcome{})
	if err != nil {
		return err
	}
	own, err := eval.Evaluate(ctx, eval.NewW2(trained.Users, trained.Items), likes, test, eval.Options{Workers: t.workers})
	if err != nil {
		return err
	}
	t.printf("%d of %d users, left out of the training and inferred from 80%% of their items:\n%s\n", len(held), in.Users.Len(), inferred)
	t.printf("the same users, trained:\n%s", own)
	if t.json {
		return t.printJSON(map[string]any{"left_out": len(held), "users": in.Users.Len(), "inferred": inferred.Map(), "trained": own.Map()})
	}
	return nil
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
