package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Stability is the share of draws in which an item is among the first n: here each draw is sorted.
func TestStayIsASortOfEachDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	items := randomTable(r, 120, 6)
	x := NewIndex(items, nil)
	const n, pairs = 10, 20
	keep := fullItemSet(120)
	keep.Remove(3)
	unsure := CostNoise{make([]float32, 120), make([]float32, 120)}
	for i := range 120 {
		unsure.Shift[i], unsure.Stddev[i] = 0.1*r.Float32(), 0.3*r.Float32()
	}
	draw := func(k int, sign float32, row, bonus []float32) bool {
		copy(row, items.Row(3))
		for d := range 6 {
			row[d] += sign * float32(k%5) / 10
		}
		bonus[40] = 0.5
		return true
	}
	asked := []int{40}
	for _, h := range x.Nearest(nil, items.Row(3), 15, keep) {
		asked = append(asked, h.Item)
	}
	got := make([]float64, len(asked))
	x.TopShares(got, asked, n, keep, pairs, unsure, draw)
	want := make([]float64, len(asked))
	noise := make([]float32, 120)
	for k := range pairs {
		for _, sign := range []float32{1, -1} {
			row, bonus := make([]float32, 12), make([]float32, 120)
			draw(k, sign, row, bonus)
			fillNormals(noise, uint64(k), itemsStream)
			var order []int
			cost := make([]float64, 120)
			for i := range 120 {
				cost[i] = W2Squared(
					row,
					items.Row(i),
				) - float64(
					bonus[i],
				) + float64(
					sign*noise[i]*unsure.Stddev[i]+unsure.Shift[i],
				)
				if keep.Has(i) {
					order = append(order, i)
				}
			}
			slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, cost[a]-cost[b])) })
			for j, i := range asked {
				if slices.Contains(order[:n], i) {
					want[j] += 1.0 / (2 * pairs)
				}
			}
		}
	}
	for j := range asked {
		if math.Abs(got[j]-want[j]) > 1e-9 {
			t.Errorf("item %d stays with %v, sorted with %v", asked[j], got[j], want[j])
		}
	}
	if slices.Max(got) == slices.Min(got) {
		t.Errorf("the draws do not distinguish the items: %v", got)
	}
	// With fewer than n items, all are in.
	small := NewItemSet(120)
	small.Add(7)
	small.Add(90)
	x.TopShares(got[:2], []int{7, 90}, n, small, pairs, CostNoise{}, draw)
	if got[0] != 1 || got[1] != 1 {
		t.Errorf("of two titles one is not among the first ten: %v", got[:2])
	}
}

// For an even spread, distanceStddev agrees with distanceMoments, and the shift is the variance.
func TestScatterIsTheMomentOfAnEvenSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 7))
	const h = 20
	user, item, none, spread := make([]float32, h), make([]float32, h), make([]float32, h), make([]float32, h)
	d2 := 0.0
	for d := range h {
		user[d], item[d], spread[d] = r.Float32(), r.Float32(), 0.25
		d2 += float64((user[d] - item[d]) * (user[d] - item[d]))
	}
	expected, variance := distanceMoments(user, none, item, spread)
	const whole = h * 0.25 * 0.25
	if math.Abs(expected-d2-whole) > 1e-5 {
		t.Errorf("the distance rises by %v, want %v", expected-d2, whole)
	}
	if got := float64(distanceStddev(float32(d2), whole, h)); math.Abs(got-math.Sqrt(variance)) > 1e-5*got {
		t.Errorf("the deviation is %v, want %v", got, math.Sqrt(variance))
	}
}

func TestNormalsAreAPrefix(t *testing.T) {
	long, short := make([]float32, 50), make([]float32, 7)
	fillNormals(long, 3, 9)
	fillNormals(short, 3, 9)
	if !slices.Equal(long[:7], short) {
		t.Errorf("%v does not begin with %v", long, short)
	}
	fillNormals(short, 4, 9)
	if slices.Equal(long[:7], short) {
		t.Error("two seeds gave the same")
	}
}
