//go:build gpu && linux

package pmlam

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cuda/standin"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
	"github.com/pmlam/pmlam/core/training"
)

// Warps run in any order, and the bits are the same. A closed device holds no memory. With PMLAM_GPU the machine's own
// GPU must also give these bits: sums have the same order, and every operation specifies its rounding.
func TestDeviceBitsDoNotDependOnTheOrderOfWarps(t *testing.T) {
	driver, m := standin.Use(t), clustered(40, 60, 12)
	want := map[string]string{}
	run := func(name string, c Config, how string) {
		d := opened(t)
		trainer := newTrainer(t, m, c, 2)
		trainer.Use(d)
		if _, err := trainer.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if got := trainer.Fingerprint(); want[name] == "" {
			want[name] = got
		} else if got != want[name] {
			t.Errorf("%s: %s the training ended with %s, but in ascending order with %s", name, how, got, want[name])
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if n := driver.Get("blocks"); n != 0 {
			t.Errorf("%s: %d blocks are not freed", name, n)
		}
	}
	all := onDevice(t)
	for name, c := range all {
		for order, how := range []string{"in ascending order", "in descending order", "in strides"} {
			driver.Set("order", order)
			run(name, c.Config, how)
		}
	}
	if os.Getenv("PMLAM_GPU") == "" {
		return
	}
	t.Setenv("PMLAM_CUDA_LIBRARY", "")
	for name, c := range all {
		run(name, c.Config, "on this machine's GPU")
	}
}

// An epoch uploads the order of the pairs and their anchors, and downloads a few figures, whatever the size of the
// model.
func TestDeviceTheBusCarriesTheScheduleOnly(t *testing.T) {
	driver, m := standin.Use(t), clustered(40, 60, 12)
	for name, c := range onDevice(t) {
		trainer := newTrainer(t, m, c.Config, 2)
		trainer.Use(opened(t))
		var sent, taken int
		steps := trainer.Batches()
		trainer.Watch = func(done, _ int) {
			switch done {
			case steps:
				sent, taken = driver.Get("to_device"), driver.Get("to_host")
			case 2 * steps:
				want, most := 4*len(trainer.pairs), 4*len(trainer.pairs)
				if c.UserParts > 0 { // the anchor of each pair, and for each anchor (fewer than pairs) its first
					want, most = 2*want, 3*want+4*steps
				}
				if got := driver.Get("to_device") - sent; got < want || got > most {
					t.Errorf("%s: an epoch uploaded %d bytes, not between %d and %d", name, got, want, most)
				}
				if got, want := driver.Get("to_host")-taken, 104*steps; got != want {
					t.Errorf("%s: an epoch downloaded %d bytes, not %d", name, got, want)
				}
			}
		}
		if _, err := trainer.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A training can move between devices by its checkpoints. If it stays on the GPU, it has the same bits as an
// uninterrupted training.
func TestDeviceCheckpointsMove(t *testing.T) {
	standin.OrReal(t)
	d, m := opened(t), clustered(40, 60, 12)
	for name, c := range onDevice(t) {
		run := func(devices ...*Device) *Trainer {
			var trainer *Trainer
			fs := &durabletest.Memory{}
			for i, on := range devices {
				trainer = newTrainer(t, m, c.Config, 2)
				keep(t, trainer, training.Checkpoints{FS: fs})
				trainer.Use(on)
				if i < len(devices)-1 {
					cut(t, trainer, 5*(i+1))
				} else if _, err := trainer.Run(context.Background(), nil); err != nil {
					t.Fatal(err)
				}
			}
			return trainer
		}
		want := tensors(run(nil))
		for i, x := range tensors(run(d, nil, d, nil)) {
			if norm, _ := apart(x.values, want[i].values); norm > afterMany {
				t.Errorf("%s: %s differs by %.1e after moving three times", name, x.name, norm)
			}
		}
		if whole, parts := run(d), run(d, d, d); whole.Fingerprint() != parts.Fingerprint() {
			t.Errorf("%s: a training stopped twice ended with %s, but an uninterrupted one with %s", name,
				parts.Fingerprint(), whole.Fingerprint())
		}
	}
}

// A validation ranks on the device and chooses the same epoch.
func TestDeviceValidates(t *testing.T) {
	standin.OrReal(t)
	d, m := opened(t), clustered(40, 60, 15)
	for name, c := range onDevice(t) {
		c.Validation, c.Every, c.Epochs = 0.2, 1, 4
		cpu, gpu := newTrainer(t, m, c.Config, 2), newTrainer(t, m, c.Config, 2)
		gpu.Use(d)
		want, err := cpu.Run(context.Background(), nil)
		got, failed := gpu.Run(context.Background(), nil)
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		if got.Epoch != want.Epoch || math.Abs(got.ValidationNDCG-want.ValidationNDCG) > 1e-3 {
			t.Errorf("%s: epoch %d with %.4f, on the CPU epoch %d with %.4f", name, got.Epoch, got.ValidationNDCG,
				want.Epoch, want.ValidationNDCG)
		}
	}
}
