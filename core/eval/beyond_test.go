package eval

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// golden holds lists and their metrics by RecBole and RecTools (core/lab/bench/beyond.py).
type golden struct {
	Items       int
	Ks          []int
	Train       [][]int32
	Lists       [][]int32
	Kinds       [][]int
	Want        map[string]float64
	train, test *dataset.Matrix
}

func readGolden(t *testing.T) (g golden, s Scorer) {
	t.Helper()
	b, err := os.ReadFile("testdata/beyond.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	var train, test []dataset.Pair
	f := fixed{items: g.Items}
	for u, row := range g.Train {
		train = append(train, pairsOf(u, row)...)
		test = append(test, pairsOf(u, g.Lists[u][:1])...)
		scores := make([]float32, g.Items)
		for r, i := range g.Lists[u] {
			scores[i] = float32(100 - r)
		}
		f.scores = append(f.scores, scores)
	}
	g.train = dataset.NewMatrix(len(g.Train), g.Items, train)
	g.test = dataset.NewMatrix(len(g.Train), g.Items, test)
	return g, f
}

// cosineOf returns the distance of genres, from dense vectors.
func cosineOf(kinds [][]int) Distance {
	return func(i, j int32) float64 {
		var a, b [16]float64
		for _, g := range kinds[i] {
			a[g] = 1
		}
		for _, g := range kinds[j] {
			b[g] = 1
		}
		var dot, x, y float64
		for g := range a {
			dot, x, y = dot+a[g]*b[g], x+a[g]*a[g], y+b[g]*b[g]
		}
		return 1 - dot/math.Sqrt(x*y)
	}
}

func TestBeyondAccuracyAgreesWithOthers(t *testing.T) {
	g, s := readGolden(t)
	r, err := Evaluate(context.Background(), s, g.train, g.test, Options{Ks: g.Ks, Workers: 3,
		Distance: cosineOf(g.Kinds)})
	if err != nil {
		t.Fatal(err)
	}
	all := r.All()
	for key, want := range g.Want {
		if got, ok := all[key]; !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, by RecBole or RecTools %v", key, got, want)
		}
	}
	if len(g.Want) != 12 {
		t.Errorf("%d golden values", len(g.Want))
	}
}

// naiveGini is the mean absolute difference of all pairs over twice the mean.
func naiveGini(n []int64) float64 {
	var sum, total float64
	for _, a := range n {
		total += float64(a)
		for _, b := range n {
			sum += math.Abs(float64(a - b))
		}
	}
	if total == 0 {
		return 0
	}
	return sum / (2 * float64(len(n)) * total)
}

func TestGini(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 50 {
		n := make([]int64, 1+r.IntN(20))
		for i := range n {
			n[i] = r.Int64N(5)
		}
		want := naiveGini(n)
		if got := gini(n); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", n, got, want)
		}
	}
	if got := gini([]int64{5, 0, 0, 0}); math.Abs(got-.75) > 1e-15 {
		t.Errorf("one item of four: %v", got)
	}
}

// Short lists count by their actual places. Empty lists, and pairs of unknown distance, do not count. The metrics do
// not depend on the workers or on the order of the ks.
func TestBeyondOddLists(t *testing.T) {
	b := newBeyond([]int{3, 1}, []int32{4, 0, 1, 2, 2}, 4, 3, func(i, j int32) float64 {
		if i == 0 || j == 0 {
			return math.NaN()
		}
		return math.Abs(float64(i - j))
	})
	b.add(0, []int32{0, 1, 4}, []int32{1, 4}) // the head is item 0; pairs: only (1,4)
	b.add(1, []int32{2}, []int32{0})
	b.add(2, nil, []int32{2})
	want := func(name string, table [][]float64, three, one float64) {
		t.Helper()
		if got := known(table); math.Abs(got[0]-three) > 1e-15 || math.Abs(got[1]-one) > 1e-15 {
			t.Errorf("%s: %v, want %v %v", name, got, three, one)
		}
	}
	want(APLT, b.aplt, (2./3+1)/2, .5)
	want(Novelty, b.novelty, ((0+2+1)/3.+2)/2, 1)
	want(Diversity, b.diversity, 3, 0)
	second := 1 / math.Log2(3)
	want(Unbiased, b.unbiased, (second+.5*.5)/(1+second*.5)/3, 0)
	want(TailRecall, b.tailRecall, (1+0)/2., 0) // the second user has no test item in the tail
	want(Information, b.information, (2+1)/3., 0)
	r := rand.New(rand.NewPCG(4, 4))
	s, train, test := drawProblem(r, 70, 15)
	var first map[string]float64
	for workers := 1; workers < 4; workers++ {
		report, err := Evaluate(context.Background(), s, train, test, Options{Ks: []int{4, 2}, Workers: workers,
			Distance: func(i, j int32) float64 { return 1 / float64(1+i+j) }})
		if err != nil {
			t.Fatal(err)
		}
		all := report.All()
		if first == nil {
			first = all
		}
		for key, v := range all {
			if v != first[key] || math.IsNaN(v) {
				t.Errorf("%d workers: %s is %v and was %v", workers, key, v, first[key])
			}
		}
	}
}
