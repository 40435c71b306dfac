package tune

import (
	"context"
	"errors"

	"github.com/c-bata/goptuna"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Propose returns the values of the trial after those of past: one for every setting of the space that has an effect
// beside the others, drawn as Search draws. The caller makes the trials, of any method. The same seed and past give the
// same values. It is an error where past is empty, since the first trial is the defaults, or holds a value outside the
// space. O(trials·settings).
func (s Space) Propose(seed uint64, past []choose.Trial) (map[string]string, error) {
	if len(past) == 0 {
		return nil, errors.New("nothing can be proposed before a first trial with the defaults")
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

// Try makes one trial outside a study: a training with cfg on train (U×I) less a validation part, as Search does.
// byHand names settings of the item-item part that stay as they are. prepare, if not nil, gets the training before its
// first step, and may give it a device and make it keep checkpoints: a trial that was stopped and continues from one
// gives the same result, except for Seconds. A training that diverges is a trial like any other; an error is ctx's,
// prepare's, or one that other settings would not prevent.
func Try(ctx context.Context, train *dataset.Matrix, cfg choose.Settings, byHand []string, workers int,
	prepare func(*pmlam.Trainer) error) (choose.Trial, error) {
	t := choose.Trial{Values: map[string]string{}}
	err := run(ctx, &t, train, cfg, byHand, workers, prepare, nil)
	return t, err
}

// Holds reports whether a value, as it stands in a settings file, is one that the setting can be given.
func (p *Param) Holds(text string) bool {
	_, ok := p.internal(text)
	return ok
}
