package pmlam

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
)

// bits is everything that a training holds, for comparing: tensors, history (without times) and where it stands.
func bitsOf(trainer *Trainer) string {
	sum := sha256.New()
	var b []byte
	trainer.tensors(trainer.best != nil, func(name string, values []float32) {
		b = append(b[:0], name...)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		sum.Write(b)
	})
	for _, e := range append(slices.Clone(trainer.history), trainer.now) {
		e.Seconds = 0
		sum.Write(e.record())
	}
	return fmt.Sprintf("epoch %d, pair %d, step %d, stale %d, %x", trainer.epoch, trainer.at, trainer.steps, trainer.stale, sum.Sum(nil))
}

func newTrainer(t *testing.T, m *dataset.Matrix, c Config, workers int) *Trainer {
	t.Helper()
	trainer, err := New(context.Background(), m, c, workers)
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// keep makes a new training keep checkpoints in fs, and fails the test where that does not work.
func keep(t *testing.T, trainer *Trainer, c Checkpoints) Resumed {
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

// cut runs a training until so many batches are done in all.
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
		t.Fatalf("the training cut after %d batches ended with %v", steps, err)
	}
}

// resumable are configurations that between them have every kind of state.
func resumable(t *testing.T) map[string]Config {
	all := configs(t)
	out := map[string]Config{}
	for _, name := range []string{"8 the paper", "5 add, points", "softmax, relations", "composed", "composed, free part"} {
		out[name] = all[name]
	}
	for _, name := range []string{"8 the paper", "composed"} {
		c := all[name]
		c.Epochs, c.Validation, c.Every, c.Patience, c.LearnRate = 8, 0.2, 1, 2, 0.05
		out[name+", stopped early"] = c
	}
	return out
}

// A training that is cut after any batch and goes on from its checkpoint, with another number of workers, holds the
// same bits in the end as one that was never cut.
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
			want := bitsOf(whole)
			if whole.batches() < 5 || c.Patience > 0 && whole.epoch == c.Epochs {
				t.Fatalf("%d batches an epoch, stopped after epoch %d: this tests too little", whole.batches(), whole.epoch)
			}
			inside := 0
			for n := 1; n < whole.steps; n++ {
				fs := &durabletest.Memory{}
				first := newTrainer(t, m, c, workers[n%3])
				keep(t, first, Checkpoints{fs: fs, Every: time.Hour})
				cut(t, first, n)
				second := newTrainer(t, m, c, workers[(n+1)%3])
				if r := keep(t, second, Checkpoints{fs: fs, Every: time.Hour}); r.Path == "" || r.Epoch*r.Batches+r.Batch != n || r.Finished {
					t.Fatalf("cut after %d batches: %+v", n, r)
				} else if r.Batch > 0 {
					inside++
				}
				if bitsOf(first) != bitsOf(second) {
					t.Fatalf("cut after %d batches, the state itself is another", n)
				}
				got, err := second.Run(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if bitsOf(second) != want || !same(got, result) {
					t.Fatalf("cut after %d batches and resumed, the training ended with other bits", n)
				}
			}
			if inside < 20 {
				t.Errorf("only %d cuts were inside an epoch", inside)
			}
		})
	}
}

// A training that stops after every single batch arrives at the same bits too, and then stays there.
func TestResumedAfterEveryBatch(t *testing.T) {
	m := clustered(40, 60, 12)
	for name, c := range resumable(t) {
		t.Run(name, func(t *testing.T) {
			whole := newTrainer(t, m, c, 2)
			if _, err := whole.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			fs := &durabletest.Memory{}
			for n := 1; n < whole.steps; n++ {
				one := newTrainer(t, m, c, 1+n%2)
				keep(t, one, Checkpoints{fs: fs})
				cut(t, one, n)
			}
			for _, finished := range []bool{false, true} {
				last := newTrainer(t, m, c, 2)
				if r := keep(t, last, Checkpoints{fs: fs}); r.Finished != finished {
					t.Fatalf("%+v", r)
				}
				if _, err := last.Run(context.Background(), nil); err != nil {
					t.Fatal(err)
				}
				if bitsOf(last) != bitsOf(whole) {
					t.Fatal("the training ended with other bits")
				}
			}
		})
	}
}

// A training that was at its end goes on when more epochs, or more patience, are asked for.
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
		keep(t, last, Checkpoints{fs: fs})
		if last.steps != steps {
			t.Fatalf("it began at step %d, not %d", last.steps, steps)
		}
		if _, err := last.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if last.steps <= steps {
			t.Fatal("it did not go on")
		}
		steps = last.steps
		if now == more && bitsOf(last) != bitsOf(whole) {
			t.Error("epochs and patience raised in steps gave other bits than at once")
		}
	}
}

// What is kept, and what is removed: the last two, whatever was there before.
func TestTwoCheckpointsAreKept(t *testing.T) {
	m, c := clustered(20, 30, 8), configs(t)["composed"]
	fs := &durabletest.Memory{}
	put := func(name string) {
		t.Helper()
		if err := durable.WriteFile(fs, "d/"+name, func(w io.Writer) error { _, err := w.Write([]byte("?")); return err }); err != nil {
			t.Fatal(err)
		}
	}
	put("checkpoint-9999999999")
	put("notes")
	put("checkpoint-12")
	trainer := newTrainer(t, m, c, 1)
	keep(t, trainer, Checkpoints{fs: fs, Fresh: true})
	var seen [][]string
	trainer.Watch = func(int, int) { names, _ := fs.List("d"); seen = append(seen, names) }
	if _, err := trainer.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	// The first batch is watched before there is a checkpoint; the one after has one, and then there are two.
	name := func(n int) string { return fmt.Sprintf("checkpoint-%010d", n) }
	for i, want := range [][]string{{"checkpoint-12", "checkpoint-9999999999", "notes"}, {name(1), "checkpoint-12", "notes"}, {name(1), name(2), "checkpoint-12", "notes"}, {name(2), name(3), "checkpoint-12", "notes"}} {
		if !slices.Equal(seen[i], want) {
			t.Errorf("with batch %d there are %v", i+1, seen[i])
		}
	}
	left, _ := fs.List("d")
	if want := []string{name(trainer.steps - 1), name(trainer.steps), "checkpoint-12", "notes"}; !slices.Equal(left, want) {
		t.Errorf("in the end there are %v", left)
	}
}

// Checkpoints come no more often than they are asked for; one always comes when the training stops.
func TestEvery(t *testing.T) {
	fs := &durabletest.Memory{}
	trainer := newTrainer(t, clustered(20, 30, 8), configs(t)["composed"], 1)
	keep(t, trainer, Checkpoints{fs: fs, Every: time.Hour})
	cut(t, trainer, 3)
	if names, _ := fs.List("d"); !slices.Equal(names, []string{"checkpoint-0000000003"}) {
		t.Errorf("there are %v", names)
	}
}

// stopped returns a file system with two checkpoints, after batches 4 and 5, and the latter's content.
func stoppedTraining(t *testing.T, m *dataset.Matrix, c Config) (*durabletest.Memory, []byte) {
	t.Helper()
	fs := &durabletest.Memory{}
	trainer := newTrainer(t, m, c, 1)
	keep(t, trainer, Checkpoints{fs: fs})
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

// A checkpoint that is damaged in any byte (every fifth is tried), cut anywhere or not one at all is refused with the reason, and the one
// before it is used, with a note; the end is the same.
func TestADamagedCheckpointIsRefusedAndTheOneBeforeUsed(t *testing.T) {
	m, c := clustered(20, 30, 8), configs(t)["8 the paper"]
	c.Dim, c.Hidden = 2, 2
	whole := newTrainer(t, m, c, 1)
	if _, err := whole.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	want := bitsOf(whole)
	fs, good := stoppedTraining(t, m, c)
	cases := map[string][]byte{
		"it has 0 bytes only":                                   {},
		"it has 20 bytes only":                                  good[:20],
		"it does not begin as a checkpoint does":                []byte(strings.Repeat("This is no checkpoint. ", 100)),
		fmt.Sprintf("is not what was written (%d", len(good)-1): good[:len(good)-1],
		fmt.Sprintf("is not what was written (%d", len(good)/2): good[:len(good)/2],
		fmt.Sprintf("is not what was written (%d", len(good)+3): append(slices.Clone(good), 0, 0, 0),
		fmt.Sprintf("is not what was written (%d", len(good)):   make([]byte, 0), // filled below, for every byte
	}
	refuse := func(reason string, b []byte, finish bool) {
		t.Helper()
		overwrite(t, fs, "d/checkpoint-0000000005", b)
		trainer := newTrainer(t, m, c, 1)
		var notes []string
		r := keep(t, trainer, Checkpoints{fs: fs, Every: time.Hour, Note: func(text string) { notes = append(notes, text) }})
		if r.Path != filepath.Join("d", "checkpoint-0000000004") || len(notes) != 1 || !strings.HasPrefix(notes[0], "the checkpoint "+filepath.Join("d", "checkpoint-0000000005")+" cannot be used: it is damaged: ") ||
			!strings.Contains(notes[0], reason) || !strings.HasSuffix(notes[0], "; the one before is used") {
			t.Fatalf("%s: %+v, %q", reason, r, notes)
		}
		if !finish {
			return
		}
		if _, err := trainer.Run(context.Background(), nil); err != nil || bitsOf(trainer) != want {
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
		reason := "is not what was written"
		if i < len(checkpointMagic) {
			reason = "does not begin as"
		}
		refuse(reason, bad, false)
	}
	// Both damaged: there is nothing to go on from, and starting anew is the user's decision.
	overwrite(t, fs, "d/checkpoint-0000000005", good[:100])
	overwrite(t, fs, "d/checkpoint-0000000004", good[:99])
	var bad *CheckpointError
	_, err := newTrainer(t, m, c, 1).Keep(Checkpoints{Folder: "d", fs: fs})
	if !errors.As(err, &bad) || strings.Count(err.Error(), "cannot be used: it is damaged") != 2 {
		t.Errorf("two damaged ones: %v", err)
	}
	if r := keep(t, newTrainer(t, m, c, 1), Checkpoints{fs: fs, Fresh: true}); r.Path != "" {
		t.Errorf("fresh: %+v", r)
	}
}

// A whole checkpoint of another training is refused, and no older one is taken in its place.
func TestACheckpointOfAnotherTrainingIsRefused(t *testing.T) {
	m, c := clustered(20, 30, 8), configs(t)["composed"]
	fs, good := stoppedTraining(t, m, c)
	for want, change := range map[string]func(m **dataset.Matrix, c *Config, file []byte, start *string){
		"it was made from other data": func(m **dataset.Matrix, _ *Config, _ []byte, _ *string) {
			more := []dataset.Pair{{Row: 3, Col: missingAt((*m).Row(3), 2)}}
			for u := range (*m).Rows() {
				for _, i := range (*m).Row(u) {
					more = append(more, dataset.Pair{Row: int32(u), Col: i})
				}
			}
			*m = dataset.NewMatrix(20, 30, more)
		},
		"it was made with other settings: learn_rate is 0.01 there and 0.02 here, seed is 1 there and 2 here": func(_ **dataset.Matrix, c *Config, _ []byte, _ *string) { c.LearnRate, c.Seed = 0.02, 2 },
		"epochs is 3 there and 4 here (with decay every step depends on it)":                                  func(_ **dataset.Matrix, c *Config, _ []byte, _ *string) { c.Epochs = 4 },
		"it has format 7, and this program knows 1":                                                           func(_ **dataset.Matrix, _ *Config, file []byte, _ *string) { file[len(checkpointMagic)] = 7 },
		"it began from no model and this training from the model abc":                                         func(_ **dataset.Matrix, _ *Config, _ []byte, start *string) { *start = "abc" },
	} {
		m, c, start, file := m, c, "", slices.Clone(good)
		change(&m, &c, file, &start)
		overwrite(t, fs, "d/checkpoint-0000000005", seal(file))
		trainer := newTrainer(t, m, c, 1)
		trainer.start = start
		_, err := trainer.Keep(Checkpoints{Folder: "d", fs: fs})
		var bad *CheckpointError
		if !errors.As(err, &bad) || bad.Damaged || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	// Without decay more epochs are welcome, fewer than there were are not; the preset's name says nothing.
	c.Decay, c.Epochs = false, 3
	fs, _ = stoppedTraining(t, m, c)
	c.Preset, c.Epochs = "another", 9
	keep(t, newTrainer(t, m, c, 1), Checkpoints{fs: fs})
	c.Epochs = 1
	if _, err := newTrainer(t, m, c, 1).Keep(Checkpoints{Folder: "d", fs: fs}); err == nil || !strings.Contains(err.Error(), "it is in epoch 3 already, and the settings say 1") {
		t.Errorf("got %v", err)
	}
}

// seal puts the right digest behind a file.
func seal(file []byte) []byte {
	sum := sha256.Sum256(file[:len(file)-sha256.Size])
	copy(file[len(file)-sha256.Size:], sum[:])
	return file
}

// FuzzCheckpoint: whatever is in a file, also behind a right digest, it is refused or is what encode writes.
func FuzzCheckpoint(f *testing.F) {
	m := clustered(8, 10, 6)
	c, err := Preset("paper")
	if err != nil {
		f.Fatal(err)
	}
	c.Dim, c.Hidden, c.Negatives, c.Batch, c.Epochs, c.Candidates, c.Validation, c.Every = 1, 1, 1, 16, 6, 0, 0.3, 1
	fs := &durabletest.Memory{}
	for n := range 5 {
		trainer, err := New(context.Background(), m, c, 1)
		if err != nil {
			f.Fatal(err)
		}
		if _, err := trainer.Keep(Checkpoints{Folder: "d", fs: fs}); err != nil {
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
		before := bitsOf(trainer)
		if _, err := trainer.Keep(Checkpoints{Folder: "d", fs: fs}); err != nil {
			if bitsOf(trainer) != before {
				t.Fatal("a file that was refused changed the training")
			}
			return
		}
		var again bytes.Buffer
		if err := trainer.keeper.encode(trainer)(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Fatalf("what was read is not what is written, %v", err)
		}
	})
}

// BenchmarkCheckpoint is writing and reading (which checks everything first, so it reads twice) a checkpoint of 20,000
// entities of dimension 50 in memory: what there is beside the disk.
func BenchmarkCheckpoint(b *testing.B) {
	c, err := Preset("composed")
	if err != nil {
		b.Fatal(err)
	}
	m := clustered(100, 20_000, 20)
	fs := &durabletest.Memory{}
	var trainers [2]*Trainer
	for i := range trainers {
		if trainers[i], err = New(context.Background(), m, c, 1); err != nil {
			b.Fatal(err)
		}
		if _, err := trainers[i].Keep(Checkpoints{Folder: "d", fs: fs, Fresh: true}); err != nil {
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
