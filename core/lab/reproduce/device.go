package reproduce

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// DeviceError says that a study ended because a device failed, or could not do what it was asked for: that is no result
// of a method. What was kept until then stays, checkpoints of what was under way too.
type DeviceError struct{ Err error }

func (e *DeviceError) Error() string { return e.Err.Error() }

func (e *DeviceError) Unwrap() error { return e.Err }

// on returns the device that the method trains on where d is given: d, or the processor where the method is no PMLAM.
func (m *Method) on(d *pmlam.Device) *pmlam.Device {
	if _, ours := m.settings.(choose.Settings); ours {
		return d
	}
	return nil
}

// failed makes an error of training or ranking a *DeviceError where the job's device may be to blame: not for what the
// settings lead to on the processor too. Whether the context has ended is looked at before.
func (w job) failed(err error) error {
	ofSettings := training.Diverged(err) || errors.As(err, new(*training.CollapseError)) ||
		errors.As(err, new(*eval.NaNError)) || errors.As(err, new(*pmlam.ConfigError))
	ofStore := errors.Is(err, errStore) || errors.As(err, new(*training.CheckpointError))
	if err == nil || w.device == nil || ofSettings || ofStore {
		return err
	}
	return &DeviceError{err}
}

// deviceName is how results name the job's device: "cuda:0 (NVIDIA H100)"; "" is the processor.
func (w job) deviceName() string {
	if w.device == nil {
		return ""
	}
	return w.device.String()
}

// noteDevice records the trial's device; trials on the processor have no such note.
func (w job) noteDevice(t *choose.Trial) {
	if w.device != nil {
		t.Note = strings.TrimPrefix(t.Note+"; on "+w.deviceName(), "; ")
	}
}

// devices returns the number of measurements on each device; "" is the processor.
func (o *Outcome) devices() map[string]int {
	on := map[string]int{}
	for k, m := range o.Folds {
		if o.has(k) {
			on[m.Device]++
		}
	}
	return on
}

// deviceNote returns the note below a table with results from a GPU; none where all were trained on the processor.
func deviceNote(all []*Outcome) []string {
	on, measured := map[string]int{}, 0
	for _, o := range all {
		for name, n := range o.devices() {
			on[name] += n
			measured += n
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(on)) {
		parts = append(parts, fmt.Sprintf("%d on %s", on[name], cmp.Or(name, "the processor")))
	}
	if on[""] == measured {
		return nil
	}
	return []string{fmt.Sprintf("Devices of the %d results: %s. Seconds on different devices are not comparable, so "+
		"rows that mix devices have none.", measured, strings.Join(parts, ", "))}
}
