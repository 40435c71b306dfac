package learned

// Gradient collects what one part of a batch contributes to rows of parameters, in order. A row may come many times.
type Gradient struct {
	lists []list    // by parameter
	free  []float32 // what is left of the newest block
	full  [][]float32
	used  int // blocks of full that are in use
}

// list is what contributes to one parameter.
type list struct {
	rows  []int32
	grads [][]float32 // aligned with rows; Cols values each
}

// blockSize is how many values a block of a Gradient's memory has; blocks stay where they are, so that a caller may hold
// several rows at once.
const blockSize = 1 << 15

func newGradient(params int) *Gradient { return &Gradient{lists: make([]list, params)} }

// reset empties g and keeps its memory.
func (g *Gradient) reset() {
	for k := range g.lists {
		g.lists[k].rows, g.lists[k].grads = g.lists[k].rows[:0], g.lists[k].grads[:0]
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

// Row returns a new contribution to a row of p, zeros to be added to.
func (g *Gradient) Row(p *Param, row int32) []float32 {
	out := g.take(p.Cols)
	l := &g.lists[p.index]
	l.rows, l.grads = append(l.rows, row), append(l.grads, out)
	return out
}

// Lend makes values, Cols of them, a contribution to a row of p. They belong to g until the step is over, which may change them.
func (g *Gradient) Lend(p *Param, row int32, values []float32) {
	l := &g.lists[p.index]
	l.rows, l.grads = append(l.rows, row), append(l.grads, values)
}

// All returns a new contribution to all of p, Rows×Cols zeros to be added to.
func (g *Gradient) All(p *Param) []float32 {
	out := g.take(p.Rows * p.Cols)
	l := &g.lists[p.index]
	for r := range p.Rows {
		l.rows, l.grads = append(l.rows, int32(r)), append(l.grads, rowOf(out, r, p.Cols))
	}
	return out
}
