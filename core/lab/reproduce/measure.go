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

// Unit is a method on a split of a data set, measured in one piece.
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

	Trials []choose.Trial `json:"-"`      // a file each
	Chosen int            `json:"chosen"` // the best trial; −1 without one
	// reason for missing figures: all trials diverged, or the method refuses such data
	Failed string `json:"failed,omitempty"`

	Ks      []int     `json:"ks"`      // the lengths of the lists
	Recall  []float64 `json:"recall"`  // means over users, by Ks
	NDCG    []float64 `json:"ndcg"`    // likewise
	Users   []int32   `json:"users"`   // users with test items, ascending
	Recalls []float32 `json:"recalls"` // Recall@TableK of each
	NDCGs   []float32 `json:"ndcgs"`   // NDCG@TableK of each
	Items   []int32   `json:"-"`       // number of test items of each, from the data

	Seconds float64 `json:"seconds"` // training time on the whole training part, on this number of
	Workers int     `json:"workers"` // goroutines
	// peak bytes of memory above the start; 0: not measured, because other units ran at the same time or the device has
	// its own memory
	Heap   uint64 `json:"heap"`
	Device string `json:"device,omitempty"` // the device that finished the training; "": the processor

	kept bool // read back from the store
}

// measure makes a unit's trials that the store lacks and then the measurement, on the device if the method trains
// there. alone means that nothing else is measured at the same time, so memory can be measured. When ctx ends, finished
// trials stay in the store and the error wraps ctx's. A method that refuses the data or always diverges is not an
// error: the Measurement says so. A failing device is a *DeviceError.
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

// kept returns a unit's complete measurement from the store; nil if anything is missing.
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

// ends reports whether an error ends the study, rather than being a method's result.
func ends(err error) bool { return errors.Is(err, errStore) || errors.As(err, new(*DeviceError)) }

// endedIn adds the unit to a device's or the context's error.
func endedIn(u Unit, err error) error {
	if errors.Is(err, errStore) {
		return err
	}
	return fmt.Errorf("cannot measure %s on %s, fold %d: %w", u.Method.Name, u.Data.Name, u.Fold, err)
}

func stoppedIn(u Unit, cause error) error {
	return fmt.Errorf("stopped while measuring %s on %s, fold %d: %w", u.Method.Name, u.Data.Name, u.Fold, cause)
}

// tried returns the trials of a unit: those in the store, then new ones. An error other than ctx's is the method's,
// which refused a trial; store errors are joined with errStore.
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
