package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sieveOf is a sieve of all rows of a block of width w.
func sieveOf(w int, rows []float32, sift Sift) *Sieve {
	return NewSieve(len(rows)/w, w, func(i int, _ []float32) []float32 { return rows[i*w : (i+1)*w] }, nil, sift, nil)
}

// sorting sorts all of keep.
func sorting(rows, query, bonus []float32, k int, keep Set) []Hit {
	var out []Hit
	w := len(query)
	for i := range len(rows) / w {
		if keep.Has(i) {
			out = append(out, Hit{i, cost(W2Squared(query, rows[i*w:(i+1)*w]), bonus, i)})
		}
	}
	slices.SortFunc(out, func(a, b Hit) int {
		switch {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
	return out[:min(k, len(out))]
}

// any rows, any query, any filter, any bonus, ties among them: what is found is what sorting finds, to the bit.
func TestSieveIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, n := rapid.SampledFrom([]int{1, 2, 5, 40, 63, 64, 70, 100}).Draw(t, "w"), rapid.SampledFrom([]int{1, 2, 7, 300, 9001}).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		size := math.Pow(10, float64(rapid.SampledFrom([]int{-25, -6, 0, 0, 0, 0, 6, 18, 30}).Draw(t, "size")))
		fall := rapid.SampledFrom([]float64{0, 0.02, 1}).Draw(t, "fall")            // of the directions: all alike, as in trained models, one above all
		away := rapid.SampledFrom([]float64{0, 0, 1, 1e4}).Draw(t, "away")          // of all from the origin
		kinds := rapid.SampledFrom([]int{1, 40, 1 << 30, 1 << 30}).Draw(t, "kinds") // of rows: all the same, many ties, hardly any
		ordered := rapid.Bool().Draw(t, "the farthest first")
		draw := func() []float32 {
			x := make([]float32, w)
			for d := range x {
				x[d] = float32(size * (away + r.NormFloat64()*math.Exp(-fall*float64(d))))
			}
			return x
		}
		var pool [][]float32
		for range min(kinds, n) {
			pool = append(pool, draw())
		}
		query := draw()
		switch rapid.IntRange(0, 3).Draw(t, "query") {
		case 0:
			copy(query, pool[0])
		case 1:
			clear(query)
		}
		var each [][]float32
		for range n {
			each = append(each, pool[r.IntN(len(pool))])
		}
		if ordered {
			slices.SortFunc(each, func(a, b []float32) int {
				if W2Squared(query, a) > W2Squared(query, b) {
					return -1
				}
				return 1
			})
		}
		rows := slices.Concat(each...)
		var keep Set
		if rapid.Bool().Draw(t, "filtered") {
			keep = NewSet(n)
			for range rapid.IntRange(0, n).Draw(t, "kept") {
				keep.Add(r.IntN(n))
			}
		}
		var bonus []float32
		if rapid.Bool().Draw(t, "bonus") {
			bonus = make([]float32, n)
			for range rapid.IntRange(0, n).Draw(t, "bonuses") {
				bonus[r.IntN(n)] = float32(size * size * r.NormFloat64())
			}
			if size > 1e18 {
				bonus = nil // no float32
			}
		}
		k := rapid.SampledFrom([]int{0, 1, 10, 150}).Draw(t, "k")
		if got, want := sieveOf(w, rows, nil).Nearest(nil, query, bonus, k, keep), sorting(rows, query, bonus, k, keep); !slices.Equal(got, want) {
			t.Fatalf("of %d rows of %d:\n%v\nsorting finds\n%v", n, w, got, want)
		}
	})
}

// f brings no two rows farther apart, but for what it says it may be off by.
func TestLensBringsNothingApart(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, w := range []int{1, 10, 63, 64, 100, 200} {
		rows := make([]float32, 500*w)
		for i := range rows {
			rows[i] = float32(r.NormFloat64())
		}
		s := sieveOf(w, rows, nil)
		a, b := s.lens.looking(), s.lens.looking()
		for i := range 499 {
			x, y := rows[i*w:(i+1)*w], rows[(i+1)*w:(i+2)*w]
			off := s.lens.look(&a, x, s.scan) + s.lens.look(&b, y, s.scan)
			between := 0.0
			for j := range a.numbers {
				between += (a.numbers[j] - b.numbers[j]) * (a.numbers[j] - b.numbers[j])
			}
			apart := math.Sqrt(W2Squared(x, y))
			if math.Sqrt(between) > apart+off || w < 64 && math.Sqrt(between) < apart-off {
				t.Fatalf("w = %d: %v apart, by their numbers %v, which may be off by %v", w, apart, math.Sqrt(between), off)
			}
			if w != 64 && off > 0.02*math.Sqrt(float64(w)) { // 64: r is a single number, near 0, of which the square is known
				t.Fatalf("w = %d: the numbers may be off by %v", w, off)
			}
		}
	}
}

func TestSieveRefuses(t *testing.T) {
	s := sieveOf(4, make([]float32, 40), nil)
	for name, f := range map[string]func(){
		"query": func() { s.Nearest(nil, make([]float32, 3), nil, 1, nil) },
		"bonus": func() { s.Nearest(nil, make([]float32, 4), make([]float32, 9), 1, nil) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(LengthError); !ok {
					t.Errorf("%s: no LengthError", name)
				}
			}()
			f()
		}()
	}
}
