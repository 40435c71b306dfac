package reproduce

import (
	"context"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Unit is measured in one piece: a method on a split of a data set.
type Unit struct {
	Data   *Data
	Method *Method
	Fold   int // of Data.Split
}

// Measurement is the result of a unit.
type Measurement struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	Fold    int    `json:"fold"`

	Trials []choose.Trial `json:"-"`      // that were made; a file each
	Chosen int            `json:"chosen"` // the trial that did best; −1 where there was none
	// why there are no figures: all trials diverged, or the method refuses such data
	Failed string `json:"failed,omitempty"`

	Ks      []int     `json:"ks"`      // the lengths of the lists
	Recall  []float64 `json:"recall"`  // means over the users, by Ks
	NDCG    []float64 `json:"ndcg"`    // likewise
	Users   []int32   `json:"users"`   // those who have test items, ascending
	Recalls []float32 `json:"recalls"` // Recall@TableK of each of them
	NDCGs   []float32 `json:"ndcgs"`   // NDCG@TableK likewise
	Items   []int32   `json:"-"`       // test items of each of them, as the data have them

	Seconds float64 `json:"seconds"` // of learning from the whole training part, on so many
	Workers int     `json:"workers"` // goroutines
	// most bytes of memory above those in use before; 0: not measured, since other units ran at the same time, or the
	// device has its own
	Heap   uint64 `json:"heap"`
	Device string `json:"device,omitempty"` // that it learned on, at the end; "": the processor

	kept bool // it was read back
}

// measure makes the trials of a unit that the store does not hold, and then the measurement, on the device where the
// method trains there. alone says that nothing else is measured at the same time, so that memory can be measured. Where
// ctx ends, finished trials stay in the store, and the error wraps ctx's. A method that refuses the data, or always
// diverges, is no error but a Measurement that says so; a device that fails is a *DeviceError.
func (s *Study) measure(ctx context.Context, u Unit, device *pmlam.Device, alone bool) (*Measurement, error) {
	store, m := s.Store.unit(u, s.Protocol), u.Method
	split := u.Data.Split(u.Fold)
	w := job{train: split.Train, seed: s.Protocol.Seed, workers: s.workers(), device: m.on(device)}
	trials, err := s.tried(ctx, u, store, w)
	if ctx.Err() != nil {
		return nil, stoppedIn(u, ctx.Err())
	}
	out := &Measurement{Dataset: u.Data.Name, Method: m.Name, Fold: u.Fold, Ks: Ks, Trials: trials, Chosen: -1,
		Workers: w.workers, Device: w.deviceName()}
	switch {
	case ends(err):
		return nil, endedIn(u, err)
	case err != nil:
		out.Failed = err.Error()
		return out, nil
	}
	var chosen *choose.Trial
	if len(trials) > 0 {
		if chosen = tune.Best(trials); chosen == nil {
			out.Failed = "diverged in all trials"
			return out, store.keep(out)
		}
		out.Chosen = chosen.Number
	}
	on := u.Data.tested(u.Fold)
	if kept := store.measured(out.Chosen, trials, u, on); kept != nil {
		return kept, nil
	}
	watch := watchHeap(alone && w.device == nil)
	var scorer eval.Scorer
	out.Seconds, err = store.train(w, store.measuredName(out.Chosen, trials), func(w job) (err error) {
		scorer, err = m.fit(ctx, w, chosen)
		return err
	})
	out.Heap = watch()
	switch {
	case ctx.Err() != nil:
		return nil, stoppedIn(u, ctx.Err())
	case ends(err):
		return nil, endedIn(u, err)
	case err != nil:
		out.Failed = err.Error()
		return out, nil
	}
	r, err := eval.Evaluate(ctx, scorer, split.Train, split.Test, eval.Options{Ks: Ks, Workers: w.workers})
	if ctx.Err() != nil {
		return nil, stoppedIn(u, ctx.Err())
	}
	if err = w.failed(err); ends(err) {
		return nil, endedIn(u, err)
	}
	if err != nil {
		out.Failed = err.Error()
		return out, nil
	}
	out.Recall, out.NDCG, out.Users, out.Items = r.Recall, r.NDCG, r.PerUser.Users, on.Items
	out.Recalls, _ = r.PerUser.Values(eval.Recall, TableK)
	out.NDCGs, _ = r.PerUser.Values(eval.NDCG, TableK)
	return out, store.keep(out)
}

// kept returns what the store holds of a unit that was measured to its end; nil where anything is missing.
func (s *Study) kept(u Unit) *Measurement {
	store, budget := s.Store.unit(u, s.Protocol), u.Method.trials(s.Protocol.Trials)
	trials, chosen := store.trials(budget), -1
	if best := tune.Best(trials); best != nil {
		chosen = best.Number
	}
	if store.empty() || len(trials) < budget || budget > 0 && chosen < 0 {
		return nil
	}
	return store.measured(chosen, trials, u, u.Data.tested(u.Fold))
}

// ends reports whether an error ends a study, in place of being what came of a method.
func ends(err error) bool { return errors.Is(err, errStore) || errors.As(err, new(*DeviceError)) }

// endedIn says in which unit a device failed.
func endedIn(u Unit, err error) error {
	if errors.Is(err, errStore) {
		return err
	}
	return fmt.Errorf("%s could not be measured on %s, fold %d: %w", u.Method.Name, u.Data.Name, u.Fold, err)
}

func stoppedIn(u Unit, cause error) error {
	return fmt.Errorf("stopped while %s was measured on %s, fold %d: %w", u.Method.Name, u.Data.Name, u.Fold, cause)
}

// tried returns the trials of a unit, those of the store and then those made here. An error that is not ctx's is the
// method's, which refused a trial; errors of the store are joined to errStore.
func (s *Study) tried(ctx context.Context, u Unit, store unitStore, w job) ([]choose.Trial, error) {
	m, budget := u.Method, u.Method.trials(s.Protocol.Trials)
	trials := store.trials(budget)
	for n := len(trials); n < budget; n++ {
		values := m.first
		if n > 0 {
			var err error
			if values, err = m.Space.Propose(s.Protocol.Seed+uint64(u.Fold)<<32, trials); err != nil {
				return trials, err
			}
		}
		var t choose.Trial
		seconds, err := store.train(w, store.trialName(n), func(w job) (err error) {
			t, err = m.try(ctx, w, values)
			return err
		})
		if err != nil {
			return trials, err
		}
		t.Number, t.Seconds = n, seconds
		if err := store.keepTrial(&t); err != nil {
			return trials, errors.Join(errStore, err)
		}
		trials = append(trials, t)
	}
	return trials, nil
}
