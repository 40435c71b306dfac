package choose

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// Bounds of the cost of comparing with plain methods.
const (
	referenceUsers = 2000    // of the validation part to rank for, at even intervals
	mostEASEItems  = 10_000  // 400 MB, and ten seconds on one CPU
	fewerPasses    = 5       // of iALS on large data
	gradientSteps  = 5       // per system: as good as exact solutions, in a third of the time
	weightedSample = 100_000 // interactions that the weighting is chosen on, at most
	widerTop       = 50      // links per title in a wider search
)

// reference is a plain method to compare the choice with.
type reference struct {
	name string
	fit  func(ctx context.Context, a *auto) (eval.Scorer, error) // on a.parts.Train
	can  func(a *auto) bool                                      // nil: always
}

// references are the plain methods with their default settings. On large data, however, the weighting is chosen on a
// sample, and iALS makes fewer passes with conjugate gradients.
var references = []reference{
	{
		name: "weighted",
		fit: func(ctx context.Context, a *auto) (eval.Scorer, error) {
			w, err := baseline.ChooseWeighting(ctx, Sample(a.parts.Train, weightedSample), a.Workers)
			if err != nil {
				return nil, err
			}
			return baseline.Weighted(a.parts.Train, w), nil
		},
	},
	{
		name: "ease",
		fit:  func(ctx context.Context, a *auto) (eval.Scorer, error) { return a.plain(ctx, "ease") },
		can:  func(a *auto) bool { return a.parts.Train.Cols <= mostEASEItems },
	},
	{
		name: "ials",
		fit: func(ctx context.Context, a *auto) (eval.Scorer, error) {
			if !a.large {
				return a.plain(ctx, "ials")
			}
			return a.plain(ctx, fmt.Sprintf("ials:epochs=%d:steps=%d", fewerPasses, gradientSteps))
		},
	},
}

func (a *auto) plain(ctx context.Context, spec string) (eval.Scorer, error) {
	return baseline.New(ctx, spec, a.parts.Train, a.Workers)
}

// compare measures the references on the validation part. If one is ahead of the choice by more than the standard error
// of the difference, it widens the search and compares the result with the best reference.
func (a *auto) compare(ctx context.Context) error {
	c := comparison{auto: a, test: someRows(a.parts.Test, referenceUsers)}
	best, ahead := -1, false
	for k := range references {
		r := &references[k]
		if r.can != nil && !r.can(a) {
			continue
		}
		t, err := c.against(ctx, r, "")
		if err != nil {
			return err
		}
		ahead = ahead || t.Gain > t.Error
		if best < 0 || t.NDCG > a.trials[best].NDCG {
			best = len(a.trials) - 1
		}
	}
	if !ahead {
		return nil
	}
	leader := a.trials[best].Reference
	if widened, err := a.widen(ctx); err != nil || !widened {
		return err
	}
	c.ours = nil
	for k := range references {
		if references[k].name == leader {
			_, err := c.against(ctx, &references[k], "after the wider search")
			return err
		}
	}
	return nil
}

// widen tries another dimension and then up to widerTop links per title, and adopts either if it helps at all. It
// reports whether there was anything to try. The result may still ignore either part: the dimension can stay the same,
// and the weights of links range up to where the links alone decide.
func (a *auto) widen(ctx context.Context) (any bool, err error) {
	before := len(a.trials)
	a.spent, a.eager = 0, true
	if err := a.climb(ctx, a.free(scaled("dim", 2, 1, widerDim, false))); err != nil {
		return false, err
	}
	if a.choosesPart() && !a.isByHand("item_top") {
		if err := a.chooseItemPart(ctx, a.base.ItemTop, max(a.base.ItemTop, widerTop)); err != nil {
			return false, err
		}
	}
	return len(a.trials) > before, nil
}

// comparison compares the choice with references on some users of the validation part.
type comparison struct {
	*auto
	test *dataset.Matrix
	ours []float32 // NDCG@10 of each user; nil: not measured yet
}

// against adds a trial that states how far a reference is ahead of the present choice.
func (c *comparison) against(ctx context.Context, r *reference, note string) (Trial, error) {
	a := c.auto
	t := Trial{Number: len(a.trials), State: Complete, Reference: r.name, Steps: []float64{}, Note: note}
	old, ok := a.before(t.Number)
	if ok && old.Reference == r.name {
		t = old
	} else {
		theirs, err := r.fit(ctx, a)
		if err != nil {
			return t, fmt.Errorf("comparing with the plain method %s: %w", r.name, err)
		}
		if c.ours == nil {
			if err := c.measureOurs(ctx); err != nil {
				return t, err
			}
		}
		users, err := c.measure(ctx, theirs)
		if err != nil {
			return t, err
		}
		t.NDCG = mean(users)
		t.Gain, t.Error = paired(users, c.ours)
		if err := a.Journal.Add(t); err != nil {
			return t, err
		}
	}
	a.remaining = 0
	a.trials = append(a.trials, t)
	a.notify(AutoEvent{Trial: t, Done: true})
	return t, ctx.Err()
}

// measureOurs ranks with the best settings, including the item-item part.
func (c *comparison) measureOurs(ctx context.Context) (err error) {
	a := c.auto
	if a.learned == nil {
		if a.users, a.learned, err = a.run(ctx, a.best, &Trial{Number: -1}); err != nil {
			return err
		}
	}
	var s eval.Scorer = eval.NewW2(a.learned.Users, a.learned.Items)
	if a.best.ItemPart != NoItemPart {
		if r := Recipe(&a.best); a.links == nil || a.linksBy != r { // read from a journal, or set by hand
			if a.links, err = r.Build(ctx, a.parts.Train, a.Workers); err != nil {
				return err
			}
			a.linksBy = r
		}
		a.links.Gamma = float32(a.best.ItemWeight)
		s = itemlinks.NewScorer(s, a.links, a.parts.Train)
	}
	c.ours, err = c.measure(ctx, s)
	return err
}

func (c *comparison) measure(ctx context.Context, s eval.Scorer) ([]float32, error) {
	r, err := eval.Evaluate(ctx, s, c.parts.Train, c.test, eval.Options{Ks: []int{10}, Workers: c.Workers})
	if err != nil {
		return nil, err
	}
	users, _ := r.PerUser.Values(eval.NDCG, 10)
	return users, nil
}

// someRows returns m with n of its non-empty rows, at even intervals, and the others emptied; m itself if it has at
// most n. O(nnz).
func someRows(m *dataset.Matrix, n int) *dataset.Matrix {
	rows, full := m.Rows(), 0
	for u := range rows {
		full += min(len(m.Row(u)), 1)
	}
	if full <= n {
		return m
	}
	out, seen := &dataset.Matrix{Cols: m.Cols, Offsets: make([]int, 1, rows+1)}, 0
	for u := range rows {
		if row := m.Row(u); len(row) > 0 {
			if seen*n/full != (seen+1)*n/full {
				out.Indices = append(out.Indices, row...)
			}
			seen++
		}
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}
