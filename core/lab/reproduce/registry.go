package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/methods"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// columns maps methods to columns of the paper's Table 2.
var columns = map[string]string{
	"bprmf": "BPRMF", "ncf": "NCF", "deepae": "DeepAE", "cml": "CML", "lrml": "LRML", "transcf": "TransCF",
	"sml": "SML",
}

// newBaselineMethod returns a method of package methods. Its defaults are the registry's, except that the data decide
// the number of negatives and validation the number of epochs.
func newBaselineMethod(b *methods.Method, negatives int, p Protocol) Method {
	m := Method{Name: b.Name, Title: b.Title, Kind: Plain, Paper: columns[b.Name], epochs: b.Learned(),
		first: map[string]string{}}
	defaults := b.Complete(nil)
	for name, x := range map[string]float64{"negatives": float64(negatives), "epochs": float64(p.Epochs),
		"every": validateEvery, "patience": float64(p.Patience)} {
		if _, has := defaults[name]; has && m.epochs {
			defaults[name] = x
		}
	}
	if m.epochs {
		m.Kind, m.Space = Literature, tune.Space{rate}
	}
	if space, ok := spaces[b.Name]; ok {
		m.Space = space
	}
	for _, x := range m.Space {
		// A default outside of the space means that the method decides by the data.
		if v := text(defaults[x.Name]); x.Holds(v) {
			m.first[x.Name] = v
		}
	}
	m.settings = defaults
	of := &registered{b, defaults}
	m.try, m.fit = of.tryPlain, of.fitPlain
	if m.epochs {
		m.try, m.fit = of.tryLearned, of.fitLearned
	}
	return m
}

// registered is a method of package methods with its default settings.
type registered struct {
	*methods.Method
	defaults baseline.Values
}

// values returns the method's settings in a trial.
func (r *registered) values(w job, tried map[string]string) (baseline.Values, error) {
	v := baseline.Values{}
	for name, x := range r.defaults {
		v[name] = x
	}
	for name, text := range tried {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %s is %q, which is not a number", r.Name, name, text)
		}
		v[name] = x
	}
	if _, has := v["seed"]; has {
		v["seed"] = float64(w.seed)
	}
	return v, nil
}

func (r *registered) fitPlain(ctx context.Context, w job, t *choose.Trial) (eval.Scorer, error) {
	var tried map[string]string
	if t != nil {
		tried = t.Values
	}
	v, err := r.values(w, tried)
	if err != nil {
		return nil, err
	}
	return r.Fit(ctx, w.train, v, w.workers)
}

func (r *registered) tryPlain(ctx context.Context, w job, tried map[string]string) (choose.Trial, error) {
	t := choose.Trial{State: choose.Complete, Values: tried}
	parts := dataset.HoldOut(w.train, validation, w.seed)
	scorer, err := r.fitPlain(ctx, job{train: parts.Train, seed: w.seed, workers: w.workers}, &t)
	if err != nil {
		return t, err
	}
	report, err := eval.Evaluate(ctx, scorer, parts.Train, parts.Test, eval.Options{Ks: []int{10}, Workers: w.workers})
	if err != nil {
		return t, err
	}
	if report.Users == 0 {
		return t, errNoValidation
	}
	t.NDCG = report.NDCG[0]
	return t, nil
}

// errNoValidation means that the validation part is empty.
var errNoValidation = errors.New("the validation part is empty: no user has enough items for one")

func (r *registered) tryLearned(ctx context.Context, w job, tried map[string]string) (choose.Trial, error) {
	t := choose.Trial{State: choose.Complete, Values: tried}
	v, err := r.values(w, tried)
	if err != nil {
		return t, err
	}
	v["validation"] = validation
	trainer, err := r.Trainer(w.train, v, w.workers)
	if err != nil {
		return t, err
	}
	if err := w.keep(trainer.Loop); err != nil {
		return t, err
	}
	_, err = trainer.Run(ctx, nil)
	if diverged(err) {
		t.State, t.Note = choose.Diverged, err.Error()
		return t, nil
	}
	if err != nil {
		return t, err
	}
	best := trainer.Best()
	if best == nil || math.IsNaN(best.NDCG) {
		return t, errNoValidation
	}
	t.NDCG, t.Epochs = best.NDCG, best.Epoch
	return t, nil
}

func (r *registered) fitLearned(ctx context.Context, w job, t *choose.Trial) (eval.Scorer, error) {
	v, err := r.values(w, t.Values)
	if err != nil {
		return nil, err
	}
	v["validation"], v["epochs"] = 0, float64(t.Epochs)
	trainer, err := r.Trainer(w.train, v, w.workers)
	if err != nil {
		return nil, err
	}
	if err := w.keep(trainer.Loop); err != nil {
		return nil, err
	}
	return trainer.Run(ctx, nil)
}

func diverged(err error) bool { return training.Diverged(err) }
