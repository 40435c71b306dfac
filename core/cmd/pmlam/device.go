package main

import (
	"errors"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// device is the flag that says where to compute, and what it names once it is open.
type device struct {
	flag string
	*pmlam.Device
}

// deviceNames are what a shell offers; there may be more GPUs.
var deviceNames = []string{"cpu", "cuda:0"}

// register adds the flag to a group.
func (d *device) register(g *group) *group {
	g.StringVar(&d.flag, "device", "cpu", "where to train and rank: cpu, or cuda:0 for an NVIDIA GPU, where this "+
		"program was built with them (docs/gpu.md)")
	g.placeholder("NAME", "device")
	return g
}

// open opens what the flag names, before anything is read. The caller closes it.
func (d *device) open() (err error) {
	d.Device, err = pmlam.OpenDevice(d.flag)
	if errors.As(err, new(*pmlam.DeviceNameError)) {
		return usagef("--device: %w", err)
	}
	return err
}

// openAll opens what the flag names so many times, for work that goes on side by side: a device is not safe for
// concurrent use. They are closed by closeAll.
func (d *device) openAll(n int) (all []*pmlam.Device, err error) {
	for range n {
		one := device{flag: d.flag}
		if err := one.open(); err != nil {
			closeAll(all)
			return nil, err
		}
		all = append(all, one.Device)
	}
	return all, nil
}

func closeAll(all []*pmlam.Device) {
	for _, d := range all {
		d.Close()
	}
}

// distance returns the scorer by distance: on the device, unless the model has item links, which are computed on the
// processor.
func (d *device) distance(users, items *gaussian.Table, part *model.ItemLinks) eval.Scorer {
	if part != nil {
		return eval.NewW2(users, items)
	}
	return d.Scorer(users, items)
}
