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

// resumesTo fails the test unless a training resumed from fs ends with the wanted bits.
func resumesTo(t *testing.T, fs *durabletest.Memory, m *dataset.Matrix, c settings, want string) Resumed {
	t.Helper()
	trainer := newTrainer(t, m, c, 1)
	r := keep(t, trainer,
		Checkpoints{FS: fs, Every: time.Hour, Note: func(text string) { t.Errorf("resuming says: %s", text) }})
	if err := trainer.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if trainer.Fingerprint() != want {
		t.Fatal("the resumed training ended with other bits")
	}
	return r
}

// Each operation of the file system fails once. Before the training begins, that is an error; afterwards the training
// continues and notes it. Either way it ends with the same bits, at once or when resumed.
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
				"cannot keep checkpoints in d: ") &&
				!strings.HasPrefix(err.Error(), "cannot list the checkpoints in d: ") {
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
		case len(notes) == 1 && strings.HasPrefix(notes[0], "cannot write a checkpoint: ") &&
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
		t.Errorf("%d faults refused, %d noted, %d silent: this tests too little", refused, told, silent)
	}
}

// The disk fails from some operation on, and the power with it or later. From the remaining files the training resumes
// without an error and ends with the same bits. A checkpoint, once written, is not lost.
func TestThePowerFailsAtEveryOperation(t *testing.T) {
	m, c, want := faultsTraining(t)
	for _, lucky := range []bool{false, true} {
		for n := 0; ; n++ {
			fs := &durabletest.Memory{}
			written := 0 // steps in the newest checkpoint written without an error
			dark := &durabletest.Faulty{FS: fs, Fails: func(i int, _ durabletest.Op) bool { return i >= n }}
			trainer := newTrainer(t, m, c, 1)
			if _, err := trainer.Keep(Checkpoints{Folder: "d", FS: dark}); err == nil {
				trainer.Watch = func(done, _ int) {
					if dark.Count <= n { // nothing has failed yet
						written = done - 1 // the batch before; this one's checkpoint comes next
					}
				}
				if err := trainer.Run(context.Background(), nil); err != nil || trainer.Fingerprint() != want {
					t.Fatalf("dark from operation %d on: %v, or other bits", n, err)
				}
			}
			fs.PowerLoss(lucky)
			r := resumesTo(t, fs, m, c, want)
			if steps := r.Epoch*r.Batches + r.Batch; steps < written {
				t.Fatalf("dark from operation %d on, lucky %t: the checkpoint of batch %d was written, but that of "+
					"batch %d is found", n, lucky, written, steps)
			}
			if n >= dark.Count {
				break
			}
		}
	}
}

// If a read fails, the checkpoint before is used, or Keep returns a clear error. Nothing is lost.
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
		case len(notes) != 1 || !strings.Contains(notes[0], "reading it failed: ") || r.Batch+r.Epoch*r.Batches != 4:
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

// The error of a stopped training says that its last checkpoint could not be written.
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
