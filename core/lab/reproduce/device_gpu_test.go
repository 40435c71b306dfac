//go:build gpu && linux

package reproduce

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cuda/standin"
	"github.com/pmlam/pmlam/core/pmlam"
)

// open opens n stand-in devices.
func open(t *testing.T, n int) (all []*pmlam.Device) {
	t.Helper()
	for range n {
		d, err := pmlam.OpenDevice("cuda:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		all = append(all, d)
	}
	return all
}

// near fails if two measurements have other settings, or differ by more than rounding.
func near(t *testing.T, name string, got, want *Measurement) {
	t.Helper()
	if got.Trials[0].Epochs != want.Trials[0].Epochs {
		t.Errorf("%s: %d epochs were chosen, and %d on the processor", name, got.Trials[0].Epochs, want.Trials[0].Epochs)
	}
	for at, k := range Ks {
		if a, b := got.NDCG[at], want.NDCG[at]; math.Abs(a-b) > 0.005 {
			t.Errorf("%s: NDCG@%d is %.4f on the device and %.4f on the processor", name, k, a, b)
		}
	}
}

// The rows of Table 3 and of the bounds have the same figures on the device, with one job and with several, each with
// its own device. Its measurements are found without a device, and name it.
func TestDeviceReproduces(t *testing.T) {
	driver := standin.Use(t)
	d, p := blocks(t), Protocol{Folds: 1, Trials: 1, Epochs: 20, Seed: 1, Patience: 4}
	rows, err := Ablation(2, p)
	if err != nil {
		t.Fatal(err)
	}
	bounds, err := Bounds(2, p, "stddev-2", "joint-smooth", "adaptive")
	if err != nil {
		t.Fatal(err)
	}
	units := UnitsOf(d, append(append(rows, bounds...), some(t, "popularity", "bprmf", "pmlam-hybrid")...), p)
	study := Study{Protocol: p, Units: units, Store: store(t)}
	want, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []int{1, 3} {
		study.Jobs, study.Store, study.Devices = jobs, store(t), open(t, jobs)
		got, err := study.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range got {
			if units[i].Method.Kind != Ours {
				if m.Device != "" {
					t.Errorf("%s was learned on %s", m.Method, m.Device)
				}
				continue
			}
			near(t, m.Method, m, want[i])
			if m.Device != "cuda:0 (Stand-in)" || m.Heap != 0 || m.Trials[0].Note != "on cuda:0 (Stand-in)" {
				t.Errorf("%s was learned on %q, with %d bytes; its trial has the note %q", m.Method, m.Device, m.Heap,
					m.Trials[0].Note)
			}
		}
	}
	before := driver.Get("launches")
	study.Devices = nil
	again, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range again {
		if !m.kept || units[i].Method.Kind == Ours != (m.Device != "") {
			t.Errorf("%s: it was measured again, or trained on %q", m.Method, m.Device)
		}
	}
	if text := Table3(Outcomes(units, again)[:8], p).Notes; driver.Get("launches") != before ||
		!strings.Contains(strings.Join(text, "\n"), "Devices of the 8 results: 8 on cuda:0 (Stand-in).") {
		t.Errorf("the notes are %q", text)
	}
}

// A training stopped on one resumes on the other, and loses nothing.
func TestDeviceGoesOn(t *testing.T) {
	standin.Use(t)
	d := blocks(t)
	ablation, err := Ablation(2, small)
	if err != nil {
		t.Fatal(err)
	}
	m, devices := ablation[2], open(t, 1)
	want, all := lookedOn(t, d, m, store(t), 0, nil)
	for _, last := range []int{all / 4, 3 * all / 4} { // in the trial, and in the last training
		for _, first := range [][]*pmlam.Device{nil, devices} {
			second := devices
			if first != nil {
				second = nil
			}
			kept := store(t)
			lookedOn(t, d, m, kept, last, first)
			if len(checkpoints(t, kept)) == 0 {
				t.Errorf("stopped at check %d of %d: no checkpoint", last, all)
			}
			got, n := lookedOn(t, d, m, kept, 0, second)
			if n > all-last+8 {
				t.Errorf("stopped at check %d of %d, took %d more", last, all, n)
			}
			near(t, m.Name, got[0], want[0])
		}
	}
}

// A failing device ends the study. Its unit is measured once the device works again.
func TestDeviceThatFailsIsNoResult(t *testing.T) {
	driver := standin.Use(t)
	d, p := blocks(t), Protocol{Folds: 1, Trials: 1, Epochs: 10, Seed: 1, Patience: 4}
	rows, err := Ablation(2, p)
	if err != nil {
		t.Fatal(err)
	}
	study := Study{Protocol: p, Units: UnitsOf(d, rows[:2], p), Store: store(t), Devices: open(t, 1)}
	if _, err := study.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole := driver.Get("launches") - 1 // without the one that opened the device
	for _, jobs := range []int{1, 2} {
		for _, after := range []int{0, whole / 4, whole / 2, whole - 1} {
			driver.Set("reset", 0)
			driver.Set("lost_after", after+jobs) // opening one is a launch
			study.Jobs, study.Store, study.Devices = jobs, store(t), open(t, jobs)
			out, err := study.Run(context.Background())
			if !errors.As(err, new(*DeviceError)) || !strings.Contains(err.Error(), " on blocks, "+
				"fold 0: ") || !strings.Contains(err.Error(), "CUDA_ERROR_ILLEGAL_ADDRESS") {
				t.Fatalf("lost after %d of %d launches: %v", after, whole, err)
			}
			for _, m := range out {
				if m != nil && m.Failed != "" {
					t.Errorf("lost after %d of %d launches: %s", after, whole, m.Failed)
				}
			}
			driver.Set("reset", 0)
			study.Devices = open(t, jobs)
			if out, err = study.Run(context.Background()); err != nil || out[0].Failed+out[1].Failed != "" {
				t.Errorf("it does not resume: %v", err)
			}
		}
	}
	driver.Set("reset", 0)
	study.Jobs, study.Store, study.Devices = 1, store(t), open(t, 1)
	driver.Set("memory", 1<<16)
	if _, err := study.Run(context.Background()); !errors.As(err, new(*DeviceError)) ||
		!strings.Contains(err.Error(), "cannot start the training on cuda:0 (Stand-in): ") {
		t.Errorf("a full device: %v", err)
	}
}

// Methods other than PMLAM train on the processor.
func TestWhatADeviceDoesNotTrain(t *testing.T) {
	driver := standin.Use(t)
	study := Study{Protocol: small, Units: UnitsOf(blocks(t), some(t, "ease"), small), Devices: open(t, 1)}
	before := driver.Get("launches")
	out, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range out {
		if m.Failed != "" || m.Device != "" || driver.Get("launches") != before {
			t.Errorf("%s, on %q: %s", m.Method, m.Device, m.Failed)
		}
	}
}
