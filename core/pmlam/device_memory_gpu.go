//go:build gpu && linux

package pmlam

import "github.com/pmlam/pmlam/core/internal/cuda"

// need is a block of 32-bit values that steps need on a GPU.
type need struct {
	at     *cuda.Ptr // where to store its address
	values int
	zero   bool // initially zero
}

type needs []need

// plain adds blocks of values without initial content.
func (all *needs) plain(values int, at ...*cuda.Ptr) {
	for _, p := range at {
		*all = append(*all, need{p, values, false})
	}
}

// zero adds blocks of values that are initially 0.
func (all *needs) zero(values int, at ...*cuda.Ptr) {
	for _, p := range at {
		*all = append(*all, need{p, values, true})
	}
}

// room lists the memory that steps need: the tasks' common memory, whose addresses go to shared, and each task's own,
// whose addresses go to g.work.
func (g *onGPU) room(shared *cuda.Work) needs {
	var all needs
	n, width := g.t.theta.Len(), 2*g.t.cfg.Dim
	all.plain(n*width, &shared.Theta, &shared.Moment, &shared.Variance)
	all.zero(2*len(g.figures), &shared.Report)
	if g.t.shrunk != nil {
		all.plain(n*width, &shared.Shrunk)
		all.zero(n, &shared.Moved)
	}
	for k, w := range g.work {
		if w == nil {
			continue
		}
		g.roomOf(&all, w)
		if w.MarginNet != 0 {
			g.roomOfNetwork(&all, w, len(g.t.tasks[k].opt.m))
		}
	}
	return all
}

// roomOf adds the memory of a task's gradient and batch.
func (g *onGPU) roomOf(all *needs, w *cuda.Work) {
	t := g.t
	n, width, entities := t.theta.Len(), 2*t.cfg.Dim, int(w.Users+w.Items)
	all.plain(n*width, &w.Grad)
	all.zero(n, &w.Seen)
	all.zero(entities+1, &w.Count)
	all.plain(entities+1, &w.Start)
	all.plain(tiles(entities), &w.Tops)

	b := min(t.cfg.Batch, len(t.pairs))
	blocks := 0
	if w.Negatives > 0 {
		blocks = parts(b, int(w.Size))
	}
	slots := b*int(w.Per) + blocks*int(w.Negatives)
	dense := 2 * b
	if w.MarginNet != 0 || w.Negatives > 0 {
		dense += slots
	}
	if w.Composed != 0 {
		dense += b
		slots += g.mostMembers(b)
		all.plain(b*width, &w.Sums)
		all.plain(b, &w.Scales, &w.Members)
		all.plain(parts(b, 32), &w.MemberTops)
		all.plain(t.train.Rows(), &w.Leads)
	}
	if w.Composed != 0 && t.cfg.UserParts > 0 {
		all.plain(b+1, &w.Starts)
		all.plain(b, &w.Part)
		all.plain(g.largestPart()+1, &w.PartWeights)
	}
	all.plain(slots, &w.Rows, &w.Ticket, &w.Unsorted, &w.Slots, &w.Src, &w.Coef, &w.Self, &w.PartialSelf)
	all.plain(dense*width, &w.Dense)
	all.plain(slots*width, &w.Partial)
	all.plain(b, &w.Values, &w.DP)
	all.plain(max(b*int(w.Own), b*int(w.Negatives)), &w.DQ)
	all.plain(blocks*int(w.Negatives)*width, &w.Across)
	all.plain(2*3*parts(b, 32), &w.Tallies) // of 64 bits
}

// roomOfNetwork adds the memory of a task's margin network with the given number of parameters.
func (g *onGPU) roomOfNetwork(all *needs, w *cuda.Work, parameters int) {
	t := g.t
	n, width, b := t.theta.Len(), 2*t.cfg.Dim, min(t.cfg.Batch, len(t.pairs))
	triplets, half := b*int(w.Own), int(w.Half)
	hidden, pairWidth := int(w.HiddenWidth), int(w.PairWidth)
	all.plain(n*width, &w.Proxy, &w.V)
	if w.OuterBatch != 0 {
		all.plain(b*int(w.Per), &w.OuterRows)
	}
	if w.UnitProxy != 0 {
		all.plain(n, &w.Products)
		all.plain(2*tiles(n), &w.Tiles) // of 64 bits
		all.plain(2*3, &w.Unit)
	}
	all.plain((2*b+triplets)*half, &w.Eps)
	// Padding after h and H in a row, and the rows of unused pairs, are multiplied by zeros and never written.
	all.zero(b*pairWidth, &w.PairIn, &w.PairOut)
	all.zero(triplets*half, &w.In, &w.Out)
	all.zero(triplets*hidden, &w.G, &w.E, &w.D)
	all.plain(triplets, &w.Margins, &w.Sigma, &w.Active)
	all.plain(b*hidden, &w.Pre, &w.SumE, &w.SumD, &w.PairW2)
	all.plain(b, &w.PairB2)
	all.plain(chunks*hidden*pairWidth, &w.PartP)
	all.plain(chunks*hidden*half, &w.PartQ)
	all.plain(chunks*(2*hidden+1), &w.PartSmall)
	all.plain(parameters, &w.Phi, &w.PhiM, &w.PhiV, &w.PhiOld)
	all.zero(hidden*pairWidth, &w.P, &w.PT)
	all.zero(hidden*half, &w.Q, &w.QT)
	all.zero(2*hidden, &w.Small)
}

// allocate allocates all needs, or none of them.
func (g *onGPU) allocate(all needs) error {
	bytes := g.constants()
	for _, need := range all {
		bytes += 4 * uint64(need.values)
	}
	if err := g.d.Reserve(bytes); err != nil {
		return err
	}
	c := copier{g: g}
	for _, need := range all {
		*need.at = c.room(4 * need.values)
		if c.err == nil && need.zero {
			c.err = g.d.Fill(*need.at, 0, need.values)
		}
	}
	return c.err
}

// tiles returns the number of tiles that the counts of entities are summed in; sort.cu has the same number.
func tiles(entities int) int { return (entities + 1 + 1023) / 1024 }
