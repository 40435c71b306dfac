package training

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// An order is a permutation, the same for the same counter and another for the next, and every position is equally
// likely.
func TestOrder(t *testing.T) {
	const n = 50
	first := Order(nil, n, 1, 2, 3)
	if !slices.Equal(first, Order(make([]int32, 0, 99), n, 1, 2, 3)) {
		t.Error("the same counter gives two orders")
	}
	if slices.Equal(first, Order(nil, n, 1, 2, 4)) || slices.Equal(first, Order(nil, n, 2, 2, 3)) ||
		slices.Equal(first, Order(nil, n, 1, 3, 3)) {
		t.Error("another counter, seed or stream gives the same order")
	}
	sorted := slices.Clone(first)
	slices.Sort(sorted)
	for i, x := range sorted {
		if int(x) != i {
			t.Fatalf("the order is %v", first)
		}
	}
	sum := 0.0
	for c := range uint64(4000) {
		sum += float64(Order(first, n, 1, 2, c)[0])
	}
	if mean := sum / 4000; math.Abs(mean-(n-1)/2.0) > 1 {
		t.Errorf("the first is %.2f on average", mean)
	}
}

func TestOutsideIsUniformAndNeverStalls(t *testing.T) {
	r := NewSource(1, 2, 3)
	const n = 12
	seen := []int32{0, 1, 2, 4, 5, 6, 7, 8, 9, 11} // all but 3 and 10
	counts := map[int32]int{}
	for range 10000 {
		c, ok := Outside(seen, n, r)
		if !ok {
			t.Fatal("found none of the two items outside")
		}
		counts[c]++
	}
	if len(counts) != 2 || math.Abs(float64(counts[3]-counts[10])) > 400 {
		t.Errorf("draws from two missing items: %v", counts)
	}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	if _, ok := Outside(all, n, r); ok {
		t.Error("found an item outside of all items")
	}
	for rank := range n {
		if got := MissingAt(nil, rank); got != int32(rank) {
			t.Errorf("MissingAt(nil, %d) = %d", rank, got)
		}
	}
	if MissingAt(seen, 0) != 3 || MissingAt(seen, 1) != 10 {
		t.Errorf("missing ranks: %d, %d", MissingAt(seen, 0), MissingAt(seen, 1))
	}
}

func TestCandidatesOfSomeoneWhoHasSeenNearlyEverything(t *testing.T) {
	var pairs []dataset.Pair
	for i := range int32(98) {
		pairs = append(pairs, dataset.Pair{Row: 0, Col: i})
	}
	pairs = append(pairs, dataset.Pair{Row: 1, Col: 5}, dataset.Pair{Row: 1, Col: 6})
	m := dataset.NewMatrix(2, 100, pairs)
	r := NewSource(1, 2, 3)
	draws := func(c Candidates, u int32) map[int32]int {
		counts := map[int32]int{}
		for range 20000 {
			counts[c.Draw(u, m.Row(int(u)), r)]++
		}
		return counts
	}
	c := Candidates{Seed: 1, Stream: 7, Per: 20, Items: 100}
	if got := draws(c, 0); len(got) != 2 || got[98] == 0 || got[99] == 0 {
		t.Errorf("candidates of user 0: %v, want the two unseen items", got)
	}
	// Candidates may coincide, but all draws are among them, and another round has others.
	of := func(c Candidates) map[int32]int {
		want := map[int32]int{}
		for k := range c.Per {
			want[c.At(1, m.Row(1), k)]++
		}
		return want
	}
	got, want := draws(c, 1), of(c)
	for item, n := range want {
		if math.Abs(float64(got[item])-1000*float64(n)) > 200 {
			t.Errorf("candidate %d, %d of 20, was drawn %d times in 20000", item, n, got[item])
		}
	}
	if len(got) != len(want) {
		t.Errorf("drew %d items of %d candidates", len(got), len(want))
	}
	next := c
	next.Round++
	if reflect.DeepEqual(want, of(next)) {
		t.Error("the next round has the same candidates")
	}
}

func TestContainsIsMembership(t *testing.T) {
	for n := range 20 {
		row := make([]int32, n)
		for i := range row {
			row[i] = int32(3*i + 1)
		}
		for c := int32(-1); c < int32(3*n+3); c++ {
			if got := contains(row, c); got != slices.Contains(row, c) {
				t.Errorf("contains(%v, %d) = %t", row, c, got)
			}
		}
	}
}

// An order that keeps runs together is a permutation; each piece belongs to one run and has the full size where
// possible. It is the same for the same counter, and another for the next.
func TestOrderTogether(t *testing.T) {
	starts := []int32{0, 7, 8, 8, 20} // one run is empty
	first := OrderTogether(nil, starts, 4, 1, 2, 3)
	if !slices.Equal(first, OrderTogether(make([]int32, 99), starts, 4, 1, 2, 3)) {
		t.Error("the same counter gives two orders")
	}
	if slices.Equal(first, OrderTogether(nil, starts, 4, 1, 2, 4)) {
		t.Error("another counter gives the same order")
	}
	sorted := slices.Clone(first)
	slices.Sort(sorted)
	for i, v := range sorted {
		if int(v) != i {
			t.Fatalf("the order is %v", first)
		}
	}
	run := func(v int32) (k int) {
		for starts[k+1] <= v {
			k++
		}
		return k
	}
	var lengths []int // of stretches of one run, which pieces make up: 4, 3 of the first, 1, and 4, 4, 4
	for i, v := range first {
		if i > 0 && run(v) == run(first[i-1]) {
			lengths[len(lengths)-1]++
		} else {
			lengths = append(lengths, 1)
		}
	}
	for i, n := range lengths {
		switch n {
		case 1, 3, 4, 7, 8, 12:
		default:
			t.Errorf("stretch %d of %v has %d numbers", i, first, n)
		}
	}
	sum := 0.0
	for c := range uint64(4000) {
		sum += float64(OrderTogether(first, starts, 4, 1, 2, c)[0])
	}
	// The first piece is any of six with equal chance: of means 3 (twice), 7, and 13.5 (three times).
	if mean, want := sum/4000, (2*3+7+3*13.5)/6; math.Abs(mean-want) > 0.5 {
		t.Errorf("the first number is %v on average, not %v", mean, want)
	}
}
