package tune

import (
	"context"
	"errors"

	"github.com/c-bata/goptuna"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Propose returns the values of the trial after past: one for every setting of the space that has an effect, drawn as
// Search draws. The caller runs the trials, of any method. The same seed and past give the same values. It returns an
// error if past is empty, since the first trial has the defaults, or contains a value outside the space.
// O(trials·settings).
func (s Space) Propose(seed uint64, past []choose.Trial) (map[string]string, error) {
	if len(past) == 0 {
		return nil, errors.New("the first trial must have the defaults")
	}
	study, err := newStudy(choose.Settings{}, Options{Space: s, Seed: seed, Journal: &choose.Journal{Trials: past}})
	if err != nil {
		return nil, err
	}
	var values map[string]string
	err = study.lib.Optimize(func(t goptuna.Trial) (float64, error) {
		values, err = study.suggest(t)
		return 0, err
	}, 1)
	return values, err
}

// Try makes one trial outside a study: a training with cfg on train (U×I) minus a validation part, as Search does.
// byHand names fixed settings of the item-item part. prepare, if not nil, gets the training before its first step, and
// may give it a device and make it keep checkpoints: a stopped trial that resumes from one gives the same result,
// except for Seconds. A diverging training is a normal trial; an error is ctx's, prepare's, or one that other settings
// would not prevent.
func Try(ctx context.Context, train *dataset.Matrix, cfg choose.Settings, byHand []string, workers int,
	prepare func(*pmlam.Trainer) error) (choose.Trial, error) {
	t := choose.Trial{Values: map[string]string{}}
	err := run(ctx, &t, train, cfg, byHand, workers, prepare, nil)
	return t, err
}

// Holds reports whether the setting accepts a value in the form of a settings file.
func (p *Param) Holds(text string) bool {
	_, ok := p.internal(text)
	return ok
}
