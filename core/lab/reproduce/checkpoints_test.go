package reproduce

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// looks is a context that counts the checks for its end, which a training makes before every batch, and ends the study
// at a given check.
type looks struct {
	context.Context
	n    *int
	last int // the check at which it ends; 0: none
	stop context.CancelFunc
}

func (c looks) Err() error {
	if *c.n++; *c.n == c.last {
		c.stop()
	}
	return c.Context.Err()
}

// looked runs a study of the method, stopped at a check of its trials and fits, and returns the number of checks.
func looked(t *testing.T, d *Data, m Method, kept *Store, last int) (out []*Measurement, n int) {
	t.Helper()
	return lookedOn(t, d, m, kept, last, nil)
}

// lookedOn is looked on devices.
func lookedOn(t *testing.T, d *Data, m Method, kept *Store, last int, devices []*pmlam.Device) (
	out []*Measurement, n int) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	try, fit := m.try, m.fit
	m.try = func(ctx context.Context, w job, v map[string]string) (choose.Trial, error) {
		return try(looks{ctx, &n, last, stop}, w, v)
	}
	m.fit = func(ctx context.Context, w job, x *choose.Trial) (eval.Scorer, error) {
		return fit(looks{ctx, &n, last, stop}, w, x)
	}
	p := Protocol{Folds: 1, Trials: 1, Epochs: 20, Seed: 1, Patience: 4}
	out, err := (&Study{Protocol: p, Units: UnitsOf(d, []Method{m}, p), Store: kept, Devices: devices}).Run(ctx)
	if last > 0 != errors.Is(err, context.Canceled) {
		t.Fatalf("stopped at check %d of %d: %v", last, n, err)
	}
	return out, n
}

// An interrupted training resumes from its checkpoint, in a trial and in the last training, with the same figures;
// checkpoints are removed at its end. Damaged ones count as missing.
func TestCutTrainingLosesNothing(t *testing.T) {
	d := blocks(t)
	ablation, err := Ablation(2, small)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(some(t, "bprmf"), ablation[2]) {
		uncut, all := looked(t, d, m, store(t), 0)
		for _, last := range []int{all / 4, all / 2, 3 * all / 4, all - 1} {
			kept := store(t)
			looked(t, d, m, kept, last)
			if len(checkpoints(t, kept)) == 0 {
				t.Errorf("%s, stopped at check %d of %d: no checkpoint", m.Name, last, all)
			}
			// A training starts with some checks besides the remaining ones.
			out, n := looked(t, d, m, kept, 0)
			if n > all-last+8 {
				t.Errorf("%s, stopped at check %d of %d, took %d more", m.Name, last, all, n)
			}
			if !reflect.DeepEqual(figures(out), figures(uncut)) {
				t.Errorf("%s, stopped at check %d of %d: different figures", m.Name, last, all)
			}
			if left := checkpoints(t, kept); len(left) > 0 {
				t.Errorf("%s: %v are left", m.Name, left)
			}
		}
		kept := store(t)
		looked(t, d, m, kept, all/2)
		for _, path := range checkpoints(t, kept) {
			if err := os.Truncate(path, 100); err != nil {
				t.Fatal(err)
			}
		}
		if out, _ := looked(t, d, m, kept, 0); !reflect.DeepEqual(figures(out), figures(uncut)) {
			t.Errorf("%s: different figures after damaged checkpoints", m.Name)
		}
	}
}

// checkpoints returns the checkpoints in a store.
func checkpoints(t *testing.T, s *Store) (paths []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.Folder, "*", "under-way-*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// A first trial and its measurement do not depend on the space of the others.
func TestOtherSpaceKeepsTheFirstTrial(t *testing.T) {
	d, kept := blocks(t), store(t)
	var s spy
	measure := func(trials int, space tune.Space) {
		t.Helper()
		m := some(t, "rp3beta", "bprmf")
		for i := range m {
			m[i] = s.on(m[i])
			if space != nil {
				m[i].Space, m[i].first = space, map[string]string{space[0].Name: "0.001"}
			}
		}
		s.tries, s.fits = 0, 0
		p := Protocol{Folds: 1, Trials: trials, Epochs: 10, Seed: 1, Patience: 4}
		units := UnitsOf(d, m, p)
		if space != nil {
			units = units[1:]
		}
		if _, err := (&Study{Protocol: p, Units: units, Store: kept}).Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	measure(1, nil)
	measure(3, nil)
	if s.tries != 3+2 { // with one trial a method without epochs has none
		t.Errorf("%d trials more", s.tries)
	}
	other := tune.Space{{Name: "lr", Low: 0.0001, High: 0.1, Log: true}}
	if measure(1, other); s.tries != 0 || s.fits != 0 {
		t.Errorf("one trial of another space: %d trials, %d fits", s.tries, s.fits)
	}
	if measure(3, other); s.tries != 2 {
		t.Errorf("three trials of another space: %d made", s.tries)
	}
	if measure(3, nil); s.tries != 0 || s.fits != 0 {
		t.Errorf("back in the first space: %d trials, %d fits", s.tries, s.fits)
	}
}

// Too many items for EASE^R cost only EASE^R its figures, and the table has the reason.
func TestTooManyItemsForEASE(t *testing.T) {
	const items = 50001
	d, err := NewData(made(t, "many", items, row(10), row(12), []int32{items - 1, 3, 5, 7, 9, 11}), "many", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := Protocol{Folds: 1, Trials: 2, Epochs: 5, Seed: 1, Patience: 4}
	units := UnitsOf(d, some(t, "popularity", "ease"), p)
	out, err := (&Study{Protocol: p, Units: units, Store: store(t)}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	text := Table2(Outcomes(units, out), p)[0].Markdown()
	for _, want := range []string{"| EASE^R | – | – | 0 of 5 |", "EASE^R: EASE inverts an item-by-item matrix",
		"50001 items would need 10.0 GB; at most 50000 items are accepted"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if out[0].Failed != "" || !(out[0].Recall[tableAt] > 0) {
		t.Errorf("popularity: %+v", out[0])
	}
}
