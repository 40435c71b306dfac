package pmlam

import (
	"math/bits"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// step is the local problem of one training step: the rows that it touches, side by side, with their gradient. A local
// row is [μ; s] with half values each; those after h are 0. The margin networks' kernels need whole vectors
// (margin.Pad), other tasks have half = h. Points have s = 0 here, so that it adds nothing.
type step struct {
	half     int       // values in half a local row
	entities []int32   // T: global row of each local one; ascending after ascend, in order of appearance before
	local    []int32   // N: local number of an entity + 1; 0: not in this step
	x        []float32 // T×2·half
	grad     []float32 // T×2·half: sum over the tasks, once seen
	seen     []bool    // T: grad holds a value of this step
	proxy, v []float32 // T×2·half: of one task's outer step
	own      []float32 // T×2·half: one task's gradient, if the proxy's step has a fixed length
	squares  []float64 // T: ‖own‖² of each row, 0 without one
	along    []float64 // T: v·own
	products []float32 // T: x·v
	marks    []uint64  // N bits, all 0 between steps
	renumber []int32   // T: new number of each row, for ascend
}

// reset removes the rows of the previous step.
func (s *step) reset(n, half int) {
	s.half = half
	if len(s.local) != n {
		s.local = make([]int32, n)
	}
	for _, e := range s.entities {
		s.local[e] = 0
	}
	s.entities = s.entities[:0]
}

// row returns the local number of entity e, adding e if it is new.
func (s *step) row(e int32) int32 {
	if l := s.local[e]; l > 0 {
		return l - 1
	}
	s.entities = append(s.entities, e)
	s.local[e] = int32(len(s.entities))
	return int32(len(s.entities)) - 1
}

// ascend renumbers the rows by entity and returns the new number of each row. Passes over the rows then read the table
// and Adam's moments from main memory in ascending order, which the CPU prefetches. O(N/64 + T).
func (s *step) ascend() (renumber []int32) {
	if words := (len(s.local) + 63) / 64; len(s.marks) < words {
		s.marks = make([]uint64, words)
	}
	s.renumber = vec.Resize(s.renumber, len(s.entities))
	for _, e := range s.entities {
		s.marks[e>>6] |= 1 << (e & 63)
	}
	s.entities = s.entities[:0]
	for w, word := range s.marks {
		for ; word != 0; word &= word - 1 {
			e := int32(w<<6 + bits.TrailingZeros64(word))
			s.renumber[s.local[e]-1] = int32(len(s.entities))
			s.entities = append(s.entities, e)
			s.local[e] = int32(len(s.entities))
		}
		s.marks[w] = 0
	}
	return s.renumber
}

// gather copies the rows that the step touches from theta; of points only the means.
func (s *step) gather(workers int, theta *gaussian.Table, points bool) {
	h, width := theta.Dim(), 2*s.half
	n := len(s.entities) * width
	s.x, s.grad = resize(s.x, n), resize(s.grad, n)
	s.seen = vec.Resize(s.seen, len(s.entities))
	clear(s.seen)
	parallel.Do(workers, len(s.entities), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			mean, stddev := halves(s.x, i, s.half)
			row := theta.Row(int(s.entities[i]))
			clear(mean[copy(mean, row[:h]):])
			if points {
				clear(stddev)
			} else {
				clear(stddev[copy(stddev, row[h:]):])
			}
		}
	})
}

// unwritten returns the gradient memory of row r if this step has not written it yet, otherwise nil.
func (s *step) unwritten(r int) []float32 {
	if s.seen[r] {
		return nil
	}
	return vec.Row(s.grad, r, 2*s.half)
}

// add adds g to the gradient of row r. If the step had not written it, g is already that memory (unwritten).
func (s *step) add(r int, g []float32) {
	if s.seen[r] {
		vec.Axpy(1, g, vec.Row(s.grad, r, len(g)))
	}
	s.seen[r] = true
}

// run does one step of Algorithm 1 on the tasks, whose batches are set in local rows: the inner gradient of each task,
// its proxy and the update of its network, then the update of the rows by the sum of the inner gradients, and the
// bounds. It returns the inner and outer losses per task.
func (t *Trainer) run(tasks []*task) (inner, outer [3]float64) {
	s, c := &t.step, &t.cfg
	for k, task := range tasks {
		inner[k] = task.inner(t.workers, s, float32(c.Radius), float32(c.Alpha))
		if task.net != nil && t.held == nil {
			gradient := zeroLike(task.net)
			outer[k] = task.outer(t.workers, s, gradient)
			task.learn(gradient, c.OuterRate, c.Lambda, t.now.Number)
		}
	}
	t.update()
	return inner, outer
}

// adam is Adam's state for a block of values: first and second moments. Rows outside the batch keep their state
// (PyTorch's SparseAdam), while the bias corrections count all steps.
type adam struct{ m, v []float32 }

func newAdam(n int) adam { return adam{parallel.Zeros(n), parallel.Zeros(n)} }

// update moves the rows along their gradients, within their bounds. O(T·h).
func (t *Trainer) update() {
	s, c, h := &t.step, &t.cfg, t.cfg.Dim
	if t.shrunk != nil {
		t.updateShrunk()
		return
	}
	size, eps := vec.AdamStep(t.now.Rate, t.now.Number)
	parallel.Do(t.workers, len(s.entities), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			if !s.seen[i] {
				continue
			}
			e := int(s.entities[i])
			if t.holds(e) {
				continue
			}
			row, m, v := t.theta.Row(e), vec.Row(t.opt.m, e, 2*h), vec.Row(t.opt.v, e, 2*h)
			if s.half == h {
				vec.Adam(row, vec.Row(s.grad, i, 2*h), m, v, size, eps)
			} else {
				mean, stddev := halves(s.grad, i, s.half)
				vec.Adam(row[:h], mean, m, v, size, eps)
				vec.Adam(row[h:], stddev, m[h:], v[h:], size, eps)
			}
			if e >= t.items || c.UserWeight == 0 {
				c.bound(row)
			}
		}
	})
}

// halves returns the mean and the standard deviations of row r of x.
func halves(x []float32, r, half int) (mean, stddev []float32) {
	row := vec.Row(x, r, 2*half)
	return row[:half:half], row[half:]
}
