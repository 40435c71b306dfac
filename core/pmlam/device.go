package pmlam

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/training"
)

// Device is a GPU that trains and ranks instead of the CPU. nil is the CPU. It is not safe for concurrent use, except
// for its Scorer.
//
// Results are the same on both up to the rounding of sums. The checkpoint format is the same, so a training can move
// from one to the other and back.
type Device struct{ backend }

// OpenDevice returns the device of a name: nil for "cpu", and NVIDIA's GPU number N, from 0, for "cuda:N". The error is
// a *DeviceNameError for other names; otherwise it says why the GPU is not usable, for example because this program was
// built without GPU support.
func OpenDevice(name string) (*Device, error) {
	if name == "cpu" {
		return nil, nil
	}
	number, ok := strings.CutPrefix(name, "cuda:")
	n, err := strconv.ParseUint(number, 10, 8)
	if !ok || err != nil {
		return nil, &DeviceNameError{name}
	}
	b, err := openBackend(int(n))
	if err != nil {
		return nil, fmt.Errorf("cannot use the device %s: %w", name, err)
	}
	return &Device{b}, nil
}

// DeviceNameError reports an unknown device name.
type DeviceNameError struct{ Name string }

func (e *DeviceNameError) Error() string {
	return fmt.Sprintf("unknown device %q; use cpu, or cuda:0 for the first NVIDIA GPU, cuda:1 for the second",
		brief.Text(e.Name))
}

func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	return d.close()
}

// String returns the device's display name: "cpu", "cuda:0 (NVIDIA H100)".
func (d *Device) String() string {
	if d == nil {
		return "cpu"
	}
	return d.name()
}

// Scorer returns a scorer of users and items by their distance, which computes lists for eval.Evaluate on the device.
// The lists equal eval.NewW2's, up to the order of ties. Only one such scorer is in use at a time.
func (d *Device) Scorer(users, items *gaussian.Table) eval.Scorer {
	if d == nil {
		return eval.NewW2(users, items)
	}
	return d.scorer(eval.NewW2(users, items), users, items)
}

// Use makes the training run on d. Call it before Run.
func (t *Trainer) Use(d *Device) { t.device = d }

// LostError reports that a training ended because its device failed. Progress since the last checkpoint is lost.
type LostError struct {
	Epoch, Batch int // both from 1
	Err          error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("the device failed in epoch %d, batch %d, and all progress since the last checkpoint is "+
		"lost: %v", e.Epoch, e.Batch, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }

// remote is a training's state on a device.
type remote interface {
	// step does the work of method.Step.
	step(b *training.Batch) error
	// fetch copies the state to the trainer's tensors.
	fetch() error
	// release frees the device's memory.
	release() error
}

// lost wraps an error of the device.
func (t *Trainer) lost(err error) error {
	return &LostError{Epoch: t.now.Epoch + 1, Batch: t.now.From/t.cfg.Batch + 1, Err: err}
}

// remoteState returns the state on the device. The first step uploads it.
func (t *Trainer) remoteState() (remote, error) {
	if t.remote == nil {
		if t.held != nil {
			return nil, errors.New("Hold works only on the CPU, not on a device")
		}
		r, err := t.device.start(t)
		if err != nil {
			return nil, fmt.Errorf("cannot start the training on %s: %w", t.device, err)
		}
		t.remote = r
	}
	return t.remote, nil
}

func (m *method) Fetch() error {
	if m.remote == nil {
		return nil
	}
	if err := m.remote.fetch(); err != nil {
		return (*Trainer)(m).lost(err)
	}
	return nil
}

// leaveDevice copies the state back from the device and frees it there, at the end of Run; err is Run's. ok is false if
// the learned state is lost.
func (t *Trainer) leaveDevice(err error) (ok bool, _ error) {
	if t.remote == nil {
		return true, err
	}
	var gone *LostError
	ok = !errors.As(err, &gone)
	if ok {
		if failed := (*method)(t).Fetch(); failed != nil {
			ok = false
			if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				err = failed
			}
		}
	}
	failed := t.remote.release()
	t.remote = nil
	if ok && err == nil && failed != nil {
		err = t.lost(failed)
	}
	return ok, err
}
