package learned

import "github.com/pmlam/pmlam/core/internal/vec"

// Gradient collects one batch part's contributions to rows of parameters, in order. A row may occur many times.
type Gradient struct {
	lists []list    // by parameter
	free  []float32 // rest of the newest block
	full  [][]float32
	used  int // blocks of full in use
}

// list holds the contributions to one parameter.
type list struct {
	rows   []int32
	scales []float32
	grads  [][]float32 // Cols values each; a contribution is its scale times these
}

func (l *list) add(row int32, scale float32, values []float32) {
	l.rows, l.scales, l.grads = append(l.rows, row), append(l.scales, scale), append(l.grads, values)
}

// blockSize is the number of values in a block of a Gradient's memory. Blocks do not move, so a caller may hold several
// rows at once.
const blockSize = 1 << 15

func newGradient(params int) *Gradient { return &Gradient{lists: make([]list, params)} }

// reset empties g but keeps its memory.
func (g *Gradient) reset() {
	for k := range g.lists {
		l := &g.lists[k]
		l.rows, l.scales, l.grads = l.rows[:0], l.scales[:0], l.grads[:0]
	}
	g.used, g.free = 0, nil
}

// take returns n zeros.
func (g *Gradient) take(n int) []float32 {
	if n > len(g.free) {
		if n > blockSize {
			return make([]float32, n)
		}
		if g.used == len(g.full) {
			g.full = append(g.full, make([]float32, blockSize))
		}
		g.free = g.full[g.used]
		g.used++
	}
	out := g.free[:n:n]
	g.free = g.free[n:]
	clear(out)
	return out
}

// Row returns a new contribution to a row of p: zeros to add to.
func (g *Gradient) Row(p *Param, row int32) []float32 {
	out := g.take(p.Cols)
	g.lists[p.index].add(row, 1, out)
	return out
}

// AddScaled adds scale·values, Cols of them, as a contribution to a row of p. It does not copy, so values must not
// change until the sums are made; rows of parameters do not. It saves memory traffic if many rows get multiples of one
// row.
func (g *Gradient) AddScaled(p *Param, row int32, scale float32, values []float32) {
	g.lists[p.index].add(row, scale, values)
}

// All returns a new contribution to all of p: Rows×Cols zeros to add to.
func (g *Gradient) All(p *Param) []float32 {
	out := g.take(p.Rows * p.Cols)
	for r := range p.Rows {
		g.lists[p.index].add(int32(r), 1, vec.Row(out, r, p.Cols))
	}
	return out
}
