package learned

import (
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Model is a method: its parameters, its gradient, its ranking.
type Model interface {
	// Params returns all parameters, in a fixed order.
	Params() []*Param
	// Prepare sees all samples of a batch before Learn, and returns the part of the loss that concerns them together;
	// Learn or Derive adds its gradient. It may use that many goroutines, but its result must not depend on the number.
	Prepare(workers int, samples []Sample) float64
	// Learn adds the gradient of the samples' loss to g and returns the loss, a sum over the samples and their
	// negatives. Several goroutines call it at once, each with its own g. It only reads the parameters.
	Learn(g *Gradient, samples []Sample) float64
	// Bound restores the bounds of a parameter's row after a step.
	Bound(p *Param, row []float32)
	// Scorer ranks by the current parameters until they change. It may be built by that many goroutines.
	Scorer(workers int) eval.Scorer
}

// Deriver is a Model with a gradient that is complete only after all samples: either some of its tables are functions
// of its parameters, computed by Prepare, to which Learn contributes as to parameters; or every sample contributes to
// every row of a large table, as one matrix product.
type Deriver interface {
	Model
	// Derived returns the tables that are functions of the parameters; may be none.
	Derived() []*Param
	// Propagate runs after all samples, when the sums of the derived tables (Param.Sum) are known. It does the work for
	// all rows at once, on that many goroutines.
	Propagate(workers int)
	// Derive then adds the rest of the gradient of one row of p to g, which may be nothing. Several goroutines at once
	// call it for every row of every parameter.
	Derive(g *Gradient, p *Param, row int32)
}

// Sample is a unit of learning: a positive pair with its negatives, or a whole user for methods that pass over users.
type Sample struct {
	User      int32
	Positive  int32   // −1 for a whole user
	Negatives []int32 // Q items, see Settings.Owned; repeats are possible. nil for a whole user
	Place     int     // in the batch, from 0
	Counter   uint64  // identifies the sample's own random numbers: its epoch and its place there
}

// Param is a table of parameters, updated row by row: an embedding, a weight matrix, a bias.
type Param struct {
	Name       string
	Rows, Cols int
	Data       []float32 // Rows×Cols

	m, v    []float32   // Adam's moments; m is nil for turning rows
	lengths []float32   // Rows: lengths of turning rows (turning); nil: Adam moves all rows as they are
	moved   []float32   // Rows: the last step in which a row turned; nil as lengths
	index   int         // in the model's Params
	local   []int32     // Rows: while a step lists contributions, their number per row, then the row's place; else 0
	sums    [][]float32 // Rows: gradient of a derived table in the current step; nil: none
}

// NewParam returns a table of zeros.
func NewParam(name string, rows, cols int) *Param {
	n := rows * cols
	return &Param{
		Name: name, Rows: rows, Cols: cols, Data: parallel.Zeros(n),
		m: parallel.Zeros(n), v: parallel.Zeros(n), local: make([]int32, rows),
	}
}

// NewDerived returns a table that is a function of parameters, see Deriver.
func NewDerived(name string, rows, cols int) *Param {
	return &Param{
		Name: name, Rows: rows, Cols: cols, Data: parallel.Zeros(rows * cols),
		local: make([]int32, rows), sums: make([][]float32, rows),
	}
}

// Sum returns the gradient of row r of a derived table in the current step; nil: none.
func (p *Param) Sum(r int32) []float32 { return p.sums[r] }

// Row returns row r, Cols values inside the table.
func (p *Param) Row(r int32) []float32 { return vec.Row(p.Data, int(r), p.Cols) }
