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

// Device is a GPU that trains and ranks in the processor's place. nil is the processor. It is not safe for concurrent
// use, except for its Scorer.
//
// The result is the same on both but for the rounding of sums, and so is the format of checkpoints: a training may move
// from one to the other and back.
type Device struct{ backend }

// OpenDevice returns the device of that name: nil for "cpu", and for "cuda:N" NVIDIA's GPU number N, from 0. The
// error is a *DeviceNameError for another name, and else says why the GPU cannot be used: this program may have been
// built without.
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
		return nil, fmt.Errorf("the device %s cannot be used: %w", name, err)
	}
	return &Device{b}, nil
}

// DeviceNameError says that there is no device of a name.
type DeviceNameError struct{ Name string }

func (e *DeviceNameError) Error() string {
	return fmt.Sprintf("there is no device %q: it must be cpu, or cuda:0 for the first of NVIDIA's GPUs, cuda:1 for "+
		"the next", brief.Text(e.Name))
}

// Close releases the device.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	return d.close()
}

// String returns the device's name for people: "cpu", "cuda:0 (NVIDIA H100)".
func (d *Device) String() string {
	if d == nil {
		return "cpu"
	}
	return d.name()
}

// Scorer returns the scorer of users and items by their distance, which eval.Evaluate asks for lists on the device.
// The lists are those of eval.NewW2, to the order of ties. One at a time is in use.
func (d *Device) Scorer(users, items *gaussian.Table) eval.Scorer {
	if d == nil {
		return eval.NewW2(users, items)
	}
	return d.scorer(eval.NewW2(users, items), users, items)
}

// Use makes the steps of the training run on d; it is called before Run.
func (t *Trainer) Use(d *Device) { t.device = d }

// LostError says that a training ended because its device failed. What was learned since the last checkpoint is lost.
type LostError struct {
	Epoch, Batch int // both from 1
	Err          error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("the device failed in epoch %d, batch %d, and what was learned since the last checkpoint is "+
		"lost: %v", e.Epoch, e.Batch, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }

// remote is a training's state on a device.
type remote interface {
	// step does what method.Step does.
	step(b *training.Batch) error
	// fetch brings the state to the trainer's tensors.
	fetch() error
	// release frees the device's memory.
	release() error
}

// lost wraps an error of the device.
func (t *Trainer) lost(err error) error {
	return &LostError{Epoch: t.now.Epoch + 1, Batch: t.now.From/t.cfg.Batch + 1, Err: err}
}

// remoteState returns the state on the device, where the first step brings it.
func (t *Trainer) remoteState() (remote, error) {
	if t.remote == nil {
		if t.held != nil {
			return nil, errors.New("a device trains all rows, and this training holds some")
		}
		r, err := t.device.start(t)
		if err != nil {
			return nil, fmt.Errorf("the training cannot begin on %s: %w", t.device, err)
		}
		t.remote = r
	}
	return t.remote, nil
}

// Fetch implements training.Remote.
func (m *method) Fetch() error {
	if m.remote == nil {
		return nil
	}
	if err := m.remote.fetch(); err != nil {
		return (*Trainer)(m).lost(err)
	}
	return nil
}

// leaveDevice fetches the state from the device and frees it there, when a Run is over; err is Run's. ok is false where
// what was learned is lost.
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
