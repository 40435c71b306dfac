//go:build gpu && linux

package pmlam

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cuda"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// launcher launches the kernels of a step until the first error.
type launcher struct {
	d     *cuda.Device
	tasks []*cuda.Work
	err   error
}

// run launches a kernel for all tasks with the number of warps that warps returns for each; tasks with 0 are skipped.
func (l *launcher) run(name string, warps func(w *cuda.Work) int) {
	most, wanted := 0, make([]*cuda.Work, 0, 3)
	for _, w := range l.tasks {
		if n := warps(w); n > 0 {
			most, wanted = max(most, n), append(wanted, w)
		}
	}
	if l.err == nil && most > 0 {
		l.err = l.d.Launch(name, most, wanted...)
	}
}

// ofAll launches a kernel once for all tasks together.
func (l *launcher) ofAll(name string, warps int) {
	if l.err == nil {
		l.err = l.d.LaunchOfAll(name, warps, l.tasks...)
	}
}

// parts returns n/size, rounded up.
func parts(n, size int) int { return (n + size - 1) / size }

// Numbers of warps of kernels: one; a warp or a lane per pair, anchor or slot; a warp per row, or per tile of entities
// or rows; products of 8 rows by 32 columns; and a warp per 32 slots, or pairs, and 32 dimensions.
func oneWarp(*cuda.Work) int             { return 1 }
func warpPerPair(w *cuda.Work) int       { return int(w.B) }
func lanePerPair(w *cuda.Work) int       { return parts(int(w.B), 32) }
func warpPerAnchor(w *cuda.Work) int     { return int(w.Anchors) }
func lanePerAnchor(w *cuda.Work) int     { return parts(int(w.Anchors), 32) }
func lanePerSlot(w *cuda.Work) int       { return parts(int(w.SlotCount), 32) }
func warpPerRow(w *cuda.Work) int        { return int(w.N) }
func warpPerEntityTile(w *cuda.Work) int { return tiles(int(w.Users + w.Items)) }
func warpPerRowTile(w *cuda.Work) int    { return tiles(int(w.N)) }
func pairUnits(w *cuda.Work) int         { return product(int(w.B), w.HiddenWidth) }
func tripletUnits(w *cuda.Work) int      { return product(int(w.B*w.Own), w.HiddenWidth) }
func pairInputs(w *cuda.Work) int        { return product(int(w.B), w.PairWidth) }
func tripletInputs(w *cuda.Work) int     { return product(int(w.B*w.Own), w.Width) }
func slotRuns(w *cuda.Work) int          { return parts(int(w.SlotCount), 32) * columns(w) }

func pairRuns(w *cuda.Work) int { return parts(int(w.B), 32) * columns(w) }

// columns returns the number of blocks of 32 dimensions in a row.
func columns(w *cuda.Work) int { return parts(int(2*w.Dim), 32) }

func product(rows int, columns int32) int { return parts(rows, 8) * parts(int(columns), 32) }

// widerProduct is product for 64 columns.
func widerProduct(rows int, columns int32) int { return parts(rows, 8) * parts(int(columns), 64) }

// where returns warps for the wanted tasks and 0 for others.
func where(wanted func(w *cuda.Work) bool, warps func(w *cuda.Work) int) func(w *cuda.Work) int {
	return func(w *cuda.Work) int {
		if !wanted(w) {
			return 0
		}
		return warps(w)
	}
}

func everyTask(*cuda.Work) bool     { return true }
func composed(w *cuda.Work) bool    { return w.Composed != 0 }
func notComposed(w *cuda.Work) bool { return w.Composed == 0 }
func inParts(w *cuda.Work) bool     { return w.Starts != 0 }
func withNetwork(w *cuda.Work) bool { return w.MarginNet != 0 }
func ofUnitLength(w *cuda.Work) bool {
	return w.MarginNet != 0 && w.UnitProxy != 0
}

// step implements remote: it does the work of method.Step, kernel after kernel, each for all tasks.
func (g *onGPU) step(b *training.Batch) error {
	if err := g.launch(b); err != nil {
		return g.t.lost(err)
	}
	g.ahead = true
	if err := g.finite(); err != nil {
		if failed := g.undo(); failed != nil {
			return g.t.lost(failed)
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

// launch uploads the input of a step, launches it and waits for its figures.
func (g *onGPU) launch(b *training.Batch) error {
	first := g.work[userItem]
	if g.ordered != b.Epoch+1 {
		if err := cuda.Upload(g.d, first.Order, b.Order); err != nil {
			return err
		}
		g.ordered = b.Epoch + 1
	}
	l := launcher{d: g.d, tasks: make([]*cuda.Work, 0, 3)}
	for _, w := range g.work {
		if w != nil && l.err == nil {
			l.err = g.batch(w, b)
			l.tasks = append(l.tasks, w)
		}
	}
	l.sample()
	l.sort(everyTask)
	if first.Shrunk != 0 {
		l.ofAll("shrink", warpPerRow(first))
	}
	l.inner(g.t)
	l.outer(g.t)
	if first.Shrunk != 0 {
		l.ofAll("shrunk_gradient", warpPerRow(first)*columns(first))
	}
	l.ofAll("update", warpPerRow(first))
	if l.err == nil {
		l.err = cuda.Download(g.d, g.figures, first.Report)
	}
	return l.err
}

// batch fills in the input of a task's step, and uploads the anchors of its pairs.
func (g *onGPU) batch(w *cuda.Work, b *training.Batch) error {
	c, n := &g.t.cfg, b.To-b.From
	w.B, w.From, w.Number, w.Epoch = int32(n), int32(b.From), int32(b.Number), uint64(b.Epoch)<<32
	if c.Candidates > 0 {
		w.Round = uint64(b.Epoch / c.Resample)
	}
	w.Anchors, w.Blocks = w.B, 0
	if w.Composed != 0 {
		g.anchors(b)
		w.Anchors = int32(len(g.users))
	}
	if w.Negatives > 0 {
		w.Blocks = int32(parts(int(w.Anchors), int(w.Size)))
	}
	w.SlotCount = w.B*w.Per + w.Blocks*w.Negatives
	if w.Composed != 0 {
		w.MembersAt, w.GroupRow = w.SlotCount, 2*w.B
		if w.Negatives > 0 { // rows of shared negatives come first
			w.GroupRow += w.SlotCount
		}
		w.SlotCount += int32(g.members(b.Number))
	}
	w.Step, w.Epsilon = vec.AdamStep(b.Rate, b.Number)
	w.PhiStep, w.PhiEpsilon = vec.AdamStep(c.OuterRate, b.Number)
	if w.Starts == 0 {
		return nil
	}
	return errors.Join(cuda.Upload(g.d, w.Starts, g.starts), cuda.Upload(g.d, w.Part, g.part))
}

// sample launches the drawing of pairs, negatives and noise, and the listing of rows that receive gradients.
func (l *launcher) sample() {
	l.run("sample", lanePerPair)
	l.run("sample_shared", func(w *cuda.Work) int { return int(w.Blocks) })
	l.run("forget", where(composed, lanePerAnchor))
	l.run("lead", where(composed, lanePerAnchor))
	l.run("member_sums", where(composed, lanePerAnchor))
	l.run("member_tops", where(composed, oneWarp))
	l.run("member_starts", where(composed, lanePerAnchor))
	l.run("members", where(composed, warpPerAnchor))
	l.run("noise", func(w *cuda.Work) int {
		if w.MarginNet == 0 || w.Points != 0 {
			return 0
		}
		return parts(int(w.B)*parts(int((2+w.Own)*w.Half), 32)*8, 32)
	})
}

// sort lists the slots of each row, for the wanted tasks.
func (l *launcher) sort(wanted func(w *cuda.Work) bool) {
	l.run("count", where(wanted, lanePerSlot))
	l.run("scan_tiles", where(wanted, warpPerEntityTile))
	l.run("scan_tops", where(wanted, oneWarp))
	l.run("scan_write", where(wanted, warpPerEntityTile))
	l.run("place", where(wanted, lanePerSlot))
	l.run("rank", where(wanted, lanePerSlot))
}

// inner launches the inner losses and their gradient.
func (l *launcher) inner(t *Trainer) {
	for _, w := range l.tasks {
		w.X, w.Into = cmp.Or(w.Shrunk, w.Theta), 0
		w.Softmax, w.Margin = truth(t.cfg.Loss == "softmax"), float32(t.cfg.MarginValue)
	}
	l.run("anchors", where(notComposed, warpPerPair))
	across := func(w *cuda.Work) int { return int(w.Anchors) * columns(w) }
	l.run("compose_parts", where(composed, func(w *cuda.Work) int {
		return parts(int(w.SlotCount-w.MembersAt), 32) * columns(w)
	}))
	l.run("compose_sums", where(composed, across))
	l.run("part_sums", where(inParts, pairRuns))
	l.run("compose", where(composed, warpPerAnchor))
	l.margins()
	l.shared()
	l.run("pairs", where(func(w *cuda.Work) bool { return w.MarginNet == 0 && w.Negatives == 0 }, warpPerPair))
	l.run("tally", lanePerPair)
	l.run("totals", oneWarp)
	l.run("compose_back", where(composed, warpPerAnchor))
	l.run("groups", where(composed, across))
	l.run("runs", slotRuns)
	l.run("rows", warpPerRow)
}

// unit launches the kernels that need the length of G: the proxy, and in the outer step v′.
func (l *launcher) unit() {
	l.run("unit_products", where(ofUnitLength, warpPerRow))
	l.run("unit_tiles", where(ofUnitLength, warpPerRowTile))
	l.run("unit_length", where(ofUnitLength, oneWarp))
	l.run("unit_rows", where(ofUnitLength, warpPerRow))
}

// shared launches the softmax with negatives that blocks of anchors share.
func (l *launcher) shared() {
	blocks := func(warps func(w *cuda.Work) int) func(w *cuda.Work) int {
		return func(w *cuda.Work) int { return int(w.Blocks) * warps(w) }
	}
	eights := func(w *cuda.Work) int { return parts(int(w.Size), 8) }
	negatives := func(w *cuda.Work) int { return parts(int(w.Negatives), 32) }
	l.run("shared_gather", blocks(negatives))
	l.run("shared_distances", blocks(func(w *cuda.Work) int { return eights(w) * negatives(w) }))
	l.run("shared_softmax", where(func(w *cuda.Work) bool { return w.Blocks > 0 && w.Starts == 0 }, warpPerPair))
	l.run("shared_positives", where(inParts, warpPerPair))
	l.run("shared_softmax_of_parts", where(inParts, warpPerAnchor))
	l.run("part_gradients", where(inParts, pairRuns))
	l.run("shared_anchors", blocks(func(w *cuda.Work) int { return eights(w) * columns(w) }))
	l.run("shared_own", blocks(func(w *cuda.Work) int { return parts(int(w.Negatives), 8) * columns(w) }))
}

// margins launches the inner losses with margins from the networks.
func (l *launcher) margins() {
	printed := func(w *cuda.Work) bool { return w.MarginNet != 0 && w.Smooth == 0 }
	smooth := func(w *cuda.Work) bool { return w.MarginNet != 0 && w.Smooth > 0 }
	l.run("inputs", where(withNetwork, warpPerPair))
	l.run("hidden_pairs", where(withNetwork, pairUnits))
	l.run("hidden", where(withNetwork, func(w *cuda.Work) int { return widerProduct(int(w.B*w.Own), w.HiddenWidth) }))
	l.run("margins", where(withNetwork, warpPerPair))
	l.run("lift_constant", where(smooth, warpPerPair))
	l.run("back", where(printed, tripletInputs))
	l.run("back_pairs", where(printed, pairInputs))
	l.run("lift", where(printed, warpPerPair))
}

// outer launches the outer losses at the proxies, their gradients by Φ, and the steps of Φ.
func (l *launcher) outer(t *Trainer) {
	tasks := l.tasks
	defer func() { l.tasks = tasks }()
	l.tasks = slices.DeleteFunc(slices.Clone(tasks), func(w *cuda.Work) bool { return !withNetwork(w) })
	if len(l.tasks) == 0 {
		return
	}
	l.unit()
	anotherBatch := func(w *cuda.Work) bool { return w.OuterBatch != 0 }
	turn := func() { // swaps the inner batch and the outer one
		for _, w := range l.tasks {
			if anotherBatch(w) {
				w.Rows, w.OuterRows = w.OuterRows, w.Rows
			}
		}
		l.sort(anotherBatch)
	}
	l.run("sample_outer", where(anotherBatch, lanePerPair))
	turn()
	l.run("unseen", where(anotherBatch, warpPerRow))
	for _, w := range l.tasks {
		if anotherBatch(w) && l.err == nil { // rows of the inner batch alone have no gradient here
			l.err = l.d.Fill(w.V, 0, int(w.N)*2*int(w.Dim))
		}
		loss := t.tasks[w.Task].outerLoss
		w.X, w.Into = w.Proxy, 1
		w.Softmax, w.Margin = truth(loss.Kind == gaussian.Softmax), loss.Margin
		if loss.Kind == gaussian.Softmax {
			w.Inverse = 1 / loss.Temperature // unused by the inner loss of a network, a hinge
		}
	}
	l.run("anchors", warpPerPair)
	l.run("pairs", warpPerPair)
	l.run("tally", lanePerPair)
	l.run("totals", oneWarp)
	l.run("runs", slotRuns)
	l.run("rows", warpPerRow)
	turn()
	l.unit()
	l.gradient()
}

// gradient launches the gradients of the outer losses by Φ, and the steps of Φ.
func (l *launcher) gradient() {
	printed := func(w *cuda.Work) bool { return w.Smooth == 0 }
	l.run("weigh", where(func(w *cuda.Work) bool { return w.Smooth > 0 }, warpPerPair))
	l.run("directions", where(printed, warpPerPair))
	l.run("along_pairs", where(printed, pairUnits))
	l.run("along", where(printed, tripletUnits))
	l.run("second", where(printed, warpPerPair))
	l.run("gradient_q", func(w *cuda.Work) int { return chunks * widerProduct(int(w.HiddenWidth), w.Width) })
	l.run("gradient_p", func(w *cuda.Work) int { return chunks * widerProduct(int(w.HiddenWidth), w.PairWidth) })
	l.run("gradient_small", func(w *cuda.Work) int { return chunks * parts(int(w.HiddenWidth), 32) })
	l.run("gradient_sums", func(w *cuda.Work) int {
		return parts(int(w.HiddenWidth*(w.PairWidth+w.Width+2)+1)*chunks/chunkGroup, 32)
	})
	l.run("learn", func(w *cuda.Work) int { return parts(parameters(w), 32) })
	l.run("fold", foldWarps)
}

// parameters returns the number of values in Φ.
func parameters(w *cuda.Work) int {
	inputs := 3
	if w.Input == 2 { // margin.Add
		inputs = 1
	}
	return int(w.Hidden)*(inputs*int(w.Dim)+2) + 1
}

// foldWarps returns the number of warps that lay out Φ.
func foldWarps(w *cuda.Work) int { return parts(int(w.Hidden)*int(w.PairWidth+w.Width+2), 32) }

// noRow is the value of Bad if no row is bad.
const noRow = math.MaxUint32

// finite does the work of Trainer.finite on the figures of the step.
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

// undo restores the table and the networks to their state before the step.
func (g *onGPU) undo() error {
	var all, learned []*cuda.Work
	for k, w := range g.work {
		if w == nil {
			continue
		}
		all = append(all, w)
		if w.MarginNet != 0 && g.figures[4*k+2] > 0 {
			learned = append(learned, w)
		}
	}
	l := launcher{d: g.d, tasks: all}
	l.ofAll("undo", warpPerRow(all[0]))
	l.tasks = learned
	l.run("undo_network", func(w *cuda.Work) int { return parts(parameters(w), 32) })
	if l.err == nil {
		l.err = g.nothingBad(all[0])
	}
	return l.err
}

// nothingBad resets the report to all finite.
func (g *onGPU) nothingBad(w *cuda.Work) error {
	return errors.Join(g.d.Fill(w.Bad, noRow, 1), g.d.Fill(w.Bad+4, 0, 1))
}
