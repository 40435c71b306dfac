package tune

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// A proposal after some trials equals the next trial of a study with the same seed.
func TestProposeDrawsAsSearchDoes(t *testing.T) {
	space := Space{{Name: "learn_rate", Low: 0.001, High: 0.1, Log: true},
		{Name: "dim", Values: []string{"2", "4", "8"}, Ordered: true}, {Name: "relations", Values: []string{"none",
			"fixed"}}}
	var past []choose.Trial
	if _, err := space.Propose(3, past); err == nil {
		t.Error("the first trial was proposed")
	}
	past = append(past, choose.Trial{State: choose.Complete, Values: map[string]string{"learn_rate": "0.01", "dim": "4",
		"relations": "none"}, NDCG: 0.1})
	for n := 1; n < 14; n++ {
		v, err := space.Propose(3, past)
		if err != nil {
			t.Fatal(err)
		}
		again, err := space.Propose(3, past)
		if err != nil || !maps.Equal(v, again) {
			t.Fatalf("trial %d: %v and %v", n, v, again)
		}
		for i := range space {
			if !space[i].Holds(v[space[i].Name]) {
				t.Errorf("trial %d: %v", n, v)
			}
		}
		past = append(past, choose.Trial{Number: n, State: choose.Complete, Values: v, NDCG: 0.1 / float64(n)})
	}
	other, err := space.Propose(4, past)
	if err != nil || maps.Equal(other, past[13].Values) {
		t.Errorf("another seed proposes the same: %v", other)
	}
	past[5].Values = map[string]string{"learn_rate": "7"}
	if _, err := space.Propose(3, past); err == nil {
		t.Error("a trial outside the space was accepted")
	}
}

// A trial with checkpoints that is interrupted resumes from the last one with the same result, also if only the choice
// of its item-item part was left.
func TestCutTrialGoesOn(t *testing.T) {
	for _, preset := range []string{"paper", "hybrid"} {
		cfg := quick(t, preset)
		cfg.Every = 1
		try := func(ctx context.Context, prepare func(*pmlam.Trainer) error) choose.Trial {
			t.Helper()
			x, err := Try(ctx, few(t), cfg, nil, 2, prepare)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			x.Seconds = 0
			return x
		}
		steps := 0
		want := try(context.Background(), func(l *pmlam.Trainer) error {
			l.Watch = func(int, int) { steps++ }
			return nil
		})
		for _, last := range []int{1, steps / 2, steps - 1, steps} {
			folder, done := t.TempDir(), 0
			ctx, stop := context.WithCancel(context.Background())
			keep := func(l *pmlam.Trainer) error {
				l.Watch = func(int, int) {
					if done++; done == last {
						stop()
					}
				}
				_, err := l.Keep(training.Checkpoints{Folder: folder})
				return err
			}
			try(ctx, keep)
			if got := try(context.Background(), keep); !reflect.DeepEqual(got, want) || done != steps {
				t.Errorf("%s, interrupted after %d of %d batches and resumed for %d: %+v, want %+v", preset, last, steps,
					done-last, got, want)
			}
			stop()
		}
	}
	failed := errors.New("no room")
	if _, err := Try(context.Background(), few(t), quick(t, "best"), nil, 1,
		func(*pmlam.Trainer) error { return failed }); err != failed {
		t.Errorf("%v", err)
	}
}
