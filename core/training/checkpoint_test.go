package training

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
)

// The last two checkpoints are kept, and older ones are removed.
func TestTwoCheckpointsAreKept(t *testing.T) {
	m, c := random(20, 30, 8), small()
	fs := &durabletest.Memory{}
	put := func(name string) {
		t.Helper()
		if err := durable.WriteFile(fs, "d/"+name,
			func(w io.Writer) error { _, err := w.Write([]byte("?")); return err }); err != nil {
			t.Fatal(err)
		}
	}
	put("checkpoint-9999999999")
	put("notes")
	put("checkpoint-12")
	trainer := newTrainer(t, m, c, 1)
	keep(t, trainer, Checkpoints{FS: fs, Fresh: true})
	var seen [][]string
	trainer.Watch = func(int, int) { names, _ := fs.List("d"); seen = append(seen, names) }
	if err := trainer.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	// The folder has no checkpoint during the first batch, then one, then two.
	name := func(n int) string { return fmt.Sprintf("checkpoint-%010d", n) }
	for i, want := range [][]string{{"checkpoint-12", "checkpoint-9999999999", "notes"}, {name(1), "checkpoint-12",
		"notes"}, {name(1), name(2), "checkpoint-12", "notes"}, {name(2), name(3), "checkpoint-12", "notes"}} {
		if !slices.Equal(seen[i], want) {
			t.Errorf("at batch %d the folder has %v", i+1, seen[i])
		}
	}
	left, _ := fs.List("d")
	if want := []string{name(trainer.Steps() - 1), name(trainer.Steps()), "checkpoint-12", "notes"}; !slices.Equal(left,
		want) {
		t.Errorf("in the end the folder has %v", left)
	}
}

// Checkpoints are written no more often than requested, and always when the training stops.
func TestEvery(t *testing.T) {
	fs := &durabletest.Memory{}
	trainer := newTrainer(t, random(20, 30, 8), small(), 1)
	keep(t, trainer, Checkpoints{FS: fs, Every: time.Hour})
	cut(t, trainer, 3)
	if names, _ := fs.List("d"); !slices.Equal(names, []string{"checkpoint-0000000003"}) {
		t.Errorf("there are %v", names)
	}
}

// stoppedTraining returns a file system with two checkpoints, after batches 4 and 5, and the content of the latter.
func stoppedTraining(t *testing.T, m *dataset.Matrix, c settings) (*durabletest.Memory, []byte) {
	t.Helper()
	fs := &durabletest.Memory{}
	trainer := newTrainer(t, m, c, 1)
	keep(t, trainer, Checkpoints{FS: fs})
	cut(t, trainer, 5)
	return fs, contentOf(t, fs, "d/checkpoint-0000000005")
}

func contentOf(t *testing.T, fs durable.FS, path string) []byte {
	t.Helper()
	r, _, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func overwrite(t *testing.T, fs durable.FS, path string, b []byte) {
	t.Helper()
	if err := durable.WriteFile(fs, path, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
		t.Fatal(err)
	}
}

// A checkpoint that is damaged in any byte (every fifth is tried), truncated anywhere or not a checkpoint at all is
// refused with the reason. The one before it is used, with a note, and the result is the same.
func TestADamagedCheckpointIsRefusedAndTheOneBeforeUsed(t *testing.T) {
	m, c := random(20, 30, 8), small()
	whole := newTrainer(t, m, c, 1)
	if err := whole.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	want := whole.Fingerprint()
	fs, good := stoppedTraining(t, m, c)
	cases := map[string][]byte{
		"it has only 0 bytes":  {},
		"it has only 20 bytes": good[:20],
		"bad magic":            []byte(strings.Repeat("Not a checkpoint file. ", 100)),
		fmt.Sprintf("does not match its content (%d", len(good)-1): good[:len(good)-1],
		fmt.Sprintf("does not match its content (%d", len(good)/2): good[:len(good)/2],
		fmt.Sprintf("does not match its content (%d", len(good)+3): append(slices.Clone(good), 0, 0, 0),
		fmt.Sprintf("does not match its content (%d", len(good)):   make([]byte, 0), // set below, for every byte
	}
	refuse := func(reason string, b []byte, finish bool) {
		t.Helper()
		overwrite(t, fs, "d/checkpoint-0000000005", b)
		trainer := newTrainer(t, m, c, 1)
		var notes []string
		r := keep(t, trainer,
			Checkpoints{FS: fs, Every: time.Hour, Note: func(text string) { notes = append(notes, text) }})
		if r.Path != filepath.Join("d", "checkpoint-0000000004") || len(notes) != 1 || !strings.HasPrefix(notes[0],
			"the checkpoint "+filepath.Join("d", "checkpoint-0000000005")+" cannot be used: it is damaged: ") ||
			!strings.Contains(notes[0], reason) || !strings.HasSuffix(notes[0], "; using the one before") {
			t.Fatalf("%s: %+v, %q", reason, r, notes)
		}
		if !finish {
			return
		}
		if err := trainer.Run(context.Background(), nil); err != nil || trainer.Fingerprint() != want {
			t.Fatalf("%s: %v, or other bits", reason, err)
		}
		fs, _ = stoppedTraining(t, m, c)
	}
	for _, reason := range slices.Sorted(maps.Keys(cases)) {
		if b := cases[reason]; len(b) > 0 || strings.HasPrefix(reason, "it has 0") {
			refuse(reason, b, true)
		}
	}
	for i := 0; i < len(good); i += 5 {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		reason := "does not match its content"
		if i < len(checkpointMagic) {
			reason = "bad magic"
		}
		refuse(reason, bad, false)
	}
	// If both are damaged, the training cannot resume; starting afresh is the user's decision.
	overwrite(t, fs, "d/checkpoint-0000000005", good[:100])
	overwrite(t, fs, "d/checkpoint-0000000004", good[:99])
	var bad *CheckpointError
	_, err := newTrainer(t, m, c, 1).Keep(Checkpoints{Folder: "d", FS: fs})
	if !errors.As(err, &bad) || strings.Count(err.Error(), "cannot be used: it is damaged") != 2 {
		t.Errorf("both damaged: %v", err)
	}
	if r := keep(t, newTrainer(t, m, c, 1), Checkpoints{FS: fs, Fresh: true}); r.Path != "" {
		t.Errorf("fresh: %+v", r)
	}
}

// An intact checkpoint of another training is refused, and no older one is used instead.
func TestACheckpointOfAnotherTrainingIsRefused(t *testing.T) {
	m, c := random(20, 30, 8), small()
	fs, good := stoppedTraining(t, m, c)
	for want, change := range map[string]func(m **dataset.Matrix, c *settings, file []byte, start *string){
		"it was made from other data": func(m **dataset.Matrix, _ *settings, _ []byte, _ *string) {
			more := []dataset.Pair{{Row: 3, Col: MissingAt((*m).Row(3), 2)}}
			for u := range (*m).Rows() {
				for _, i := range (*m).Row(u) {
					more = append(more, dataset.Pair{Row: int32(u), Col: i})
				}
			}
			*m = dataset.NewMatrix(20, 30, more)
		},
		"it was made with other settings: learn_rate is 0.01 there but 0.02 here, seed is 1 there but 2 here": func(
			_ **dataset.Matrix, c *settings, _ []byte, _ *string,
		) {
			c.LearnRate, c.Seed = 0.02, 2
		},
		"epochs is 3 there but 4 here (with decay every step depends on it)": func(_ **dataset.Matrix, c *settings,
			_ []byte, _ *string) {
			c.Epochs = 4
		},
		"its format is 7, but this program reads 2": func(_ **dataset.Matrix, _ *settings, file []byte, _ *string) {
			file[len(checkpointMagic)] = 7
		},
		"it started from no model, but this training starts from the model abc": func(_ **dataset.Matrix, _ *settings, _ []byte,
			start *string) {
			*start = "abc"
		},
	} {
		m, c, start, file := m, c, "", slices.Clone(good)
		change(&m, &c, file, &start)
		overwrite(t, fs, "d/checkpoint-0000000005", seal(file))
		trainer := newTrainer(t, m, c, 1)
		trainer.start = start
		_, err := trainer.Keep(Checkpoints{Folder: "d", FS: fs})
		var bad *CheckpointError
		if !errors.As(err, &bad) || bad.Damaged || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	// Without decay the number of epochs may be raised, but not below those done; the preset's name is ignored.
	c.Decay, c.Epochs, c.Batch = false, 3, 80 // two batches an epoch
	fs, _ = stoppedTraining(t, m, c)
	c.Preset, c.Epochs = "another", 9
	keep(t, newTrainer(t, m, c, 1), Checkpoints{FS: fs})
	c.Epochs = 1
	if _, err := newTrainer(t, m, c, 1).Keep(Checkpoints{Folder: "d", FS: fs}); err == nil ||
		!strings.Contains(err.Error(), "it is already in epoch 3, but the settings say 1") {
		t.Errorf("got %v", err)
	}
}

// seal appends the correct digest to a file.
func seal(file []byte) []byte {
	sum := sha256.Sum256(file[:len(file)-sha256.Size])
	copy(file[len(file)-sha256.Size:], sum[:])
	return file
}

// FuzzCheckpoint checks that any file, even with a correct digest, is either refused or identical to the output of
// encode.
func FuzzCheckpoint(f *testing.F) {
	m := random(8, 10, 6)
	c := small()
	c.Batch, c.Epochs, c.Validation = 16, 6, 0.3
	fs := &durabletest.Memory{}
	for n := range 5 {
		trainer := newToy(m, c, 1)
		if _, err := trainer.Keep(Checkpoints{Folder: "d", FS: fs}); err != nil {
			f.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		trainer.Watch = func(done, _ int) {
			if done > 2*n {
				cancel()
			}
		}
		trainer.Run(ctx, nil)
		cancel()
		names, _ := fs.List("d")
		r, _, err := fs.Open(filepath.Join("d", names[len(names)-1]))
		if err != nil {
			f.Fatal(err)
		}
		b, _ := io.ReadAll(r)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= sha256.Size {
			file = seal(slices.Clone(file))
		}
		trainer := newTrainer(t, m, c, 1)
		fs := &durabletest.Memory{}
		overwrite(t, fs, "d/checkpoint-0000000001", file)
		before := trainer.Fingerprint()
		if _, err := trainer.Keep(Checkpoints{Folder: "d", FS: fs}); err != nil {
			if trainer.Fingerprint() != before {
				t.Fatal("a refused file changed the training")
			}
			return
		}
		var again bytes.Buffer
		if err := trainer.keeper.encode(trainer)(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Fatalf("reading and writing again gives another file, %v", err)
		}
	})
}

// BenchmarkCheckpoint writes and reads (twice, since everything is checked first) a checkpoint of two million numbers
// in memory: the cost apart from the disk.
func BenchmarkCheckpoint(b *testing.B) {
	m := random(10, 1_000_000, 20)
	fs := &durabletest.Memory{}
	var trainers [2]*Loop
	for i := range trainers {
		trainers[i] = newToy(m, small(), 1)
		if _, err := trainers[i].Keep(Checkpoints{Folder: "d", FS: fs, Fresh: true}); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join("d", checkpointName+"0000000001")
	size := int64(0)
	write := func() {
		if err := durable.WriteFile(fs, path, trainers[0].keeper.encode(trainers[0])); err != nil {
			b.Fatal(err)
		}
	}
	write()
	_, size, _ = fs.Open(path)
	b.Run("write", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			if err := trainers[0].keeper.encode(trainers[0])(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			if err := trainers[1].keeper.load(trainers[1], path); err != nil {
				b.Fatal(err)
			}
		}
	})
}
