package pmlam

import (
	"fmt"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// finite returns a *training.NonFiniteError if the last batch left non-finite values in the losses of the tasks which,
// in the networks, or in the rows that it changed. Other rows have not changed, so all rows are known to be finite
// after every batch. O(T·h), a few hundredths of the step.
func (t *Trainer) finite(which []int, inner, outer [3]float64) error {
	bad := func(tensor string) error {
		return &training.NonFiniteError{Epoch: t.now.Epoch + 1, Batch: t.now.From/t.cfg.Batch + 1, Tensor: tensor}
	}
	for i, k := range which {
		task := t.tasks[k]
		if inner[i]-inner[i] != 0 { // NaN or ±Inf
			return bad("the " + task.name + " loss")
		}
		if outer[i]-outer[i] != 0 {
			return bad("the outer " + task.name + " loss")
		}
		if task.net == nil {
			continue
		}
		var err error
		task.net.Parameters(func(name string, x []float32) {
			if err == nil && !allFinite(x) {
				err = bad(name + " of the " + task.name + " margin network")
			}
		})
		if err != nil {
			return err
		}
	}
	var first [parallel.Chunks]int32 // per chunk: 1 + the first non-finite entity; 0: none
	entities, seen := t.step.entities, t.step.seen
	if t.shrunk != nil {
		entities, seen = t.shrunk.moved, nil // every one
	}
	parallel.Do(t.workers, len(entities), func(_, chunk, from, to int) {
		for i := from; i < to; i++ {
			if e := entities[i]; first[chunk] == 0 && (seen == nil || seen[i]) && !allFinite(t.theta.Row(int(e))) {
				first[chunk] = e + 1
			}
		}
	})
	for _, e := range first {
		if e == 0 {
			continue
		}
		if e := int(e) - 1; e < t.items {
			return bad(fmt.Sprintf("the Gaussian of user %d", e))
		} else {
			return bad(fmt.Sprintf("the Gaussian of item %d", e-t.items))
		}
	}
	return nil
}

// allFinite reports whether no value is NaN or infinite. The sum of squares takes one SIMD pass. Values are only
// checked one by one if it is not finite, because it may have overflowed.
func allFinite(x []float32) bool {
	if n := vec.Dot(x, x); n-n == 0 {
		return true
	}
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// spareNetworks copies the networks, for undo.
func (t *Trainer) spareNetworks() {
	for k, task := range t.tasks {
		if task == nil || task.net == nil {
			continue
		}
		if t.spare[k] == nil {
			t.spare[k] = task.net.Clone()
			continue
		}
		copy(t.spare[k].W1, task.net.W1)
		copy(t.spare[k].B1, task.net.B1)
		copy(t.spare[k].W2, task.net.W2)
		t.spare[k].B2 = task.net.B2
	}
}

// undo restores the table and the networks to their state before the last batch, using the rows gathered then. Adam's
// state is lost, so the training cannot continue, but its last good state is usable.
func (t *Trainer) undo() {
	if t.shrunk != nil {
		for k, e := range t.shrunk.moved {
			copy(t.theta.Row(int(e)), vec.Row(t.shrunk.before, k, 2*t.cfg.Dim))
		}
		return // shrinkage excludes networks
	}
	for i, e := range t.step.entities {
		mean, stddev := halves(t.step.x, i, t.step.half)
		copy(t.theta.Mean(int(e)), mean)
		if !t.cfg.Deterministic { // points keep their s; the step holds 0 instead
			copy(t.theta.Stddev(int(e)), stddev)
		}
	}
	for k, net := range t.spare {
		if net != nil {
			t.tasks[k].net = net
		}
	}
}
