package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/gaussian"
	"pgregory.net/rapid"
)

// codedOf codes all rows of a block.
func codedOf(h int, rows []float32, sift Sift) *Coded {
	c := NewCoded(h, len(rows)/(2*h), sift)
	for ; len(rows) > 0; rows = rows[2*h:] {
		c.Append(rows[:2*h])
	}
	return c
}

// sorting sorts all of keep.
func sorting(c *Coded, query []float32, k int, keep Set) []Hit {
	var out []Hit
	row := make([]float32, len(query))
	for i := range c.Len() {
		if keep.Has(i) {
			c.Row(row, i)
			out = append(out, Hit{i, W2Squared(query, row)})
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

// any table, any query, any filter, ties among them: what is found is what sorting finds, to the bit.
func TestCodedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, n := rapid.IntRange(1, 21).Draw(t, "h"), rapid.IntRange(1, 3000).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		size := float32(math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "size"))))
		wide := rapid.SampledFrom([]float32{0, 1e-4, 0.1, 3}).Draw(t, "σ") // the floor, and what outweighs the means
		kinds := rapid.SampledFrom([]int{1, 40, 1 << 30}).Draw(t, "kinds") // of rows: all the same, many ties, hardly any
		draw := func() []float32 {
			x := make([]float32, 2*h)
			for d := range h {
				x[d], x[h+d] = size*float32(r.NormFloat64()), max(wide*r.Float32(), gaussian.MinStddev)
			}
			return x
		}
		var pool [][]float32
		for range min(kinds, n) {
			pool = append(pool, draw())
		}
		var rows []float32
		for range n {
			rows = append(rows, pool[r.IntN(len(pool))]...)
		}
		c := codedOf(h, rows, nil)
		query := draw()
		switch rapid.IntRange(0, 3).Draw(t, "query") {
		case 0:
			copy(query, rows)
		case 1:
			clear(query)
		}
		var keep Set
		if rapid.Bool().Draw(t, "filtered") {
			keep = NewSet(n)
			for range rapid.IntRange(0, n).Draw(t, "kept") {
				keep.Add(r.IntN(n))
			}
		}
		k := rapid.IntRange(0, 150).Draw(t, "k")
		if got, want := c.Nearest(nil, query, k, keep), sorting(c, query, k, keep); !slices.Equal(got, want) {
			t.Fatalf("of %d rows, h = %d:\n%v\nsorting finds\n%v", n, h, got, want)
		}
	})
}

// A row that was kept in codes once is kept as it is; any other is off by half a scale at most.
func TestCodedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const h = 13
	once, twice := NewCoded(h, 0, nil), NewCoded(h, 100, nil)
	row, again := make([]float32, 2*h), make([]float32, 2*h)
	for i := range 100 {
		top := 0.0
		for d := range h {
			row[d], row[h+d] = float32(r.NormFloat64()), max(float32(r.Float64()*r.Float64()), gaussian.MinStddev)
			top = max(top, math.Abs(float64(row[d])))
		}
		once.Append(row)
		once.Row(again, i)
		for d := range 2 * h {
			if math.Abs(float64(row[d]-again[d])) > 1.01*max(top/127, 1.0/255)/2 {
				t.Fatalf("row %d, number %d: %v became %v", i, d, row[d], again[d])
			}
		}
		twice.Append(again)
		twice.Row(row, i)
		if !slices.Equal(row, again) {
			t.Fatalf("row %d was\n%v and is\n%v", i, again, row)
		}
	}
	if once.Len() != 100 || twice.Len() != 100 {
		t.Errorf("%d and %d rows", once.Len(), twice.Len())
	}
	for name, f := range map[string]func(){
		"row":   func() { once.Append(row[:h]) },
		"query": func() { once.Nearest(nil, row[:h], 1, nil) },
		"h":     func() { NewCoded(513, 1, nil) },
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

// million is a table of n Gaussians in clusters on the sphere, as trained ones lie, and a query near one of them.
func million(n, h int, sift Sift) (*Coded, []float32) {
	r := rand.New(rand.NewPCG(5, 5))
	clusters := make([][]float32, 200)
	for i := range clusters {
		clusters[i] = make([]float32, h)
		for d := range h {
			clusters[i][d] = float32(r.NormFloat64()) / float32(1+d/8)
		}
		gaussian.ScaleInto(clusters[i], 0.9)
	}
	c := NewCoded(h, n, sift)
	row := make([]float32, 2*h)
	for range n {
		centre := clusters[r.IntN(len(clusters))]
		for d := range h {
			row[d], row[h+d] = centre[d]+0.07*float32(r.NormFloat64()), 0.1+0.04*r.Float32()
		}
		gaussian.Bound(row, 1)
		c.Append(row)
	}
	query := make([]float32, 2*h)
	copy(query, clusters[7])
	for d := range h {
		query[d] *= 0.95
		query[h+d] = 0.11
	}
	return c, query
}

// BenchmarkCoded is the first hundred of very many: the mean, and the least, which a busy machine lengthens least.
func BenchmarkCoded(b *testing.B) {
	for _, n := range []int{200_000, 1_000_000} {
		for _, h := range []int{50, 100} {
			c, query := million(n, h, nil)
			b.Run(fmt.Sprintf("%dx%d", n, 2*h), func(b *testing.B) {
				var hits []Hit
				least := time.Hour
				for b.Loop() {
					since := time.Now()
					hits = c.Nearest(hits[:0], query, 100, nil)
					least = min(least, time.Since(since))
				}
				b.SetBytes(int64(n * (c.width + 12)))
				b.ReportMetric(float64(least)/1e6, "min-ms")
			})
		}
	}
}
