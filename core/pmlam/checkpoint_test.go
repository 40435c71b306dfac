package pmlam

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
	"github.com/pmlam/pmlam/core/training"
)

func newTrainer(t *testing.T, m *dataset.Matrix, c Config, workers int) *Trainer {
	t.Helper()
	trainer, err := New(context.Background(), m, c, workers)
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// keep makes a new training write checkpoints to fs, and fails the test on an error.
func keep(t *testing.T, trainer *Trainer, c training.Checkpoints) training.Resumed {
	t.Helper()
	if c.Folder == "" {
		c.Folder = "d"
	}
	r, err := trainer.Keep(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cut runs a training until the given number of batches is done.
func cut(t *testing.T, trainer *Trainer, steps int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	trainer.Watch = func(done, _ int) {
		if done >= steps {
			cancel()
		}
	}
	if _, err := trainer.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("the training stopped after %d batches ended with %v", steps, err)
	}
}

// resumable returns configurations that together have every kind of state.
func resumable(t *testing.T) map[string]Config {
	all := configs(t)
	out := map[string]Config{}
	for _, name := range []string{"8 the paper", "5 add, points", "softmax, relations", "composed",
		"composed, free part", "composed, free part, shrinkage"} {
		out[name] = all[name]
	}
	for _, name := range []string{"8 the paper", "composed"} {
		c := all[name]
		c.Epochs, c.Validation, c.Every, c.Patience, c.LearnRate = 8, 0.2, 1, 2, 0.05
		out[name+", stopped early"] = c
	}
	return out
}

// A training that is stopped after any batch and resumed from its checkpoint, with another number of workers, ends with
// the same bits as an uninterrupted one.
func TestResumedAnywhereTheBitsAreTheSame(t *testing.T) {
	m := clustered(40, 60, 12)
	workers := []int{1, 2, 8}
	for name, c := range resumable(t) {
		t.Run(name, func(t *testing.T) {
			c.Batch = 48
			whole := newTrainer(t, m, c, 2)
			result, err := whole.Run(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := whole.Fingerprint()
			if whole.Batches() < 5 || c.Patience > 0 && len(whole.History()) == c.Epochs {
				t.Fatalf("%d batches an epoch, stopped after epoch %d: this tests too little", whole.Batches(),
					len(whole.History()))
			}
			inside := 0
			for n := 1; n < whole.Steps(); n++ {
				fs := &durabletest.Memory{}
				first := newTrainer(t, m, c, workers[n%3])
				keep(t, first, training.Checkpoints{FS: fs, Every: time.Hour})
				cut(t, first, n)
				second := newTrainer(t, m, c, workers[(n+1)%3])
				if r := keep(t, second, training.Checkpoints{FS: fs, Every: time.Hour}); r.Path == "" ||
					r.Epoch*r.Batches+r.Batch != n || r.Finished {
					t.Fatalf("stopped after %d batches: %+v", n, r)
				} else if r.Batch > 0 {
					inside++
				}
				if first.Fingerprint() != second.Fingerprint() {
					t.Fatalf("stopped after %d batches, the state differs", n)
				}
				got, err := second.Run(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if second.Fingerprint() != want || !same(got, result) {
					t.Fatalf("stopped after %d batches and resumed, the training ended with other bits", n)
				}
			}
			if inside < 20 {
				t.Errorf("only %d stops were inside an epoch", inside)
			}
		})
	}
}

// A training that stops after every single batch also ends with the same bits, and then stays there.
func TestResumedAfterEveryBatch(t *testing.T) {
	m := clustered(40, 60, 12)
	for name, c := range resumable(t) {
		t.Run(name, func(t *testing.T) {
			whole := newTrainer(t, m, c, 2)
			if _, err := whole.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			fs := &durabletest.Memory{}
			for n := 1; n < whole.Steps(); n++ {
				one := newTrainer(t, m, c, 1+n%2)
				keep(t, one, training.Checkpoints{FS: fs})
				cut(t, one, n)
			}
			for _, finished := range []bool{false, true} {
				last := newTrainer(t, m, c, 2)
				if r := keep(t, last, training.Checkpoints{FS: fs}); r.Finished != finished {
					t.Fatalf("%+v", r)
				}
				if _, err := last.Run(context.Background(), nil); err != nil {
					t.Fatal(err)
				}
				if last.Fingerprint() != whole.Fingerprint() {
					t.Fatal("the training ended with other bits")
				}
			}
		})
	}
}

// A finished training continues if Epochs or Patience is raised.
func TestGoingOnBehindTheEnd(t *testing.T) {
	m := clustered(40, 60, 12)
	c := configs(t)["8 the paper"]
	c.Epochs, c.Validation, c.Every, c.Patience, c.LearnRate = 30, 0.2, 1, 2, 0.05
	more := c
	more.Patience = 4
	whole := newTrainer(t, m, more, 2)
	if _, err := whole.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	fs := &durabletest.Memory{}
	steps := 0
	for _, change := range []func(*Config){
		func(c *Config) { c.Epochs = 1 },
		func(c *Config) { c.Epochs = 2 },
		func(*Config) {},
		func(c *Config) { *c = more },
	} {
		now := c
		change(&now)
		last := newTrainer(t, m, now, 2)
		keep(t, last, training.Checkpoints{FS: fs})
		if last.Steps() != steps {
			t.Fatalf("it started at step %d, not %d", last.Steps(), steps)
		}
		if _, err := last.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if last.Steps() <= steps {
			t.Fatal("it did not continue")
		}
		steps = last.Steps()
		if now == more && last.Fingerprint() != whole.Fingerprint() {
			t.Error("raising epochs and patience in steps gives other bits than at once")
		}
	}
}
