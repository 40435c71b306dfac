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

// DeviceError ends a study because a device failed or could not do its task, which says nothing about a method. Results
// so far are kept, including checkpoints of the running training.
type DeviceError struct{ Err error }

func (e *DeviceError) Error() string { return e.Err.Error() }

func (e *DeviceError) Unwrap() error { return e.Err }

// on returns d if the method trains on devices; otherwise nil, the processor. Only PMLAM trains on devices.
func (m *Method) on(d *pmlam.Device) *pmlam.Device {
	if _, ours := m.settings.(choose.Settings); ours {
		return d
	}
	return nil
}

// failed wraps an error of training or ranking in a *DeviceError if the job's device may have caused it: settings that
// fail on the processor too are excluded. The caller checks the end of the context first.
func (w job) failed(err error) error {
	ofSettings := training.Diverged(err) || errors.As(err, new(*training.CollapseError)) ||
		errors.As(err, new(*eval.NaNError)) || errors.As(err, new(*pmlam.ConfigError))
	ofStore := errors.Is(err, errStore) || errors.As(err, new(*training.CheckpointError))
	if err == nil || w.device == nil || ofSettings || ofStore {
		return err
	}
	return &DeviceError{err}
}

// deviceName returns the job's device as results name it: "cuda:0 (NVIDIA H100)"; "" is the processor.
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
