package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// A row that was kept in codes once is kept as it is; any other is off by half a scale at most.
func TestCodedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const h = 13
	once, twice := NewCoded(h, 0), NewCoded(h, 100)
	row, again := make([]float32, 2*h), make([]float32, 2*h)
	for i := range 100 {
		top := 0.0
		for d := range h {
			row[d], row[h+d] = float32(r.NormFloat64()), max(float32(r.Float64()*r.Float64()), gaussian.MinStddev)
			top = max(top, math.Abs(float64(row[d])))
		}
		once.Append(row)
		once.Row(i, again)
		for d := range 2 * h {
			if math.Abs(float64(row[d]-again[d])) > 1.01*max(top/127, 1.0/255)/2 {
				t.Fatalf("row %d, number %d: %v became %v", i, d, row[d], again[d])
			}
		}
		twice.Append(again)
		twice.Row(i, row)
		if !slices.Equal(row, again) {
			t.Fatalf("row %d was\n%v and is\n%v", i, again, row)
		}
	}
	if once.Len() != 100 || twice.Len() != 100 {
		t.Errorf("%d and %d rows", once.Len(), twice.Len())
	}
	defer func() {
		if _, ok := recover().(LengthError); !ok {
			t.Error("half a row: no LengthError")
		}
	}()
	once.Append(row[:h])
}
