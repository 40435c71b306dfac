package training

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
)

// faultsTraining is a training of a dozen batches with networks and a validation.
func faultsTraining(t *testing.T) (m *dataset.Matrix, c settings, end string) {
	t.Helper()
	m, c = random(20, 30, 10), small()
	c.Batch, c.Validation, c.Every = 40, 0.2, 1
	whole := newTrainer(t, m, c, 1)
	if err := whole.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return m, c, whole.Fingerprint()
}

// resumesTo fails the test unless a training that goes on from what is in fs ends with those bits.
func resumesTo(t *testing.T, fs *durabletest.Memory, m *dataset.Matrix, c settings, want string) Resumed {
	t.Helper()
	trainer := newTrainer(t, m, c, 1)
	r := keep(t, trainer,
		Checkpoints{FS: fs, Every: time.Hour, Note: func(text string) { t.Errorf("resuming says: %s", text) }})
	if err := trainer.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if trainer.Fingerprint() != want {
		t.Fatal("the training resumed ended with other bits")
	}
	return r
}

// Every single operation of the file system fails once: before the training begins that ends it with a sentence,
// afterwards the training goes on and says so. Either way it ends with the same bits, then or when it is resumed.
func TestEveryWriteSyncAndRenameFailsOnce(t *testing.T) {
	m, c, want := faultsTraining(t)
	refused, told, silent := 0, 0, 0
	for n := 0; ; n++ {
		fs := &durabletest.Memory{}
		var failed durabletest.Op
		faulty := &durabletest.Faulty{FS: fs, Fails: func(i int, op durabletest.Op) bool {
			if i == n {
				failed = op
			}
			return i == n
		}}
		var notes []string
		trainer := newTrainer(t, m, c, 1)
		_, err := trainer.Keep(Checkpoints{Folder: "d", FS: faulty,
			Note: func(text string) { notes = append(notes, text) }})
		switch {
		case failed != "":
			if !errors.Is(err, durabletest.ErrFault) || !strings.HasPrefix(err.Error(),
				"checkpoints cannot be kept in d: ") &&
				!strings.HasPrefix(err.Error(), "the checkpoints in d cannot be listed: ") {
				t.Fatalf("operation %d, %s, failed: %v", n, failed, err)
			}
			refused++
			resumesTo(t, fs, m, c, want)
			continue
		case err != nil:
			t.Fatal(err)
		}
		if err := trainer.Run(context.Background(), nil); err != nil || trainer.Fingerprint() != want {
			t.Fatalf("operation %d, %s, failed: %v, or other bits", n, failed, err)
		}
		if n >= faulty.Count {
			break
		}
		switch {
		case len(notes) == 1 && strings.HasPrefix(notes[0], "a checkpoint could not be written: ") &&
			strings.Contains(notes[0], durabletest.ErrFault.Error()):
			told++
		case len(notes) == 0 && (failed == durabletest.Remove || failed == durabletest.List):
			silent++ // an old checkpoint stays a little longer
		default:
			t.Fatalf("operation %d, %s, failed; the notes are %q", n, failed, notes)
		}
		resumesTo(t, fs, m, c, want)
	}
	if refused < 5 || told < 50 || silent < 10 {
		t.Errorf("%d faults refused, %d told, %d silent: this tests too little", refused, told, silent)
	}
}

// The disk is gone from some operation on, and the power with it, now or later: whatever is left then, the training
// resumes from it without a word and ends with the same bits. Once a checkpoint was written, it is there.
func TestThePowerFailsAtEveryOperation(t *testing.T) {
	m, c, want := faultsTraining(t)
	for _, lucky := range []bool{false, true} {
		for n := 0; ; n++ {
			fs := &durabletest.Memory{}
			written := 0 // steps in the newest checkpoint that was written without an error
			dark := &durabletest.Faulty{FS: fs, Fails: func(i int, _ durabletest.Op) bool { return i >= n }}
			trainer := newTrainer(t, m, c, 1)
			if _, err := trainer.Keep(Checkpoints{Folder: "d", FS: dark}); err == nil {
				trainer.Watch = func(done, _ int) {
					if dark.Count <= n { // nothing has failed yet
						written = done - 1 // that of the batch before; this one's comes next
					}
				}
				if err := trainer.Run(context.Background(), nil); err != nil || trainer.Fingerprint() != want {
					t.Fatalf("dark from operation %d on: %v, or other bits", n, err)
				}
			}
			fs.PowerLoss(lucky)
			r := resumesTo(t, fs, m, c, want)
			if steps := r.Epoch*r.Batches + r.Batch; steps < written {
				t.Fatalf("dark from operation %d on, lucky %t: a checkpoint of batch %d was written, but that of "+
					"batch %d is found", n, lucky, written, steps)
			}
			if n >= dark.Count {
				break
			}
		}
	}
}

// Reading fails: the checkpoint before is used, or the error is a sentence; nothing is lost.
func TestEveryReadFailsOnce(t *testing.T) {
	m, c, want := faultsTraining(t)
	for n := 0; ; n++ {
		fs, _ := stoppedTraining(t, m, c)
		faulty := &durabletest.Faulty{FS: fs, Fails: func(i int, op durabletest.Op) bool { return i == n }}
		var notes []string
		trainer := newTrainer(t, m, c, 1)
		r, err := trainer.Keep(Checkpoints{Folder: "d", FS: faulty, Every: time.Hour,
			Note: func(text string) { notes = append(notes, text) }})
		if n >= faulty.Count {
			if n < 8 || err != nil || r.Batch+r.Epoch*r.Batches != 5 {
				t.Errorf("%d operations, %+v, %v", n, r, err)
			}
			return
		}
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), durabletest.ErrFault.Error()) {
				t.Errorf("operation %d: %v", n, err)
			}
		case len(notes) != 1 || !strings.Contains(notes[0], "it cannot be read: ") || r.Batch+r.Epoch*r.Batches != 4:
			t.Errorf("operation %d: %+v, %q", n, r, notes)
		default:
			if err := trainer.Run(context.Background(), nil); err != nil || trainer.Fingerprint() != want {
				t.Errorf("operation %d: %v, or other bits", n, err)
			}
			continue
		}
		resumesTo(t, fs, m, c, want)
	}
}

// A stopped training whose last checkpoint cannot be written says so.
func TestStoppedWithoutALastCheckpoint(t *testing.T) {
	m, c, _ := faultsTraining(t)
	full := false
	faulty := &durabletest.Faulty{FS: &durabletest.Memory{},
		Fails: func(_ int, op durabletest.Op) bool { return full && op == durabletest.Write }}
	trainer := newTrainer(t, m, c, 1)
	keep(t, trainer, Checkpoints{FS: faulty, Every: time.Hour})
	ctx, cancel := context.WithCancel(context.Background())
	trainer.Watch = func(int, int) { full = true; cancel() }
	if err := trainer.Run(ctx, nil); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(),
		"the training was stopped in epoch 1, and its last checkpoint could not be written (write") {
		t.Errorf("%v", err)
	}
}
