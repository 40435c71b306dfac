package dataset

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestMatrix compares the compressed rows with a dense table of booleans.
func TestMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		rows, cols := r.IntN(8), 1+r.IntN(8)
		dense := map[Pair]bool{}
		var list []Pair
		for range r.IntN(40) * min(rows, 1) {
			p := Pair{r.Int32N(int32(rows)), r.Int32N(int32(cols))}
			list = append(list, p)
			dense[p] = true
		}
		m := NewMatrix(rows, cols, list)
		checkMatrix(t, m)
		if m.Rows() != rows || m.Len() != len(dense) {
			t.Fatalf("%d rows, %d ones; want %d, %d", m.Rows(), m.Len(), rows, len(dense))
		}
		tr := m.Transpose()
		checkMatrix(t, tr)
		for u := range rows {
			for i := range cols {
				want := dense[Pair{int32(u), int32(i)}]
				if m.Contains(u, int32(i)) != want || tr.Contains(i, int32(u)) != want {
					t.Fatalf("(%d, %d) is %v; want %v", u, i, m.Contains(u, int32(i)), want)
				}
			}
		}
		if back := tr.Transpose(); back.Cols != m.Cols || !reflect.DeepEqual(back.Offsets, m.Offsets) ||
			len(back.Indices) != len(m.Indices) {
			t.Fatal("transposing twice is not the matrix itself")
		}
	}
	if new(Matrix).Rows() != 0 || new(Matrix).Len() != 0 {
		t.Error("the zero value is not 0×0")
	}
	for _, p := range []Pair{{2, 0}, {0, 3}, {-1, 0}, {0, -1}} {
		func() {
			defer func() {
				if _, ok := recover().(IndexError); !ok {
					t.Errorf("%v does not panic with IndexError", p)
				}
			}()
			NewMatrix(2, 3, []Pair{p})
		}()
	}
}
