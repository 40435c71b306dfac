package reproduce

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/choose"
)

// figures are the results of a measurement, without its cost.
func figures(all []*Measurement) (out []Measurement) {
	for _, m := range all {
		x := *m
		x.Seconds, x.Heap, x.Workers, x.kept = 0, 0, 0, false
		x.Trials = append([]choose.Trial(nil), m.Trials...)
		for i := range x.Trials {
			x.Trials[i].Seconds = 0
			if x.Trials[i].Part != nil {
				part := *x.Trials[i].Part
				x.Trials[i].Part = &part
			}
		}
		out = append(out, x)
	}
	return out
}

// Figures do not depend on the number of jobs or workers, or on the store.
func TestJobsWorkersAndStoreChangeNothing(t *testing.T) {
	d := blocks(t)
	methods := some(t, "popularity", "ease", "bprmf", "pmlam-hybrid", "pmlam-paper")
	kept := store(t)
	want := figures(run(t, d, methods, nil, 1, 1))
	for name, got := range map[string][]*Measurement{
		"three jobs":   run(t, d, methods, nil, 3, 2),
		"into a store": run(t, d, methods, kept, 2, 3),
		"out of it":    run(t, d, methods, kept, 1, 1),
		"more trials of others": run(t, d, some(t, "popularity", "ease", "bprmf", "pmlam-hybrid", "pmlam-paper"), kept,
			1, 2),
	} {
		if x := figures(got); !reflect.DeepEqual(x, want) {
			for i := range x {
				if !reflect.DeepEqual(x[i], want[i]) {
					t.Errorf("%s: %s, fold %d: %+v, not %+v", name, x[i].Method, x[i].Fold, x[i], want[i])
				}
			}
		}
	}
	for i, m := range want {
		if m.Failed != "" || m.Recall[tableAt] <= 0 || len(m.Users) != 40 {
			t.Errorf("%d: %+v", i, m)
		}
	}
	// The tastes are obvious, so every method that learns them is far ahead of a list common to all users.
	if popular, ours := want[0].NDCG[0], want[4].NDCG[0]; want[4].Method != "pmlam-hybrid" || ours < 1.5*popular {
		t.Errorf("popularity %v, %s %v", popular, want[4].Method, ours)
	}
}

// Stored measurements are not repeated; those in damaged files are.
func TestStoreIsUsed(t *testing.T) {
	d, kept := blocks(t), store(t)
	var s spy
	methods := some(t, "ease", "bprmf")
	for i := range methods {
		methods[i] = s.on(methods[i])
	}
	first := figures(run(t, d, methods, kept, 1, 1))
	if s.tries != 8 || s.fits != 4 {
		t.Fatalf("%d trials and %d fits, of two methods on two folds", s.tries, s.fits)
	}
	run(t, d, methods, kept, 1, 1)
	if s.tries != 8 || s.fits != 4 {
		t.Fatalf("%d trials and %d fits after a second run", s.tries, s.fits)
	}
	damage := map[string]func(path string) error{
		"cut":     func(path string) error { return os.Truncate(path, 20) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"removed": os.Remove,
		"foreign": func(path string) error {
			return os.WriteFile(path, []byte(`{"number":0,"state":"complete","values":{"lambda":"-1"}}`), 0o644)
		},
		"longer": func(path string) error {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, append(b, '1'), 0o644)
		},
	}
	for name, damage := range damage {
		files := listed(t, kept.Folder)
		if len(files) != 12 {
			t.Fatalf("%d files", len(files))
		}
		for _, path := range files {
			s.tries, s.fits = 0, 0
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			if got := figures(run(t, d, methods, kept, 1, 1)); !reflect.DeepEqual(got, first) {
				t.Errorf("%s: %s: different figures", name, filepath.Base(path))
			}
			if s.tries+s.fits == 0 {
				t.Errorf("%s: %s was used", name, filepath.Base(path))
			}
		}
	}
}

// A stored measurement that is larger than any real one once decompressed is not used, even with the same content.
func TestStoreIsBounded(t *testing.T) {
	d, kept := blocks(t), store(t)
	methods := some(t, "popularity")
	run(t, d, methods, kept, 1, 1)
	files, err := filepath.Glob(filepath.Join(kept.Folder, "*", "measured-*.json.gz"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for padding, fits := range map[int]int{1 << 10: 0, maxFile: 2} {
		for _, path := range files {
			whole, err := unpacked(path)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(whole)
			z.Write(bytes.Repeat([]byte{' '}, padding))
			if err := errors.Join(z.Close(), os.WriteFile(path, b.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		var s spy
		run(t, d, []Method{s.on(methods[0])}, kept, 1, 1)
		if s.fits != fits {
			t.Errorf("with %d spaces behind them %d of 2 were measured again, not %d", padding, s.fits, fits)
		}
	}
}

func unpacked(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Copying one store into another merges them, which is how measurements from elsewhere are continued.
func TestStoresMerge(t *testing.T) {
	d, one, other := blocks(t), store(t), store(t)
	want := figures(run(t, d, some(t, "ease", "bprmf"), nil, 1, 1))
	run(t, d, some(t, "ease"), one, 1, 1)
	run(t, d, some(t, "bprmf"), other, 1, 1)
	if err := os.CopyFS(one.Folder, os.DirFS(other.Folder)); err != nil {
		t.Fatal(err)
	}
	var s spy
	methods := some(t, "ease", "bprmf")
	for i := range methods {
		methods[i] = s.on(methods[i])
	}
	if got := figures(run(t, d, methods, one, 1, 1)); !reflect.DeepEqual(got, want) || s.tries+s.fits > 0 {
		t.Errorf("%d trials and %d fits were made again, and %+v", s.tries, s.fits, got)
	}
}

// listed returns the files under a folder.
func listed(t *testing.T, folder string) (files []string) {
	t.Helper()
	if err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// More trials build on fewer; other settings or data start from nothing.
func TestMoreTrialsGoOn(t *testing.T) {
	d, kept := blocks(t), store(t)
	var s spy
	measure := func(p Protocol, d *Data) []*Measurement {
		s.tries, s.fits = 0, 0
		methods, err := Methods(2, p)
		if err == nil {
			methods, err = Select(methods, []string{"ease"})
		}
		if err != nil {
			t.Fatal(err)
		}
		methods[0] = s.on(methods[0])
		out, err := (&Study{Protocol: p, Units: UnitsOf(d, methods, p), Store: kept}).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	p := Protocol{Folds: 1, Trials: 3, Epochs: 5, Seed: 1, Patience: 4}
	measure(p, d)
	p.Trials = 5
	if out := measure(p, d); s.tries != 2 || len(out[0].Trials) != 5 {
		t.Errorf("%d more trials, %d in all", s.tries, len(out[0].Trials))
	}
	best := 0.0
	out := measure(p, d)
	for _, x := range out[0].Trials {
		best = max(best, x.NDCG)
	}
	if got := out[0].Trials[out[0].Chosen].NDCG; got != best {
		t.Errorf("the trial of %v was chosen, the best has %v", got, best)
	}
	p.Seed = 2
	if measure(p, d); s.tries != 5 {
		t.Errorf("another seed made %d trials", s.tries)
	}
	other, err := NewData(d.Dataset, "blocks", nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	if measure(p, other); s.tries != 5 {
		t.Errorf("other folds made %d trials", s.tries)
	}
}

// A study interrupted anywhere resumes with the same result.
func TestStoppedStudyGoesOn(t *testing.T) {
	d := blocks(t)
	names := []string{"popularity", "ease", "bprmf"}
	want := figures(run(t, d, some(t, names...), nil, 1, 1))
	for after := range 12 {
		kept := store(t)
		ctx, stop := context.WithCancel(context.Background())
		calls := 0
		s := spy{look: func(job) {
			if calls++; calls > after {
				stop()
			}
		}}
		methods := some(t, names...)
		for i := range methods {
			methods[i] = s.on(methods[i])
		}
		out, err := (&Study{Protocol: small, Units: UnitsOf(d, methods, small), Store: kept, Jobs: 1 +
			after%2}).Run(ctx)
		if calls > after && !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d calls: %v", after, err)
		}
		if len(out) != len(want) {
			t.Fatalf("%d measurements", len(out))
		}
		if got := figures(run(t, d, some(t, names...), kept, 1, 1)); !reflect.DeepEqual(got, want) {
			t.Errorf("interrupted after %d calls, the figures differ", after)
		}
	}
}

// No method sees a test item before its measurement, and a validation part lies within the training part.
func TestNothingSeesTheTestPart(t *testing.T) {
	d := blocks(t)
	fold := 0
	s := spy{look: func(w job) {
		split := d.Split(fold)
		if !reflect.DeepEqual(w.train, split.Train) {
			t.Error("a method learns from data outside the training part")
		}
		for u := range split.Test.Rows() {
			for _, i := range split.Test.Row(u) {
				if w.train.Contains(u, i) {
					t.Fatalf("user %d's test item %d is in the training data", u, i)
				}
			}
		}
	}}
	for _, m := range some(t) {
		if m.Name == "ncf" || m.Name == "deepae" {
			continue // slow ones; the wiring is the same
		}
		m := s.on(m)
		p := Protocol{Folds: 1, Trials: 1, Epochs: 2, Seed: 1, Patience: 4}
		if _, err := (&Study{Protocol: p, Units: UnitsOf(d, []Method{m}, p)}).Run(context.Background()); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if s.fits < 12 {
		t.Errorf("only %d methods were fitted", s.fits)
	}
}

// A method that refuses the data or diverges leaves a gap with the reason, and all others are measured.
func TestFailuresAreTold(t *testing.T) {
	d := blocks(t)
	methods := some(t, "popularity", "ease", "bprmf")
	methods[1].fit = func(context.Context, job, *choose.Trial) (eval.Scorer, error) {
		return nil,
			errors.New("too many items")
	}
	methods[2].try = func(_ context.Context, _ job, v map[string]string) (choose.Trial, error) {
		return choose.Trial{State: choose.Diverged, Values: v}, nil
	}
	study := &Study{Protocol: small, Units: UnitsOf(d, methods, small), Store: store(t)}
	out, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Failed != "" || out[1].Failed != "too many items" || out[2].Failed != "diverged in all trials" {
		t.Errorf("%q, %q, %q", out[0].Failed, out[1].Failed, out[2].Failed)
	}
	text := Table2(Outcomes(study.Units, out), small)[0].Markdown()
	for _, want := range []string{"| EASE^R | – | – | 0 of 5 |", "EASE^R: too many items.",
		"BPRMF: diverged in all trials."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// A store that cannot be written to ends the study with the reason.
func TestStoreThatFails(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := blocks(t)
	bad := store(t)
	bad.Folder = file
	for _, name := range []string{"popularity", "ease"} {
		_, err := (&Study{Protocol: small, Units: UnitsOf(d, some(t, name), small),
			Store: bad}).Run(context.Background())
		if !errors.Is(err, errStore) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProgressTellsTheTimeLeft(t *testing.T) {
	d := blocks(t)
	var all []Progress
	methods := some(t, "popularity", "ease", "bprmf")
	study := &Study{Protocol: small, Units: UnitsOf(d, methods, small), Report: func(p Progress) {
		all = append(all,
			p)
	}}
	if _, err := study.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, p := range all {
		if p.Done != i+1 || p.Total != 6 || (p.Left > 0) != (i < 5) || p.Outcome == nil {
			t.Errorf("%d: %+v", i, p)
		}
	}
	if len(all) != 6 {
		t.Errorf("%d reports", len(all))
	}
}

func TestProtocolIsChecked(t *testing.T) {
	if err := Defaults.Check(); err != nil {
		t.Error(err)
	}
	for _, p := range []Protocol{{}, {6, 1, 1, 1, 1}, {5, 0, 1, 1, 1}, {5, MaxTrials + 1, 1, 1, 1}, {5, 1, 0, 1, 1},
		{5, 1, 1, 1 << 60, 1}, {5, 1, 1, 1, 0}} {
		if p.Check() == nil {
			t.Errorf("%+v passes", p)
		}
	}
}

// Stored results are returned even if earlier units are not measured and no time is left.
func TestKeptIsReadFirst(t *testing.T) {
	d, kept := blocks(t), store(t)
	methods := some(t, "ease", "bprmf")
	run(t, d, methods[1:], kept, 1, 1)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	out, err := (&Study{Protocol: small, Units: UnitsOf(d, methods, small), Store: kept}).Run(ctx)
	if !errors.Is(err, context.Canceled) || out[0] != nil || out[1] == nil || out[2] != nil || out[3] == nil {
		t.Errorf("%v, %v", err, out)
	}
}
