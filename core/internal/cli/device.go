package cli

import (
	"errors"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// Device is the flag that names a computing device, and the device once it is open.
type Device struct {
	Flag string
	*pmlam.Device
}

// DeviceNames are the names for shell completion; a machine may have more GPUs.
var DeviceNames = []string{"cpu", "cuda:0"}

// Register adds the flag to a group.
func (d *Device) Register(g *Group) *Group {
	g.StringVar(&d.Flag, "device", "cpu", "where to train and rank: cpu, or cuda:0 for an NVIDIA GPU if this "+
		"program was built for one (docs/gpu.md)")
	g.Placeholder("NAME", "device")
	return g
}

// Open opens the named device, before any data are read. The caller closes it.
func (d *Device) Open() (err error) {
	d.Device, err = pmlam.OpenDevice(d.Flag)
	if errors.As(err, new(*pmlam.DeviceNameError)) {
		return Usagef("--device: %w", err)
	}
	return err
}

// OpenAll opens the named device n times for concurrent work, since a device is not safe for concurrent use. CloseAll
// closes them.
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

// Distance returns the scorer by distance. It runs on the device, unless the model has item links, which are computed
// on the processor.
func (d *Device) Distance(users, items *gaussian.Table, part *model.ItemLinks) eval.Scorer {
	if part != nil {
		return eval.NewW2(users, items)
	}
	return d.Scorer(users, items)
}
