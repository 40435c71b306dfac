package cli

import (
	"errors"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// Device is the flag that says where to compute, and what it names once it is open.
type Device struct {
	Flag string
	*pmlam.Device
}

// DeviceNames are what a shell offers; there may be more GPUs.
var DeviceNames = []string{"cpu", "cuda:0"}

// Register adds the flag to a group.
func (d *Device) Register(g *Group) *Group {
	g.StringVar(&d.Flag, "device", "cpu", "where to train and rank: cpu, or cuda:0 for an NVIDIA GPU, where this "+
		"program was built with them (docs/gpu.md)")
	g.Placeholder("NAME", "device")
	return g
}

// Open opens what the flag names, before anything is read. The caller closes it.
func (d *Device) Open() (err error) {
	d.Device, err = pmlam.OpenDevice(d.Flag)
	if errors.As(err, new(*pmlam.DeviceNameError)) {
		return Usagef("--device: %w", err)
	}
	return err
}

// OpenAll opens what the flag names so many times, for work that goes on side by side: a device is not safe for
// concurrent use. They are closed by closeAll.
func (d *Device) OpenAll(n int) (all []*pmlam.Device, err error) {
	for range n {
		one := Device{Flag: d.Flag}
		if err := one.Open(); err != nil {
			CloseAll(all)
			return nil, err
		}
		all = append(all, one.Device)
	}
	return all, nil
}

// CloseAll closes the devices that OpenAll opened.
func CloseAll(all []*pmlam.Device) {
	for _, d := range all {
		d.Close()
	}
}

// Distance returns the scorer by distance: on the device, unless the model has item links, which are computed on the
// processor.
func (d *Device) Distance(users, items *gaussian.Table, part *model.ItemLinks) eval.Scorer {
	if part != nil {
		return eval.NewW2(users, items)
	}
	return d.Scorer(users, items)
}
