//go:build gpu && linux

package pmlam

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cuda/standin"
)

// opened returns the stand-in's device.
func opened(t *testing.T) *Device {
	t.Helper()
	d, err := OpenDevice("cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// after trains for the given number of steps on d (nil: the CPU) and returns the trainer.
func after(t *testing.T, m *dataset.Matrix, c Config, d *Device, steps int) *Trainer {
	t.Helper()
	trainer := newTrainer(t, m, c, 2)
	c.Epochs = (steps + trainer.Batches() - 1) / trainer.Batches()
	trainer = newTrainer(t, m, c, 2)
	trainer.Use(d)
	if steps%trainer.Batches() == 0 {
		if _, err := trainer.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	} else {
		cut(t, trainer, steps)
	}
	return trainer
}

type tensor struct {
	name   string
	values []float32
}

func tensors(t *Trainer) (all []tensor) {
	(*method)(t).Tensors(func(name string, values []float32, _ bool) {
		all = append(all, tensor{name, slices.Clone(values)})
	})
	return all
}

// apart returns ‖a−b‖/‖b‖ of two tensors, and the largest difference relative to the largest value.
func apart(a, b []float32) (norm, most float64) {
	var difference, size, largest float64
	for i, x := range a {
		d := float64(x) - float64(b[i])
		difference += d * d
		size += float64(b[i]) * float64(b[i])
		largest = max(largest, math.Abs(float64(b[i])))
		most = max(most, math.Abs(d))
	}
	if difference != difference {
		return math.Inf(1), math.Inf(1)
	}
	if difference == 0 {
		return 0, 0
	}
	return math.Sqrt(difference / size), most / largest
}

// Tolerances for training on a GPU: ‖difference‖/‖tensor‖ after one step and after 200. Only the order of sums differs,
// which 200 steps of Adam amplify.
const (
	afterOne  = 2e-6
	afterMany = 2e-5
)

// Every setting gives, tensor by tensor, the same result as on the CPU.
func TestDeviceLearnsWhatTheProcessorLearns(t *testing.T) {
	standin.OrReal(t)
	d, m := opened(t), clustered(40, 60, 12)
	all := configs(t)
	shared := all["composed"]
	shared.SharedNegatives, shared.Negatives = 10, 21
	all["composed, shared"] = shared
	free := all["composed, free part"]
	free.SharedNegatives, free.Negatives = 7, 60
	all["composed, free part, shared, more negatives than items"] = free
	odd := all["8 the paper"]
	odd.Dim, odd.Hidden = 13, 37
	all["8 the paper, odd shapes"] = odd
	for name, change := range ways {
		c := small(t, "paper")
		c.Temperature = 0.3
		change(&c)
		all[name] = c
	}
	related := all["composed, a part of a user's likes at a time, shrinkage"]
	related.Relations = FixedRelations
	all["parts, shrinkage, relations"] = related
	all["preset adaptive"] = small(t, "adaptive")
	smooth := all["preset adaptive"]
	smooth.Margin, smooth.UnitProxy, smooth.OuterLoss = Fixed, false, OuterHinge
	all["smooth hinge, fixed margin"] = smooth
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			c.Validation, c.Patience = 0, 0
			for steps, tolerance := range map[int]float64{1: afterOne, 200: afterMany} {
				if steps > 1 && testing.Short() {
					continue // compute-sanitizer checks one step
				}
				want, got := tensors(after(t, m, c, nil, steps)), tensors(after(t, m, c, d, steps))
				for i, x := range got {
					norm, most := apart(x.values, want[i].values)
					t.Logf("%3d steps %-16s %.1e, largest %.1e", steps, x.name, norm, most)
					if norm > tolerance {
						t.Errorf("%s after %d steps: ‖difference‖/‖tensor‖ is %.1e, above the tolerance %.0e",
							x.name, steps, norm, tolerance)
					}
				}
			}
		})
	}
}
