package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// chooseSettings returns cfg with the settings that suit train, where cfg asks for that; settings given by hand stay.
// With --checkpoint the trials are kept beside the checkpoints, and a later run goes on from them. The caller passes
// the training part of a split: nothing may be chosen on test data.
func (w *trainRun) chooseSettings(ctx context.Context, train *dataset.Matrix, cfg pmlam.Config) (pmlam.Config, error) {
	if !cfg.Auto {
		return cfg, nil
	}
	o := choose.AutoOptions{ByHand: w.byHand, Workers: w.Workers, Device: w.Device.Device}
	header := choose.NewAutoHeader(train, cfg, o)
	if len(header.Space) == 0 {
		return cfg, nil // all of it was set by hand, as by the settings of a model that was made so
	}
	if w.Checkpoint != "" {
		if err := durable.OS.MakeFolder(w.Checkpoint); err != nil {
			return cfg, fmt.Errorf("the folder for the checkpoints cannot be made: %w", err)
		}
		path := filepath.Join(w.Checkpoint, "choice.jsonl")
		if w.Fresh {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return cfg, err
			}
		}
		var err error
		if o.Journal, err = choose.OpenJournal(path, header); err != nil {
			return cfg, fmt.Errorf("%w (--checkpoint, --fresh)", err)
		}
		defer o.Journal.Close()
	}
	w.Printf("choosing what suits the data, on a validation part of the training part " +
		"(--auto=false leaves that out):\n")
	bar := w.StepsBar("choosing", "epochs")
	var lines []string
	o.Report = func(e choose.AutoEvent) {
		bar.Set(int64(e.Trial.Number*cfg.Epochs+e.Epoch*cfg.Epochs/max(e.Trial.Epochs, 1)), int64(e.Planned*cfg.Epochs),
			fmt.Sprintf("trial %d", e.Trial.Number+1))
		if e.Done {
			lines = append(lines, tryLine(e.Trial))
		}
	}
	started, within := time.Now(), ctx
	if w.MaxTime > 0 { // half of the time for the choice, what is left for the training
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, w.MaxTime/2)
		defer cancel()
	}
	chosen, trials, err := choose.Auto(within, train, cfg, o)
	bar.Done()
	w.Printf("%s", strings.Join(lines, ""))
	if w.MaxTime > 0 {
		w.MaxTime = max(w.MaxTime-time.Since(started), 1)
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		w.Notef("half of --max-time is over: the choice was stopped after %d trials, and the training goes on with "+
			"what was best", len(trials))
		err = nil
	}
	if err != nil {
		if w.Checkpoint != "" && errors.Is(err, context.Canceled) {
			err = fmt.Errorf("the choice of settings was stopped after %d trials; the same command goes on from "+
				"there: %w", len(trials), context.Canceled)
		}
		return cfg, err
	}
	shown := chosen
	if w.calibrates(chosen) { // which chooses that in the end
		shown.VisitorPrior = cfg.VisitorPrior
	}
	w.Printf("chosen: %s\n", changes(cfg, shown))
	if t := leader(trials); t != nil {
		w.Notef("%s", leads(t))
	}
	return chosen, nil
}

// leads says of a plain method that it ranks better than what was chosen.
func leads(t *choose.Trial) string {
	return fmt.Sprintf("the plain method %[1]s ranks better on the validation part, by %.4[2]f ± %.4[3]f: --method "+
		"%[1]s measures it on a test part", t.Reference, t.Gain, t.Error)
}

// leader returns the comparison with the best of the plain methods that rank better than what was chosen, by more than
// the standard error; nil for none. A later comparison with a method, after a wider search, counts in place of the
// first.
func leader(trials []choose.Trial) (best *choose.Trial) {
	compared := make(map[string]bool)
	for k := range slices.Backward(trials) {
		t := &trials[k]
		if t.Reference == "" || compared[t.Reference] {
			continue
		}
		compared[t.Reference] = true
		if t.Gain > t.Error && (best == nil || t.NDCG > best.NDCG) {
			best = t
		}
	}
	return best
}

// tryLine describes one trial of a choice.
func tryLine(t choose.Trial) string {
	what := "the preset"
	switch {
	case t.Reference != "":
		what = "for comparison: " + t.Reference
	case t.Part != nil && t.Taken:
		what = fmt.Sprintf("the item-item part %s", t.Part.Kind)
		if t.Part.Lambda > 0 {
			what += fmt.Sprintf(" λ %g", t.Part.Lambda)
		}
		what += fmt.Sprintf(", weight %g", t.Part.Gamma)
		if t.Part.Top > 0 {
			what += fmt.Sprintf(", %d links", t.Part.Top)
		}
		if t.Part.Pool > 0 {
			what += fmt.Sprintf(" from %d", t.Part.Pool)
		}
	case t.Part != nil:
		what = "no item-item part"
	case len(t.Values) > 0:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(t.Values)) {
			parts = append(parts, name+" "+t.Values[name])
		}
		what = strings.Join(parts, ", ")
	}
	line := fmt.Sprintf("  %-40s ndcg@10 %.4f", what, t.NDCG)
	switch {
	case t.Reference != "":
		line += fmt.Sprintf("  %+.4f ± %.4f", t.Gain, t.Error)
		if t.Gain > t.Error {
			line += "  ahead"
		}
	case t.State == choose.Diverged:
		return fmt.Sprintf("  %-40s diverged\n", what)
	case t.Error > 0:
		line += fmt.Sprintf("  %+.4f ± %.4f", t.Gain, t.Error)
	case t.Part != nil:
		line += fmt.Sprintf("  %+.4f", t.Gain)
	}
	if t.Taken && t.Number > 0 {
		line += "  taken"
	}
	return line + "\n"
}

// changes lists what differs between two settings, for people.
func changes(from, to pmlam.Config) string {
	var parts []string
	for _, name := range []string{"batch", "learn_rate", "user_parts", "part_discount", "user_pairs", "negatives",
		"shrinkage", "shrinkage_items", "temperature", "user_weight", "visitor_prior", "relations",
		"relation_weight", "dim", "epochs", "item_part", "item_top", "item_pool", "item_lambda", "item_weight"} {
		if v := choose.Value(&to, name); v != choose.Value(&from, name) {
			parts = append(parts, fmt.Sprintf("--%s %s", cli.FlagOf(name), v))
		}
	}
	if len(parts) == 0 {
		return "the preset as it is"
	}
	return strings.Join(parts, " ")
}

// itemPart finds the item-item part of the settings in train; nil where they have none.
func itemPart(w *cli.Work, ctx context.Context, train *dataset.Matrix, cfg pmlam.Config) (*model.ItemLinks, error) {
	if cfg.ItemPart == pmlam.NoItemPart {
		return nil, nil
	}
	p, err := choose.Recipe(&cfg).Build(ctx, train, w.Workers)
	if err != nil {
		return nil, fmt.Errorf("finding the item-item part: %w", err)
	}
	p.Gamma = float32(cfg.ItemWeight)
	return p, nil
}

// ranking returns the scorer s with the item links added, where there are any; history holds the users' likes.
func ranking(s eval.Scorer, part *model.ItemLinks, history *dataset.Matrix) eval.Scorer {
	if part == nil {
		return s
	}
	return itemlinks.NewScorer(s, part, history)
}
