package pmlam

import (
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/training"
)

// The figures of an epoch: mean inner and outer losses per pair, by task, and the mean user-item margin of the last
// batch or the fixed one.
const (
	FigureInner  = 0 // user-item; + 1: user-user, + 2: item-item
	FigureOuter  = 3 // the same with a network
	FigureMargin = 6
)

var figures = []string{
	"inner_user_item", "inner_user_user", "inner_item_item",
	"outer_user_item", "outer_user_user", "outer_item_item",
	"margin",
}

// Streams of random numbers, one for each use, so that uses are independent of each other.
const (
	streamInit       = 1
	streamCandidates = training.StreamOrder + 1
	streamPair       = streamCandidates + 1 // + the task's number
	streamNoise      = streamPair + 3       // + the task's number
	streamUsers      = streamNoise + 3      // + 2⁸ times the user: negatives that a user's pairs share
	streamOuter      = streamUsers + 1      // positives of the outer loss
	streamHeldOut    = streamOuter + 1
)

// method is a Trainer as a training.Method.
type method Trainer

var (
	_ training.Method = (*method)(nil)
	_ training.Remote = (*method)(nil)
)

func (m *method) Pairs() int { return len(m.pairs) }

func (m *method) Figures() []string { return figures }

// Step does one step of Algorithm 1. If it produces non-finite values, it restores rows and networks, but not Adam's
// state.
func (m *method) Step(b *training.Batch) error {
	t := (*Trainer)(m)
	t.now = *b
	if t.device != nil {
		r, err := t.remoteState()
		if err != nil {
			return err
		}
		return r.step(b)
	}
	t.sample()
	var active []*task
	var which []int
	for k, task := range t.tasks {
		if task != nil && len(task.batch.positive) > 0 {
			active, which = append(active, task), append(which, k)
		}
	}
	t.spareNetworks()
	inner, outer := t.run(active)
	if err := t.finite(which, inner, outer); err != nil {
		t.undo()
		return err
	}
	for i, k := range which {
		n := len(active[i].batch.positive)
		b.Add(FigureInner+k, inner[i], n)
		b.Add(FigureOuter+k, outer[i], n)
	}
	if b.Last() {
		margin := t.cfg.MarginValue
		if ui := t.tasks[userItem]; ui.net != nil {
			margin = ui.meanMargin()
		}
		b.Set(FigureMargin, margin)
	}
	return nil
}

// Tensors are the table and the margin networks, with Adam's moments.
func (m *method) Tensors(f func(name string, values []float32, learned bool)) {
	f("theta", m.theta.Data(), true)
	f("theta.m", m.opt.m, false)
	f("theta.v", m.opt.v, false)
	for _, task := range m.tasks {
		if task != nil && task.net != nil {
			task.net.Parameters(func(name string, values []float32) { f(task.name+"."+name, values, true) })
			f(task.name+".m", task.opt.m, false)
			f(task.name+".v", task.opt.v, false)
		}
	}
}

func (m *method) Scorer() eval.Scorer {
	t := (*Trainer)(m)
	items := t.itemsTable(t.theta)
	return t.device.Scorer(t.usersTable(t.theta, items), items)
}
