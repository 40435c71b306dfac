package eval

import "math"

// tally counts over the lists of one worker's users. All counts are integers, so tallies merge in any order without
// changing a bit.
type tally struct {
	popularity []int32 // I: training users of each item; shared, read only
	first      []int32 // I: best place (0-based) an item was shown at, or never
	filled     []int64 // depth: lists that have this place
	popular    []int64 // depth: sum of the popularity of the items at this place
	ks         []int
	shown      [][]int64 // |Ks|×I: lists of that length that show the item
}

const never = math.MaxInt32

func newTally(popularity []int32, depth int, ks []int) *tally {
	t := &tally{
		popularity: popularity,
		first:      make([]int32, len(popularity)),
		filled:     make([]int64, depth),
		popular:    make([]int64, depth),
		ks:         ks,
		shown:      make([][]int64, len(ks)),
	}
	for j := range t.shown {
		t.shown[j] = make([]int64, len(popularity))
	}
	for i := range t.first {
		t.first[i] = never
	}
	return t
}

// add counts one list. O(len(ranking)·|Ks|).
func (t *tally) add(ranking []int32) {
	for r, item := range ranking {
		t.first[item] = min(t.first[item], int32(r))
		t.filled[r]++
		t.popular[r] += int64(t.popularity[item])
	}
	for j, k := range t.ks {
		for _, item := range ranking[:min(k, len(ranking))] {
			t.shown[j][item]++
		}
	}
}

// merge adds another tally. O(I·|Ks| + depth).
func (t *tally) merge(o *tally) {
	for i, r := range o.first {
		t.first[i] = min(t.first[i], r)
	}
	for r := range o.filled {
		t.filled[r] += o.filled[r]
		t.popular[r] += o.popular[r]
	}
	for j, column := range o.shown {
		for i, n := range column {
			t.shown[j][i] += n
		}
	}
}

// coverage returns the share of items shown within the first k places, 0 without items. O(I).
func (t *tally) coverage(k int) float64 {
	shown := 0
	for _, r := range t.first {
		if r < never && int(r) < k {
			shown++
		}
	}
	return ratio(int64(shown), int64(len(t.first)))
}

// meanPopularity returns the mean popularity over the first k places of all lists, 0 if all are empty. O(k).
func (t *tally) meanPopularity(k int) float64 {
	var sum, n int64
	for r := range min(k, len(t.filled)) {
		sum += t.popular[r]
		n += t.filled[r]
	}
	return ratio(sum, n)
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
