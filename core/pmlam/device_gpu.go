//go:build gpu && linux

package pmlam

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cuda"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/training"
)

// backend is a Device's GPU, with the memory of its ranking.
type backend struct {
	gpu     *cuda.Device
	ranking *ranking
}

func openBackend(number int) (backend, error) {
	d, err := cuda.Open(number)
	return backend{gpu: d, ranking: &ranking{}}, err
}

func (b backend) close() error { return b.gpu.Close() }

func (b backend) name() string { return b.gpu.Name }

// onGPU is a training's state on a GPU. core/lab/docs/gpu-kernels.md describes its memory and kernels.
type onGPU struct {
	t       *Trainer
	d       *cuda.Device
	work    [3]*cuda.Work // by task; nil if the task is off
	ordered int           // the epoch whose order of pairs the device has, from 1; 0: none
	ahead   bool          // the device's state is newer than the trainer's
	held    []cuda.Ptr
	figures []float64 // as downloaded: four per task, and Bad
	last    []int32   // U: the last step of each user; if users are composed
	users   []int32   // A: of the batch's anchors; if users are composed
	starts  []int32   // A+1: their first pairs, and the number of pairs; if likes are learned in parts
	part    []int32   // B: the anchor of each pair; if likes are learned in parts
}

// A network's gradient is the sum of `chunks` partial sums, and a kernel adds chunkGroup of them at a time; work.h has
// the same numbers.
const chunks, chunkGroup = 512, 32

// start copies t's state to the GPU and allocates all memory that steps need.
func (b backend) start(t *Trainer) (remote, error) {
	g := &onGPU{t: t, d: b.gpu, figures: make([]float64, 13)}
	if err := g.begin(); err != nil {
		g.release()
		return nil, err
	}
	return g, nil
}

func (g *onGPU) begin() error {
	for k, task := range g.t.tasks {
		if task != nil {
			g.work[k] = new(cuda.Work)
			g.settings(g.work[k])
			g.settingsOf(g.work[k], k, task)
		}
	}
	if err := g.countable(); err != nil {
		return err
	}
	if g.t.cfg.UserWeight > 0 {
		g.last = make([]int32, g.t.train.Rows())
	}
	var shared cuda.Work
	if err := g.allocate(g.room(&shared)); err != nil {
		return err
	}
	if err := g.upload(&shared); err != nil {
		return err
	}
	for k, task := range g.t.tasks {
		if task == nil {
			continue
		}
		share(g.work[k], &shared)
		if err := g.uploadTask(k, task); err != nil {
			return err
		}
	}
	return nil
}

// share copies the addresses of the tasks' common data to w.
func share(w, shared *cuda.Work) {
	w.Theta, w.Moment, w.Variance = shared.Theta, shared.Moment, shared.Variance
	w.Data, w.Shrinkage = shared.Data, shared.Shrinkage
	w.Report, w.Bad = shared.Report, shared.Bad
}

// countable returns an error if a batch has more slots than the kernels' 32-bit counters hold.
func (g *onGPU) countable() error {
	b := min(g.t.cfg.Batch, len(g.t.pairs))
	for _, w := range g.work {
		if w != nil &&
			b*(5+int(w.Per))+parts(b, int(w.Size))*int(w.Negatives)+int(w.Composed)*g.mostMembers(b) > math.MaxInt32 {
			return fmt.Errorf("a batch of %d pairs with %d negatives has too many slots for a GPU; reduce either",
				b, max(w.Own, w.Negatives))
		}
	}
	return nil
}

// settings fills in the settings that all tasks share.
func (g *onGPU) settings(w *cuda.Work) {
	t, c := g.t, &g.t.cfg
	w.Users, w.Items, w.N, w.Dim = int32(t.train.Rows()), int32(t.train.Cols), int32(t.theta.Len()), int32(c.Dim)
	w.Shift = w.Users - int32(t.items)
	w.Seed, w.Candidates = c.Seed, int32(c.Candidates)
	w.Points, w.FreeUsers = truth(c.Deterministic), truth(c.FreeUsers)
	w.Half = int32(t.half())
	w.Radius, w.UserWeight, w.Alpha = float32(c.Radius), float32(c.UserWeight), float32(c.Alpha)
	w.Lambda = float32(2 * c.Lambda)
	w.Bound = map[Bound]int32{SigmaBound: 0, StddevBound: 1, JointBound: 2}[c.Bound]
	w.Signed, w.UnitProxy, w.UserNegatives = truth(c.Signed), truth(c.UnitProxy), truth(c.UserNegatives)
}

// settingsOf fills in the settings of a task.
func (g *onGPU) settingsOf(w *cuda.Work, k int, task *task) {
	t, c := g.t, &g.t.cfg
	w.Apart = 1
	if k != userItem {
		w.Apart = int32(t.apart)
	}
	w.Task, w.Weight, w.Inverse, w.Smooth = int32(k), task.weight, 1/task.loss.Temperature, task.smooth
	w.Power = task.power
	if k == userItem {
		w.OuterBatch = map[OuterBatch]int32{SameBatch: 0, HeldOutBatch: 1, RotatedBatch: 2}[c.OuterBatch]
	}
	w.Size = 1
	switch {
	case k != userItem:
		w.Own = int32(max(1, c.Negatives/max(1, c.SharedNegatives)))
	case c.SharedNegatives > 1:
		w.Size, w.Negatives = int32(c.SharedNegatives), int32(min(c.Negatives, t.train.Cols))
	default:
		w.Own = int32(c.Negatives)
	}
	w.Composed = truth(k == userItem && c.UserWeight > 0)
	w.Per = 2 + w.Own + w.Composed
	if task.net == nil {
		return
	}
	w.MarginNet, w.Input, w.Hidden = 1, int32(task.net.Input), int32(task.net.H)
	w.Width, w.HiddenWidth = int32(margin.Pad(c.Dim)), int32(margin.Pad(task.net.H))
	w.PairWidth = w.Width
	if task.net.Input == margin.Cat {
		w.PairWidth *= 2
	}
	w.NoiseKey = training.Start(c.Seed, streamNoise+uint64(k), 0)
}

// constants returns the size in bytes of the constant data on the device.
func (g *onGPU) constants() uint64 {
	n := 8*len(g.t.pairs) + 4*len(g.t.pairs)
	for _, m := range []*dataset.Matrix{g.t.train, g.t.judged, g.t.neighbours[userUser], g.t.neighbours[itemItem]} {
		if m != nil {
			n += 8*len(m.Offsets) + 4*len(m.Indices)
		}
	}
	if s := g.t.shrunk; s != nil {
		n += 2 * 4 * (len(s.toItem.start) + 2*len(s.toItem.at))
	}
	return uint64(n)
}

// upload copies the data and the table to the device.
func (g *onGPU) upload(w *cuda.Work) error {
	t, c := g.t, copier{g: g}
	flat := make([]int32, 0, 2*len(t.pairs))
	for _, p := range t.pairs {
		flat = append(flat, p.Row, p.Col)
	}
	w.Pairs, w.Order = copied(&c, flat), c.room(4*len(t.pairs))
	w.Likes, w.Liked = c.matrix(t.train)
	if t.judged != nil {
		w.JudgedAt, w.Judged = c.matrix(t.judged)
	}
	c.into(w.Theta, t.theta.Data())
	c.into(w.Moment, t.opt.m)
	c.into(w.Variance, t.opt.v)
	if s := t.shrunk; s != nil {
		w.Sources, w.Source, w.SourceWeight = c.lists(&s.toItem)
		w.Targets, w.Target, w.TargetWeight = c.lists(&s.toSource)
	}
	w.Bad = w.Report + 96 // after twelve figures
	if c.err == nil {
		c.err = g.nothingBad(w)
	}
	return c.err
}

// uploadTask copies a task's neighbours and its margin network to the device.
func (g *onGPU) uploadTask(k int, task *task) error {
	w, c := g.work[k], copier{g: g}
	if near := g.t.neighbours[k]; near != nil {
		w.Near, w.Neighbour = c.matrix(near)
	}
	if k == userItem && g.t.cfg.UserParts > 0 {
		c.into(w.PartWeights, g.partWeights(task))
	}
	if task.net == nil {
		return c.err
	}
	var phi []float32
	task.net.Parameters(func(_ string, values []float32) { phi = append(phi, values...) })
	c.into(w.Phi, phi)
	c.into(w.PhiM, task.opt.m)
	c.into(w.PhiV, task.opt.v)
	if c.err != nil {
		return c.err
	}
	return g.d.Launch("fold", foldWarps(w), w)
}

func (g *onGPU) fetch() error {
	if !g.ahead {
		return nil
	}
	t, w := g.t, g.work[userItem]
	if err := errors.Join(
		cuda.Download(g.d, t.theta.Data(), w.Theta), cuda.Download(g.d, t.opt.m, w.Moment),
		cuda.Download(g.d, t.opt.v, w.Variance),
	); err != nil {
		return err
	}
	for k, task := range t.tasks {
		if task == nil || task.net == nil {
			continue
		}
		w, phi := g.work[k], make([]float32, len(task.opt.m))
		if err := errors.Join(
			cuda.Download(g.d, phi, w.Phi), cuda.Download(g.d, task.opt.m, w.PhiM),
			cuda.Download(g.d, task.opt.v, w.PhiV),
		); err != nil {
			return err
		}
		task.net.Parameters(func(_ string, values []float32) {
			copy(values, phi)
			phi = phi[len(values):]
		})
	}
	g.ahead = false
	return nil
}

func (g *onGPU) release() error {
	var first error
	for _, p := range g.held {
		if err := g.d.Free(p); err != nil && first == nil {
			first = err
		}
	}
	g.held = nil
	return first
}

// copier allocates and copies until the first error.
type copier struct {
	g   *onGPU
	err error
}

func (c *copier) room(bytes int) (p cuda.Ptr) {
	if c.err == nil {
		if p, c.err = c.g.d.Alloc(uint64(bytes)); p != 0 {
			c.g.held = append(c.g.held, p)
		}
	}
	return p
}

func (c *copier) into(p cuda.Ptr, x []float32) {
	if c.err == nil {
		c.err = cuda.Upload(c.g.d, p, x)
	}
}

func copied[T int32 | int64 | float32](c *copier, x []T) cuda.Ptr {
	var zero T
	p := c.room(len(x) * int(unsafe.Sizeof(zero)))
	if c.err == nil {
		c.err = cuda.Upload(c.g.d, p, x)
	}
	return p
}

func (c *copier) matrix(m *dataset.Matrix) (offsets, indices cuda.Ptr) {
	starts := make([]int64, len(m.Offsets))
	for i, at := range m.Offsets {
		starts[i] = int64(at)
	}
	return copied(c, starts), copied(c, m.Indices)
}

func (c *copier) lists(l *lists) (start, at, weight cuda.Ptr) {
	return copied(c, l.start), copied(c, l.at), copied(c, l.weight)
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
