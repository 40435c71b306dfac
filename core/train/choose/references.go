package choose

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// What comparing with plain methods may cost.
const (
	referenceUsers = 2000    // users of the validation part who are ranked for, at even distances
	mostEASEItems  = 10_000  // 400 MB, and ten seconds of a processor
	fewerPasses    = 5       // of iALS on large data,
	gradientSteps  = 5       // with so many steps for a system: as good as exact ones, in a third of the time
	weightedSample = 100_000 // interactions that the weighting is chosen on, at most
	widerTop       = 50      // links a title in a wider search
)

// reference is a plain method that the choice is compared with.
type reference struct {
	name string
	fit  func(ctx context.Context, a *auto) (eval.Scorer, error) // on a.parts.Train
	can  func(a *auto) bool                                      // nil: always
}

// references are the plain methods with the settings that they have without any, except that on large data the
// weighting is chosen on a sample and iALS makes fewer passes, by conjugate gradients.
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

// compare measures the references on the validation part. Where one is ahead of the choice, by more than the standard
// error of the difference, it widens the search, and adds how the choice compares then with the best of them.
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

// widen tries the dimension once more and takes it where it helps at all, however little, and then up to widerTop links
// a title. It reports whether there was anything to try. Neither the distance nor the links need take part in the end:
// the dimension stays where it is, and the weights of the links reach to where they decide alone.
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

// against adds a trial that says how far a reference is ahead of the present choice.
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

// measureOurs ranks with the best settings, the item-item part included.
func (c *comparison) measureOurs(ctx context.Context) (err error) {
	a := c.auto
	if a.learned == nil {
		if a.users, a.learned, err = a.run(ctx, a.best, &Trial{Number: -1}); err != nil {
			return err
		}
	}
	var s eval.Scorer = eval.NewW2(a.learned.Users, a.learned.Items)
	if a.best.ItemPart != NoItemPart {
		if r := Recipe(&a.best); a.links == nil || a.linksBy != r { // read back from a journal, or by hand
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

// someRows returns m with n of its rows that hold anything, at even distances, and the others empty; m itself where no
// more do. O(nnz).
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
