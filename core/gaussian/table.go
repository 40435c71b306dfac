package gaussian

import (
	"fmt"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// MinStddev is the floor ε > 0 of every standard deviation. The paper leaves it open; 1e-3 is our choice.
const MinStddev = 1e-3

// Table is N diagonal Gaussians of dimension h in one block of memory, row after row: N×2h float32. The zero value is
// an empty table of dimension 0.
type Table struct {
	n, h int
	data []float32 // N×2h
}

// NewTable returns a table of n Gaussians of dimension h, all zero. It panics with ShapeError if n < 0 or h < 1.
func NewTable(n, h int) *Table {
	if n < 0 || h < 1 {
		panic(ShapeError{N: n, H: h, Len: n * 2 * h})
	}
	return &Table{n: n, h: h, data: make([]float32, n*2*h)}
}

// TableOf wraps data (n×2h, not copied) as a table of dimension h. It panics with ShapeError if len(data) is not a
// multiple of 2h.
func TableOf(h int, data []float32) *Table {
	if h < 1 || len(data)%(2*h) != 0 {
		panic(ShapeError{N: -1, H: h, Len: len(data)})
	}
	return &Table{n: len(data) / (2 * h), h: h, data: data}
}

// ShapeError is the value that this package's functions panic with for impossible shapes.
type ShapeError struct {
	N, H, Len int // rows (−1: to be derived), dimension, number of values
}

func (e ShapeError) Error() string {
	return fmt.Sprintf("gaussian: %d values cannot be a table of dimension %d (%d rows of %d)", e.Len, e.H, e.N, 2*e.H)
}

// Len returns N, the number of Gaussians.
func (t *Table) Len() int { return t.n }

// Dim returns h, the dimension of a mean.
func (t *Table) Dim() int { return t.h }

// Data returns the block itself, N×2h. Changes affect the table.
func (t *Table) Data() []float32 { return t.data }

// Row returns θ_i = [μ_i; s_i], 2h values inside the block.
func (t *Table) Row(i int) []float32 {
	w := 2 * t.h
	return t.data[i*w : (i+1)*w : (i+1)*w]
}

// Mean returns μ_i, h values inside the block.
func (t *Table) Mean(i int) []float32 { return t.Row(i)[:t.h:t.h] }

// Stddev returns s_i = Σ_i^{1/2}, h values inside the block.
func (t *Table) Stddev(i int) []float32 { return t.Row(i)[t.h:] }

// Clone returns a copy that shares no memory with t.
func (t *Table) Clone() *Table {
	return &Table{n: t.n, h: t.h, data: append([]float32(nil), t.data...)}
}

// W2Squared returns W2²(a,b) = ‖a−b‖² of two rows of equal length 2h (Eq. 3). O(h).
func W2Squared(a, b []float32) float32 { return vec.SquaredDistance(a, b) }
