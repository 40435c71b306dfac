//go:build gpu && linux

package pmlam

import "github.com/pmlam/pmlam/core/internal/cuda"

// need is a block of 32-bit values that steps need on a GPU.
type need struct {
	at     *cuda.Ptr // where its address is entered
	values int
	zero   bool // it begins with zeros
}

// room lists the memory that the steps need: what the tasks share, whose addresses go to w, and each network's own,
// whose addresses go to g.work. The tasks use the same memory for their batches, as large as the largest of them needs.
func (g *onGPU) room(w *cuda.Work) (needs []need) {
	t := g.t
	plain := func(values int, at ...*cuda.Ptr) {
		for _, p := range at {
			needs = append(needs, need{p, values, false})
		}
	}
	zero := func(values int, at ...*cuda.Ptr) {
		for _, p := range at {
			needs = append(needs, need{p, values, true})
		}
	}
	n, width, entities := t.theta.Len(), 2*t.cfg.Dim, t.train.Rows()+t.train.Cols
	plain(n*width, &w.Theta, &w.Moment, &w.Variance, &w.Grad)
	zero(n, &w.Seen)
	plain(2*len(g.figures), &w.Report)
	plain(entities+1, &w.Count, &w.Start)
	plain(tiles(entities), &w.Tops)

	// The largest batch of any task.
	b := min(t.cfg.Batch, len(t.pairs))
	var slots, triplets, shared, blocks, hidden, pairWidth, dense int
	for _, w := range g.work {
		if w == nil {
			continue
		}
		if w.Negatives > 0 {
			shared, blocks = int(w.Negatives), (b+int(w.Size)-1)/int(w.Size)
		}
		mine := b*int(w.Per) + blocks*int(w.Negatives)
		slots, triplets = max(slots, mine), max(triplets, b*int(w.Own))
		hidden, pairWidth = max(hidden, int(w.HiddenWidth)), max(pairWidth, int(w.PairWidth))
		if w.MarginNet != 0 || w.Negatives > 0 {
			dense = max(dense, mine)
		}
	}
	if t.cfg.UserWeight > 0 {
		slots = max(slots, b*int(g.work[userItem].Per)+blocks*shared+g.mostMembers(b))
		dense += b
	}
	plain(slots, &w.Rows, &w.Ticket, &w.Unsorted, &w.Slots, &w.Src, &w.Coef, &w.Self, &w.PartialSelf)
	plain((2*b+dense)*width, &w.Dense)
	plain(slots*width, &w.Partial)
	plain(b, &w.Values, &w.DP)
	plain(max(triplets, b*shared), &w.DQ)
	plain(blocks*shared*width, &w.Across)
	if t.cfg.UserWeight > 0 {
		plain(b*width, &w.Sums)
		plain(b, &w.Scales, &w.Members)
		plain(t.train.Rows(), &w.Leads)
	}
	if !t.cfg.adaptive() {
		return needs
	}
	half := t.half()
	plain(n*width, &w.Proxy, &w.V)
	if t.cfg.OuterBatch != SameBatch {
		plain(slots, &w.OuterRows)
	}
	if t.cfg.UnitProxy {
		plain(n*width, &w.TaskGrad)
		plain(n, &w.Products)
		plain(2*tiles(n), &w.Tiles) // of 64 bits
		plain(2*3, &w.Unit)
	}
	plain((2*b+triplets)*half, &w.Eps)
	// What stands behind h and H in a row, and what belongs to pairs that take no part, is multiplied by zeros and
	// never written.
	zero(b*pairWidth, &w.PairIn, &w.PairOut)
	zero(triplets*half, &w.In, &w.Out)
	zero(triplets*hidden, &w.G, &w.E, &w.D)
	plain(triplets, &w.Margins, &w.Sigma, &w.Active)
	plain(b*hidden, &w.Pre, &w.SumE, &w.SumD, &w.PairW2)
	plain(b, &w.PairB2)
	plain(chunks*hidden*pairWidth, &w.PartP)
	plain(chunks*hidden*half, &w.PartQ)
	plain(chunks*(2*hidden+1), &w.PartSmall)
	for k, w := range g.work {
		if w != nil && w.MarginNet != 0 {
			plain(len(t.tasks[k].opt.m), &w.Phi, &w.PhiM, &w.PhiV, &w.PhiOld)
			zero(hidden*pairWidth, &w.P, &w.PT)
			zero(hidden*half, &w.Q, &w.QT)
			zero(2*hidden, &w.Small)
		}
	}
	return needs
}

// allocate allocates all needs, or nothing.
func (g *onGPU) allocate(needs []need) error {
	bytes := g.constants()
	for _, need := range needs {
		bytes += 4 * uint64(need.values)
	}
	if err := g.d.Reserve(bytes); err != nil {
		return err
	}
	c := copier{g: g}
	for _, need := range needs {
		*need.at = c.room(4 * need.values)
		if c.err == nil && need.zero {
			c.err = g.d.Fill(*need.at, 0, need.values)
		}
	}
	return c.err
}

// tiles returns in how many parts the counts of the entities are added up; sort.cu says so too.
func tiles(entities int) int { return (entities + 1 + 1023) / 1024 }
