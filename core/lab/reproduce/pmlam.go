package reproduce

import (
	"context"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// presetConfig returns the settings of a preset for a comparison: without the automatic choice of settings, a
// calibration, and the order of likes, which ranks for no method here.
func presetConfig(name string, negatives int, p Protocol) (choose.Settings, error) {
	cfg, err := choose.Preset(name)
	if err != nil {
		return cfg, err
	}
	cfg.Auto, cfg.Calibrate, cfg.NextTop = false, false, 0
	if cfg.Loss == "hinge" {
		cfg.Negatives = negatives
	}
	if !cfg.Decay { // otherwise the schedule's length is a setting in the space
		cfg.Epochs, cfg.Every, cfg.Patience = p.Epochs, validateEvery, p.Patience
	}
	return cfg, nil
}

// newMethod returns PMLAM with the settings of cfg.
func newMethod(name, title string, cfg choose.Settings, space tune.Space) Method {
	c := configured{cfg}
	m := Method{
		Name: name, Title: title, Kind: Ours, Space: space,
		epochs: !cfg.Decay, settings: cfg, first: map[string]string{}, try: c.try, fit: c.fit,
	}
	for _, p := range space {
		if p.If == "" || choose.Value(&cfg, p.If) == p.Only {
			m.first[p.Name] = choose.Value(&cfg, p.Name)
		}
	}
	// Every trial chooses the item-item part and its γ on its validation part.
	if cfg.ItemPart != choose.NoItemPart {
		m.epochs = true
	}
	return m
}

// configured trains PMLAM with settings.
type configured struct{ cfg choose.Settings }

func (c configured) try(ctx context.Context, w job, values map[string]string) (choose.Trial, error) {
	cfg, err := choose.Apply(c.cfg, values)
	if err != nil {
		return choose.Trial{}, err
	}
	cfg.Seed, cfg.Validation = w.seed, validation
	t, err := tune.Try(ctx, w.train, cfg, nil, w.workers, w.prepare)
	if err = w.failed(err); err == nil && t.State == choose.Complete && t.NDCG != t.NDCG {
		err = errNoValidation
	}
	t.Values = values
	w.noteDevice(&t)
	return t, err
}

// prepare moves a training that has not begun to the job's device, and makes it keep checkpoints.
func (w job) prepare(t *pmlam.Trainer) error {
	t.Use(w.device)
	return w.keep(t.Loop)
}

func (c configured) fit(ctx context.Context, w job, t *choose.Trial) (eval.Scorer, error) {
	cfg, err := c.chosen(t)
	if err != nil {
		return nil, err
	}
	cfg.Seed = w.seed
	r, err := learn(ctx, w, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.ItemPart == choose.NoItemPart {
		return w.device.Scorer(r.Users, r.Items), nil
	}
	part, err := choose.Recipe(&cfg).Build(ctx, w.train, w.workers)
	if err != nil {
		return nil, err
	}
	part.Gamma = float32(cfg.ItemWeight)
	return itemlinks.NewScorer(eval.NewW2(r.Users, r.Items), part, w.train), nil
}

// chosen returns the settings of the trial; the defaults without one.
func (c configured) chosen(t *choose.Trial) (choose.Settings, error) {
	if t == nil {
		return c.cfg, nil
	}
	return tune.SettingsOf(t, c.cfg)
}

// learn trains on the whole training part, without validation.
func learn(ctx context.Context, w job, cfg choose.Settings) (*pmlam.Result, error) {
	cfg.Validation, cfg.Patience = 0, 0
	trainer, err := pmlam.New(ctx, w.train, cfg.Config, w.workers)
	if err != nil {
		return nil, err
	}
	if err := w.prepare(trainer); err != nil {
		return nil, err
	}
	r, err := trainer.Run(ctx, nil)
	return r, w.failed(err)
}
