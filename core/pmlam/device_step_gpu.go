//go:build gpu && linux

package pmlam

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cuda"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// launcher launches until something fails.
type launcher struct {
	d   *cuda.Device
	w   *cuda.Work
	err error
}

// run launches a kernel in so many warps.
func (l *launcher) run(name string, warps int) {
	if l.err == nil {
		l.err = l.d.Launch(name, warps, l.w)
	}
}

// fill sets so many 32-bit values to 0.
func (l *launcher) fill(at cuda.Ptr, values int) {
	if l.err == nil {
		l.err = l.d.Fill(at, 0, values)
	}
}

// lanes launches a kernel in so many lanes.
func (l *launcher) lanes(name string, lanes int) { l.run(name, parts(lanes, 32)) }

// product launches a product of so many rows and columns.
func (l *launcher) product(name string, rows, columns int) {
	l.run(name, parts(rows, 8)*parts(columns, 32))
}

// parts returns n/size, rounded up.
func parts(n, size int) int { return (n + size - 1) / size }

// step implements remote: the step of method.Step, kernel after kernel.
func (g *onGPU) step(b *training.Batch) error {
	if err := g.launch(b); err != nil {
		return g.t.lost(err)
	}
	g.ahead = true
	if err := g.finite(); err != nil {
		l := launcher{d: g.d}
		g.undo(&l)
		if l.err != nil {
			return g.t.lost(l.err)
		}
		return err
	}
	for k, task := range g.t.tasks {
		if task == nil {
			continue
		}
		if n := int(g.figures[4*k+2]); n > 0 {
			b.Add(FigureInner+k, g.figures[4*k], n)
			b.Add(FigureOuter+k, g.figures[4*k+1], n)
		}
	}
	if b.Last() {
		margin := g.t.cfg.MarginValue
		if w := g.work[userItem]; w.MarginNet != 0 {
			margin = g.figures[3] / g.figures[2] / float64(w.Own)
		}
		b.Set(FigureMargin, margin)
	}
	return nil
}

// launch brings what a step needs, launches it and waits for its figures.
func (g *onGPU) launch(b *training.Batch) error {
	first := g.work[userItem]
	if g.ordered != b.Epoch+1 {
		if err := cuda.Upload(g.d, first.Order, b.Order); err != nil {
			return err
		}
		g.ordered = b.Epoch + 1
	}
	if err := g.d.Fill(first.Report, 0, 2*len(g.figures)); err != nil {
		return err
	}
	if err := g.d.Fill(first.Bad, noRow, 1); err != nil {
		return err
	}
	for k, task := range g.t.tasks {
		if task == nil {
			continue
		}
		w := g.work[k]
		n := b.To - b.From
		w.B, w.From, w.Number, w.Epoch = int32(n), int32(b.From), int32(b.Number), uint64(b.Epoch)<<32
		if c := &g.t.cfg; c.Candidates > 0 {
			w.Round = uint64(b.Epoch / c.Resample)
		}
		w.Blocks = 0
		if w.Negatives > 0 {
			w.Blocks = int32(parts(n, int(w.Size)))
		}
		w.SlotCount = w.B*w.Per + w.Blocks*w.Negatives
		if w.Composed != 0 {
			w.MembersAt, w.GroupRow = w.SlotCount, 2*w.B
			if w.Negatives > 0 { // these have rows of their own in between
				w.GroupRow += w.SlotCount
			}
			w.SlotCount += int32(g.members(b))
		}
		w.Step, w.Epsilon = vec.AdamStep(b.Rate, b.Number)
		w.PhiStep, w.PhiEpsilon = vec.AdamStep(g.t.cfg.OuterRate, b.Number)
		l := launcher{d: g.d, w: w}
		l.task(g.t)
		if l.err != nil {
			return l.err
		}
	}
	if err := g.d.Launch("update", int(first.N), first); err != nil {
		return err
	}
	return cuda.Download(g.d, g.figures, first.Report)
}

// task launches a task's sampling, its inner gradient, and with a network its outer step.
func (l *launcher) task(t *Trainer) {
	w := l.w
	b, slots, rows := int(w.B), int(w.SlotCount), int(w.N)
	l.lanes("sample", b)
	l.run("sample_shared", int(w.Blocks))

	if w.Composed != 0 {
		l.lanes("forget", b)
		l.lanes("lead", b)
		l.run("member_sums", 1)
		l.run("members", b)
	}

	l.sort()

	w.X, w.Accumulate, w.Into = w.Theta, 1, 0
	w.Softmax, w.Margin = truth(t.cfg.Loss == "softmax"), float32(t.cfg.MarginValue)
	if w.Composed != 0 {
		l.run("compose_sums", b)
		l.run("compose", b)
	} else {
		l.run("anchors", b)
	}
	switch {
	case w.MarginNet != 0:
		l.margins()
	case w.Negatives > 0:
		l.shared()
	default:
		l.run("pairs", b)
	}
	l.run("totals", 1)
	if w.Composed != 0 {
		l.run("compose_back", b)
		l.run("groups", b)
	}
	l.lanes("runs", slots)
	l.run("rows", rows)
	if w.MarginNet != 0 {
		l.outer(t.tasks[w.Task].outerLoss, slots, rows)
	}
}

// sort finds which slots name which row.
func (l *launcher) sort() {
	slots, entities := int(l.w.SlotCount), int(l.w.Users+l.w.Items)
	l.fill(l.w.Count, entities+1)
	l.lanes("count", slots)
	l.run("scan_tiles", tiles(entities))
	l.run("scan_tops", 1)
	l.run("scan_write", tiles(entities))
	l.lanes("place", slots)
	l.lanes("rank", slots)
}

// unit launches what the length of G is needed for: the proxy, and in the outer step v′.
func (l *launcher) unit(rows int) {
	if l.w.UnitProxy != 0 {
		l.run("unit_products", rows)
		l.run("unit_tiles", tiles(rows))
		l.run("unit_length", 1)
		l.run("unit_rows", rows)
	}
}

// shared launches the softmax with negatives that blocks of pairs share.
func (l *launcher) shared() {
	w := l.w
	blocks, eights, q, width := int(w.Blocks), parts(int(w.Size), 8), int(w.Negatives), int(2*w.Dim)
	l.run("shared_gather", blocks*parts(q, 32))
	l.run("shared_distances", blocks*eights*parts(q, 32))
	l.run("shared_softmax", int(w.B))
	l.run("shared_anchors", blocks*eights*parts(width, 32))
	l.run("shared_own", blocks*parts(q, 8)*parts(width, 32))
}

// margins launches the inner loss with margins from the network.
func (l *launcher) margins() {
	w := l.w
	b, triplets := int(w.B), int(w.B*w.Own)
	if w.Points == 0 {
		l.lanes("noise", b*parts(int((2+w.Own)*w.Half), 32)*8)
	}
	l.run("inputs", b)
	l.product("hidden_pairs", b, int(w.HiddenWidth))
	l.product("hidden", triplets, int(w.HiddenWidth))
	l.run("margins", b)
	if w.Smooth > 0 {
		l.run("lift_constant", b)
		return
	}
	l.product("back", triplets, int(w.Width))
	l.product("back_pairs", b, int(w.PairWidth))
	l.run("lift", b)
}

// outer launches the outer loss at the proxy, its gradient by Φ, and the step of Φ.
func (l *launcher) outer(loss gaussian.Loss, slots, rows int) {
	w := l.w
	b, triplets, hidden := int(w.B), int(w.B*w.Own), int(w.HiddenWidth)
	l.unit(rows)
	same, inner := w.OuterBatch == 0, w.Rows
	if !same {
		l.lanes("sample_outer", b)
		w.Rows = w.OuterRows
		l.sort()
		l.run("unseen", rows)
		l.fill(w.V, rows*2*int(w.Dim)) // rows of the inner batch alone have no gradient here
	}
	w.X, w.Accumulate, w.Into = w.Proxy, 0, 1
	w.Softmax, w.Margin = truth(loss.Kind == gaussian.Softmax), loss.Margin
	if loss.Kind == gaussian.Softmax {
		w.Inverse = 1 / loss.Temperature // which the inner loss of a network, a hinge, does not look at
	}
	l.run("anchors", b)
	l.run("pairs", b)
	l.run("totals", 1)
	l.lanes("runs", slots)
	l.run("rows", rows)
	if w.Rows = inner; !same {
		l.sort()
	}
	l.unit(rows)
	if w.Smooth > 0 {
		l.run("weigh", b)
	} else {
		l.run("directions", b)
		l.product("along_pairs", b, hidden)
		l.product("along", triplets, hidden)
		l.run("second", b)
	}
	l.run("gradient_q", chunks*hidden/8*parts(int(w.Width), 32))
	l.run("gradient_p", chunks*hidden/8*parts(int(w.PairWidth), 32))
	l.run("gradient_small", chunks*parts(hidden, 32))
	l.lanes("learn", parameters(w))
	l.run("fold", foldWarps(w))
}

// parameters returns how many values Φ has.
func parameters(w *cuda.Work) int {
	inputs := 3
	if w.Input == 2 { // margin.Add
		inputs = 1
	}
	return int(w.Hidden)*(inputs*int(w.Dim)+2) + 1
}

// foldWarps returns how many warps lay Φ out.
func foldWarps(w *cuda.Work) int { return parts(int(w.Hidden)*int(w.PairWidth+w.Width+2), 32) }

// noRow is what Bad holds where no row is bad.
const noRow = math.MaxUint32

// finite does what Trainer.finite does, of the figures of the step.
func (g *onGPU) finite() error {
	t := g.t
	bad := func(tensor string) error {
		return &training.NonFiniteError{Epoch: t.now.Epoch + 1, Batch: t.now.From/t.cfg.Batch + 1, Tensor: tensor}
	}
	last := math.Float64bits(g.figures[12])
	row, tensors := uint32(last), uint32(last>>32)
	for k, task := range t.tasks {
		if task == nil {
			continue
		}
		for i, which := range []string{"the ", "the outer "} {
			if x := g.figures[4*k+i]; x-x != 0 {
				return bad(which + task.name + " loss")
			}
		}
		for i, name := range []string{"W1", "b1", "w2", "b2"} {
			if tensors>>(4*k+i)&1 != 0 {
				return bad(name + " of the " + task.name + " margin network")
			}
		}
	}
	switch {
	case row == noRow:
		return nil
	case int(row) < t.items:
		return bad(fmt.Sprintf("the Gaussian of user %d", row))
	}
	return bad(fmt.Sprintf("the Gaussian of item %d", int(row)-t.items))
}

// undo takes the table and the networks back to before the step.
func (g *onGPU) undo(l *launcher) {
	for k, w := range g.work {
		if w == nil {
			continue
		}
		l.w = w
		if k == userItem {
			l.run("undo", int(w.N))
		}
		if w.MarginNet != 0 && g.figures[4*k+2] > 0 {
			l.lanes("undo_network", parameters(w))
		}
	}
}
