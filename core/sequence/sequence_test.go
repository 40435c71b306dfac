package sequence

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// drawn returns data of users who like items at random times, some of them at once and some without a time.
func drawn(t *testing.T, users, items int) *dataset.Dataset {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var pairs []dataset.Pair
	for u := range users {
		for range 2 + r.IntN(12) {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(r.IntN(items))})
		}
	}
	d := &dataset.Dataset{Name: "drawn", Positives: dataset.NewMatrix(users, items, pairs)}
	for range d.Positives.Len() {
		d.Times = append(d.Times, int64(r.IntN(9)))
	}
	return d
}

// TestLinksAreTheirDefinition compares all links with sums over all pairs of likes.
func TestLinksAreTheirDefinition(t *testing.T) {
	const items = 12
	d := drawn(t, 26, items)
	s, err := Of(d, d.Positives)
	if err != nil {
		t.Fatal(err)
	}
	set := Default()
	set.Furthest = 4
	var counts [items]float64
	var sums [items][items]float64
	for u := range d.Positives.Rows() {
		row, at := d.Positives.Row(u), d.Positives.Offsets[u]
		times := map[int64]bool{}
		for k := range row {
			if d.Times[at+k] != 0 {
				times[d.Times[at+k]] = true
				counts[row[k]]++
			}
		}
		steps := func(a, b int64) (n int) {
			for x := range times {
				if x > a && x <= b {
					n++
				}
			}
			return n
		}
		for j, a := range row {
			for k, b := range row {
				from, to := d.Times[at+j], d.Times[at+k]
				if a == b || from == 0 || to == 0 {
					continue
				}
				w := 1.0
				n := steps(min(from, to), max(from, to))
				if n > set.Furthest {
					continue
				}
				w = math.Pow(set.Gap, float64(max(n-1, 0)))
				if from > to {
					w *= set.Back
				}
				sums[a][b] += w
			}
		}
	}
	set.Top = items
	links, err := Links(context.Background(), s, set, 0)
	if err != nil || links.Check(items) != nil {
		t.Fatal(err, links.Check(items))
	}
	all := links.BySource()
	short := 0 // sources with more targets than likes
	for a := range items {
		var weights []float64
		for b := range items {
			if sums[a][b] > 0 {
				weights = append(weights, sums[a][b]/math.Pow(counts[a], set.Source)/math.Pow(counts[b], set.Target))
			}
		}
		kept := min(len(weights), int(counts[a]))
		if got := len(all.Targets(nil, []int32{int32(a)})); got != kept {
			t.Fatalf("%d has %d targets, want %d of %d", a, got, kept, len(weights))
		}
		least := 0.0
		if kept < len(weights) {
			short++
			slices.Sort(weights)
			least = weights[len(weights)-kept]
		}
		for b := range items {
			want := sums[a][b] / math.Pow(counts[a], set.Source) / math.Pow(counts[b], set.Target)
			got := float64(links.Of(b, a))
			if sums[a][b] == 0 || got == 0 && want < least*(1+1e-5) {
				want = 0
			}
			if math.Abs(got-want) > 1e-5*(1+want) {
				t.Fatalf("%d after %d has the weight %v, want %v", b, a, got, want)
			}
		}
	}
	if short == 0 || short == items {
		t.Errorf("%d of %d sources have more targets than likes", short, items)
	}
	set.Top = 3
	few, err := Links(context.Background(), s, set, 1)
	if err != nil {
		t.Fatal(err)
	}
	targets := few.BySource()
	for a := range items {
		kept := targets.Targets(nil, []int32{int32(a)})
		least := math.Inf(1)
		for _, b := range kept {
			least = min(least, float64(few.Of(int(b), a)))
		}
		for b := range items {
			if w := links.Of(b, a); !slices.Contains(kept, int32(b)) && float64(w) > least {
				t.Errorf("source %d keeps %v, but not %d of the weight %v", a, kept, b, w)
			}
		}
	}
}

func TestLinksDoNotDependOnTheWorkers(t *testing.T) {
	d := drawn(t, 300, 50)
	s, err := Of(d, d.Positives)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := Links(context.Background(), s, Default(), 1)
	many, _ := Links(context.Background(), s, Default(), 7)
	if !slices.Equal(one.Sources, many.Sources) || !slices.Equal(one.Weights, many.Weights) {
		t.Error("7 workers find other links than one")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Links(ctx, s, Default(), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped search says %v", err)
	}
}

// TestSequences checks the order, likes of the same time, likes without one, and users who like more than people do.
func TestSequences(t *testing.T) {
	const many = Longest + 5
	pairs := []dataset.Pair{{Row: 0, Col: 4}, {Row: 0, Col: 1}, {Row: 0, Col: 3}, {Row: 0, Col: 2}}
	for i := range many {
		pairs = append(pairs, dataset.Pair{Row: 1, Col: int32(i)})
	}
	d := &dataset.Dataset{Name: "x", Positives: dataset.NewMatrix(2, many, pairs)}
	if _, err := Of(d, d.Positives); !errors.As(err, new(*dataset.NoTimesError)) {
		t.Errorf("data without times: %v", err)
	}
	d.Times = []int64{20, 10, 0, 10} // of the items 1, 2, 3, 4
	for i := range many {
		d.Times = append(d.Times, int64(1+i))
	}
	s, err := Of(d, d.Positives)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Steps[0]; len(got) != 2 || !slices.Equal(got[0], Step{2, 4}) || !slices.Equal(got[1], Step{1}) {
		t.Errorf("the first user's steps are %v", got)
	}
	if got := s.Steps[1]; len(got) != Longest || got[0][0] != 5 || s.Cut != 1 || s.Untimed != 1 {
		t.Errorf("%d steps from %v, %d users cut, %d likes without a time", len(got), got[0], s.Cut, s.Untimed)
	}
	part := dataset.NewMatrix(2, many, []dataset.Pair{{Row: 0, Col: 1}, {Row: 0, Col: 4}})
	if s, err = Of(d, part); err != nil || len(s.Steps[0]) != 2 || s.Steps[0][0][0] != 4 || s.Steps[1] != nil {
		t.Errorf("a part of the likes: %v, %v", s.Steps, err)
	}
}
