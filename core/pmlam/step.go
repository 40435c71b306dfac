package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
)

// step is the local problem of one training step: the rows that it touches, side by side, with their gradient.
type step struct {
	entities []int32   // T: global row of each local one, in order of first appearance
	local    []int32   // N: local number of an entity + 1; 0: not in this step
	x        []float32 // T×2h
	grad     []float32 // T×2h: sum over the tasks
	part     []float32 // T×2h: of one task
	proxy, v []float32 // T×2h: outer step
}

// reset forgets the rows of the step before.
func (s *step) reset(n int) {
	if len(s.local) != n {
		s.local = make([]int32, n)
	}
	for _, e := range s.entities {
		s.local[e] = 0
	}
	s.entities = s.entities[:0]
}

// row returns the local number of entity e, taking it in.
func (s *step) row(e int32) int32 {
	if l := s.local[e]; l > 0 {
		return l - 1
	}
	s.entities = append(s.entities, e)
	s.local[e] = int32(len(s.entities))
	return int32(len(s.entities)) - 1
}

// gather copies the rows that the step touches out of theta.
func (s *step) gather(workers int, theta *gaussian.Table) {
	width := 2 * theta.Dim()
	n := len(s.entities) * width
	s.x, s.grad, s.part = resize(s.x, n), resize(s.grad, n), resize(s.part, n)
	parallel(workers, len(s.entities), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			copy(rowOf(s.x, i, width), theta.Row(int(s.entities[i])))
		}
	})
}

// run does one step of Algorithm 1 on the tasks, whose batches are set in local rows: the inner gradient of each, its
// proxy and the update of its network, then the update of the rows by the sum of the inner gradients, and the bounds.
// It returns the inner and outer losses per task. step counts from 1.
func (t *Trainer) run(tasks []*task) (inner, outer [3]float64) {
	width, s, c := 2*t.cfg.Dim, &t.step, &t.cfg
	t.steps++
	clear(s.grad)
	for k, task := range tasks {
		inner[k] = task.inner(t.workers, s.x, s.part, width, float32(c.Radius))
		if task.net != nil {
			s.proxy, s.v = resize(s.proxy, len(s.x)), resize(s.v, len(s.x))
			gradient := zeroLike(task.net)
			outer[k] = task.outer(t.workers, s.x, s.part, s.proxy, s.v, width, float32(c.Alpha), gradient)
			task.learn(gradient, c.OuterRate, c.Lambda, t.steps)
		}
		parallel(t.workers, len(s.grad), func(_, _, from, to int) {
			for i := from; i < to; i++ {
				s.grad[i] += s.part[i]
			}
		})
	}
	size, eps := rate(t.learnRate(), t.steps)
	parallel(t.workers, len(s.entities), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			e := int(s.entities[i])
			row, at := t.theta.Row(e), e*width
			update(row, rowOf(s.grad, i, width), t.opt.m[at:at+width], t.opt.v[at:at+width], size, eps)
			if e >= t.items || t.cfg.UserWeight == 0 {
				gaussian.Bound(row, float32(c.Radius))
			}
		}
	})
	return inner, outer
}

// learnRate returns the learning rate of the current step.
func (t *Trainer) learnRate() float64 {
	if !t.cfg.Decay {
		return t.cfg.LearnRate
	}
	total := float64(t.cfg.Epochs * t.batches())
	return t.cfg.LearnRate * math.Max(0, 1-float64(t.steps-1)/total)
}
