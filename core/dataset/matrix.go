package dataset

import (
	"fmt"
	"slices"
)

// Matrix is a binary matrix in compressed sparse rows. Row r holds the columns Indices[Offsets[r]:Offsets[r+1]],
// strictly ascending. For interactions rows are users and columns are items: U×I. The zero value is the 0×0 matrix.
type Matrix struct {
	Cols    int     // number of columns
	Offsets []int   // rows+1, ascending, Offsets[0] = 0
	Indices []int32 // nnz
}

// Pair is one interaction by index.
type Pair struct{ Row, Col int32 }

// NewMatrix builds a rows×cols matrix from pairs in any order; duplicates are merged. pairs is not kept and not
// changed. It panics with IndexError if a pair lies outside. O(nnz log of the longest row).
func NewMatrix(rows, cols int, pairs []Pair) *Matrix {
	m := &Matrix{Cols: cols, Offsets: make([]int, rows+1), Indices: make([]int32, len(pairs))}
	for _, p := range pairs {
		if uint(p.Row) >= uint(rows) || uint(p.Col) >= uint(cols) {
			panic(IndexError{p, rows, cols})
		}
		m.Offsets[p.Row+1]++
	}
	for r := range rows {
		m.Offsets[r+1] += m.Offsets[r]
	}
	next := slices.Clone(m.Offsets[:rows])
	for _, p := range pairs {
		m.Indices[next[p.Row]] = p.Col
		next[p.Row]++
	}
	w := 0
	for r := range rows {
		row := m.Indices[m.Offsets[r]:m.Offsets[r+1]]
		slices.Sort(row)
		m.Offsets[r] = w
		for i, c := range row {
			if i == 0 || c != row[i-1] {
				m.Indices[w] = c
				w++
			}
		}
	}
	m.Offsets[rows] = w
	m.Indices = m.Indices[:w:w]
	return m
}

// IndexError is the value NewMatrix panics with for a pair outside the matrix.
type IndexError struct {
	Pair       Pair
	Rows, Cols int
}

func (e IndexError) Error() string {
	return fmt.Sprintf("dataset: pair (%d, %d) lies outside a %d×%d matrix", e.Pair.Row, e.Pair.Col, e.Rows, e.Cols)
}

// Rows returns the number of rows.
func (m *Matrix) Rows() int { return max(len(m.Offsets)-1, 0) }

// Len returns the number of ones.
func (m *Matrix) Len() int { return len(m.Indices) }

// Row returns the columns of row r, ascending. The slice belongs to the matrix.
func (m *Matrix) Row(r int) []int32 { return m.Indices[m.Offsets[r]:m.Offsets[r+1]:m.Offsets[r+1]] }

// Contains reports whether entry (r, c) is one. O(log of the row's length).
func (m *Matrix) Contains(r int, c int32) bool {
	_, ok := slices.BinarySearch(m.Row(r), c)
	return ok
}

// Transpose returns the matrix with rows and columns exchanged. O(nnz).
func (m *Matrix) Transpose() *Matrix {
	t := &Matrix{Cols: m.Rows(), Offsets: make([]int, m.Cols+1), Indices: make([]int32, m.Len())}
	for _, c := range m.Indices {
		t.Offsets[c+1]++
	}
	for c := range m.Cols {
		t.Offsets[c+1] += t.Offsets[c]
	}
	next := slices.Clone(t.Offsets[:m.Cols])
	for r := range m.Rows() {
		for _, c := range m.Row(r) {
			t.Indices[next[c]] = int32(r)
			next[c]++
		}
	}
	return t
}
