package learned

import (
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Model is one method: what it learns, from what, and how it ranks.
type Model interface {
	// Params are all that is learned, in a fixed order.
	Params() []*Param
	// Prepare sees all samples of a batch before any is learned from, and returns the part of the loss that is about
	// all of them together; Learn or Derive adds its gradient. It may use so many goroutines, and its result must not
	// depend on that.
	Prepare(workers int, samples []Sample) float64
	// Learn adds to g the gradient of the samples' loss and returns the loss, a sum over the samples and their
	// negatives. It is called by several goroutines at once, each with its own g, and reads the parameters only.
	Learn(g *Gradient, samples []Sample) float64
	// Bound holds a row of a parameter within its bounds after it was moved.
	Bound(p *Param, row []float32)
	// Scorer ranks by the present parameters, until they change. So many goroutines may be used to make it.
	Scorer(workers int) eval.Scorer
}

// Deriver is a Model part of whose gradient is known only when all samples are learned from: because some of its tables
// are functions of its parameters, made anew by Prepare, to which Learn contributes as to parameters; or because every
// sample contributes to every row of a large table, which is one matrix product.
type Deriver interface {
	Model
	// Derived are the tables that are functions of the parameters; may be none.
	Derived() []*Param
	// Propagate is called when all samples are learned from and the derived tables' sums (Param.Sum) are known: for
	// what is best done for all rows at once, on so many goroutines.
	Propagate(workers int)
	// Derive then adds to g what is to be added to one row of p, which may be nothing. It is called for every row of
	// every parameter, by several goroutines at once.
	Derive(g *Gradient, p *Param, row int32)
}

// Sample is what a step learns from: a positive pair with its negatives, or a whole user for methods that go through
// users.
type Sample struct {
	User      int32
	Positive  int32   // −1 for a whole user
	Negatives []int32 // Q items, see Settings.Owned; an item may come twice. nil for a whole user
	Place     int     // in the batch, from 0
	Counter   uint64  // of the random numbers that belong to it alone: its epoch and its place there
}

// Param is a table of parameters, moved row by row: an embedding, a weight matrix, a bias.
type Param struct {
	Name       string
	Rows, Cols int
	Data       []float32 // Rows×Cols

	m, v    []float32   // Adam's moments; m is nil where the rows turn
	lengths []float32   // Rows: of rows that turn (turning); nil: Adam moves all rows as they are
	moved   []float32   // Rows: the last step in which a row turned; nil as lengths
	index   int         // in the model's Params
	local   []int32     // Rows: while a step lists its contributions, how many a row has, then its place; else 0
	sums    [][]float32 // Rows: of a derived table, the gradient of the present step; nil: none
}

// NewParam returns a table of zeros.
func NewParam(name string, rows, cols int) *Param {
	n := rows * cols
	return &Param{
		Name: name, Rows: rows, Cols: cols, Data: parallel.Zeros(n),
		m: parallel.Zeros(n), v: parallel.Zeros(n), local: make([]int32, rows),
	}
}

// NewDerived returns a table that is no parameter but a function of some, see Deriver.
func NewDerived(name string, rows, cols int) *Param {
	return &Param{
		Name: name, Rows: rows, Cols: cols, Data: parallel.Zeros(rows * cols),
		local: make([]int32, rows), sums: make([][]float32, rows),
	}
}

// Sum returns the gradient of row r of a derived table in the present step; nil: none.
func (p *Param) Sum(r int32) []float32 { return p.sums[r] }

// Row returns row r, Cols values inside the table.
func (p *Param) Row(r int32) []float32 { return vec.Row(p.Data, int(r), p.Cols) }
