package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// draw returns links of n targets with up to most sources each, and B as a dense n×n matrix, row j for source j.
func draw(n, most int, seed uint64) (*ItemLinks, []float32) {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &ItemLinks{Gamma: 0.1 + r.Float32(), Offsets: []int32{0}}
	dense := make([]float32, n*n)
	for i := range n {
		var sources []int32
		for _, j := range r.Perm(n)[:r.IntN(most+1)] {
			if j != i {
				sources = append(sources, int32(j))
			}
		}
		slices.Sort(sources)
		for _, j := range sources {
			w := r.Float32() + 0.001
			p.Sources, p.Weights = append(p.Sources, j), append(p.Weights, w)
			dense[int(j)*n+i] = w
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	return p, dense
}

// TestAddIsTheFormula checks that γ·ΣB by the links has the bits of the sum over the dense matrix in the history's
// order, and of the sum of Of over the history, and that Add changes nothing else.
func TestAddIsTheFormula(t *testing.T) {
	const n = 40
	for seed := range uint64(20) {
		p, dense := draw(n, 8, seed)
		if err := p.Check(n); err != nil {
			t.Fatal(err)
		}
		x := p.BySource()
		r := rand.New(rand.NewPCG(seed, 2))
		var history []int32
		for _, j := range r.Perm(n)[:r.IntN(n)] {
			history = append(history, int32(j))
		}
		slices.Sort(history)
		got, want, of := make([]float32, n), make([]float32, n), make([]float32, n)
		x.Add(got, history)
		linked := map[int32]bool{}
		for _, i := range x.Targets(nil, history) {
			linked[i] = true
		}
		for i := range n {
			for _, j := range history {
				want[i] += float32(p.Gamma * dense[int(j)*n+i])
				of[i] += p.Of(i, int(j))
			}
			if got[i] != want[i] || of[i] != want[i] {
				t.Fatalf("target %d: %v by the index, %v by Of, want %v", i, got[i], of[i], want[i])
			}
			if linked[int32(i)] != (want[i] > 0) {
				t.Fatalf("target %d has %v, but listed among the targets: %v", i, want[i], linked[int32(i)])
			}
		}
		if x.Len() != n || p.Len() != n || p.Links() != len(p.Sources) {
			t.Fatal("lengths")
		}
	}
}

func TestAddAdds(t *testing.T) {
	p := &ItemLinks{Gamma: 2, Offsets: []int32{0, 1, 1}, Sources: []int32{1}, Weights: []float32{0.5}}
	dst := []float32{-3, 7}
	p.BySource().Add(dst, []int32{0, 1})
	if dst[0] != -2 || dst[1] != 7 {
		t.Errorf("got %v", dst)
	}
	p.BySource().Subtract(dst, []int32{0, 1})
	if dst[0] != -3 || dst[1] != 7 {
		t.Errorf("after subtracting again: %v", dst)
	}
}

func TestCheckRefuses(t *testing.T) {
	good := func() *ItemLinks {
		return &ItemLinks{
			Gamma:   1,
			Offsets: []int32{0, 2, 2, 3},
			Sources: []int32{1, 2, 0},
			Weights: []float32{1, 2, 3},
		}
	}
	if err := good().Check(3); err != nil {
		t.Fatal(err)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, c := range map[string]struct {
		change func(*ItemLinks)
		want   string
	}{
		"other items":         {func(p *ItemLinks) { p.Offsets = p.Offsets[:3] }, "must have 3 targets"},
		"nothing":             {func(p *ItemLinks) { *p = ItemLinks{} }, "must have 3 targets"},
		"a weight too few":    {func(p *ItemLinks) { p.Weights = p.Weights[1:] }, "weight per source"},
		"first offset":        {func(p *ItemLinks) { p.Offsets[0] = 1 }, "must have"},
		"offsets fall":        {func(p *ItemLinks) { p.Offsets[2] = 1 }, "target 1"},
		"offset beyond":       {func(p *ItemLinks) { p.Offsets[3] = 4 }, "target 2"},
		"sources left over":   {func(p *ItemLinks) { p.Offsets[3] = 2 }, "target 2"},
		"γ 0":                 {func(p *ItemLinks) { p.Gamma = 0 }, "γ"},
		"γ NaN":               {func(p *ItemLinks) { p.Gamma = nan }, "γ"},
		"γ infinite":          {func(p *ItemLinks) { p.Gamma = inf }, "γ"},
		"source out of order": {func(p *ItemLinks) { p.Sources[0] = 2 }, "target 0"},
		"source out of range": {func(p *ItemLinks) { p.Sources[1] = 3 }, "target 0"},
		"source negative":     {func(p *ItemLinks) { p.Sources[0] = -1 }, "target 0"},
		"itself":              {func(p *ItemLinks) { p.Sources[2] = 2 }, "target 2"},
		"weight 0":            {func(p *ItemLinks) { p.Weights[2] = 0 }, "target 2"},
		"weight negative":     {func(p *ItemLinks) { p.Weights[2] = -1 }, "target 2"},
		"weight NaN":          {func(p *ItemLinks) { p.Weights[2] = nan }, "target 2"},
		"weight infinite":     {func(p *ItemLinks) { p.Weights[0] = inf }, "target 0"},
	} {
		p := good()
		c.change(p)
		if err := p.Check(3); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// BenchmarkAdd adds the links of a visitor of 40 likes in a catalogue of 10,000 with 10 sources per target.
func BenchmarkAdd(b *testing.B) {
	const n = 10000
	r := rand.New(rand.NewPCG(1, 1))
	p := &ItemLinks{Gamma: 1, Offsets: []int32{0}}
	for range n {
		from := int32(r.IntN(n - 1000))
		for k := range int32(10) {
			p.Sources, p.Weights = append(p.Sources, from+100*k), append(p.Weights, 0.25)
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	x, dst := p.BySource(), make([]float32, n)
	history := make([]int32, 40)
	for i := range history {
		history[i] = int32(i * 200)
	}
	for b.Loop() {
		x.Add(dst, history)
	}
}

// An item of weight 2 adds the same as two items, and one of weight 1 the same as in Add, to the bit.
func TestAddWeighted(t *testing.T) {
	p := &ItemLinks{
		Gamma:   0.5,
		Offsets: []int32{0, 1, 3, 3},
		Sources: []int32{1, 0, 2},
		Weights: []float32{0.3, 0.7, 0.1},
	}
	x := p.BySource()
	once, twice, same := make([]float32, 3), make([]float32, 3), make([]float32, 3)
	x.Add(once, []int32{0, 2})
	x.AddWeighted(same, []int32{0, 2}, []float32{1, 1})
	x.AddWeighted(twice, []int32{0, 2}, []float32{2, 2})
	for i := range once {
		if same[i] != once[i] || twice[i] != 2*once[i] {
			t.Errorf("item %d gets %v, weighted %v and %v", i, once[i], same[i], twice[i])
		}
	}
}
