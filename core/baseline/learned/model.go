package learned

import "github.com/pmlam/pmlam/core/eval"

// Model is one method: what it learns, from what, and how it ranks.
type Model interface {
	// Params are all that is learned, in a fixed order.
	Params() []*Param
	// Prepare sees all samples of a batch before any is learned from, and returns the part of the loss that is about all of
	// them together; Learn adds its gradient.
	Prepare(samples []Sample) float64
	// Learn adds to g the gradient of the samples' loss and returns the loss, a sum over the samples and their negatives. It
	// is called by several goroutines at once, each with its own g, and reads the parameters only.
	Learn(g *Gradient, samples []Sample) float64
	// Bound holds a row of a parameter within its bounds after it was moved.
	Bound(p *Param, row []float32)
	// Scorer ranks by the present parameters.
	Scorer() eval.Scorer
}

// Deriver is a Model some of whose tables are functions of its parameters, made anew by Prepare. Learn contributes to
// them as to parameters; their sums are then handed on.
type Deriver interface {
	Model
	// Derived are these tables.
	Derived() []*Param
	// Derive adds to g what the sums of the derived tables (Param.Sum) say of one row of p, which may be nothing. It is
	// called for every row of every parameter, by several goroutines at once.
	Derive(g *Gradient, p *Param, row int32)
}

// Sample is a positive pair with its negatives.
type Sample struct {
	User, Positive int32
	Negatives      []int32 // Q items that the user does not have; an item may come twice
}

// Param is a table of parameters, moved row by row: an embedding, a weight matrix, a bias.
type Param struct {
	Name       string
	Rows, Cols int
	Data       []float32 // Rows×Cols

	m, v  []float32   // Adam's moments
	index int         // in the model's Params
	local []int32     // Rows: place among the rows that a step touches + 1; 0: not touched
	sums  [][]float32 // Rows: of a derived table, the gradient of the present step; nil: none
}

// NewParam returns a table of zeros.
func NewParam(name string, rows, cols int) *Param {
	n := rows * cols
	return &Param{Name: name, Rows: rows, Cols: cols, Data: make([]float32, n), m: make([]float32, n), v: make([]float32, n), local: make([]int32, rows)}
}

// NewDerived returns a table that is no parameter but a function of some, see Deriver.
func NewDerived(name string, rows, cols int) *Param {
	return &Param{Name: name, Rows: rows, Cols: cols, Data: make([]float32, rows*cols), local: make([]int32, rows), sums: make([][]float32, rows)}
}

// Sum returns the gradient of row r of a derived table in the present step; nil: none.
func (p *Param) Sum(r int32) []float32 { return p.sums[r] }

// Row returns row r, Cols values inside the table.
func (p *Param) Row(r int32) []float32 { return rowOf(p.Data, int(r), p.Cols) }

func rowOf(x []float32, r, width int) []float32 { return x[r*width : (r+1)*width : (r+1)*width] }
