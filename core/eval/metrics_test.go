package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func measureOne(ranking, relevant []int32, ks ...int) []values {
	v := make([]values, len(ks))
	measure(ranking, relevant, ks, discounts(100), make([]bool, len(ranking)), v)
	return v
}

func near(a float32, b float64) bool { return math.Abs(float64(a)-b) < 1e-6 }

// Worked by hand: T = {2, 5, 7}, ranking 4 5 9 2 1, so hits at places 2 and 4.
func TestMetricsOfAWorkedExample(t *testing.T) {
	ranking, relevant := []int32{4, 5, 9, 2, 1}, []int32{2, 5, 7}
	v := measureOne(ranking, relevant, 1, 2, 4, 5)
	log := math.Log2
	want := []struct{ recall, ndcg, hit, rr, ap float64 }{
		{0, 0, 0, 0, 0},
		{1. / 3, (1 / log(3)) / (1 + 1/log(3)), 1, .5, .5 / 2},
		{2. / 3, (1/log(3) + 1/log(5)) / (1 + 1/log(3) + 1/log(4)), 1, .5, (.5 + .5) / 3},
		{2. / 3, (1/log(3) + 1/log(5)) / (1 + 1/log(3) + 1/log(4)), 1, .5, (.5 + .5) / 3},
	}
	for j, w := range want {
		if g := v[j]; !near(g.recall, w.recall) || !near(g.ndcg, w.ndcg) || !near(g.hit, w.hit) || !near(g.rr, w.rr) ||
			!near(g.ap, w.ap) {
			t.Errorf("case %d: got %+v, want %+v", j, g, w)
		}
	}
}

func TestAPerfectListScoresOne(t *testing.T) {
	for n := 1; n <= 8; n++ {
		var relevant, ranking []int32
		for i := range int32(n) {
			relevant = append(relevant, 10+i)
		}
		ranking = append(append(ranking, relevant...), 1, 2, 3)
		for k := 1; k <= 11; k++ {
			v := measureOne(ranking, relevant, k)[0]
			if v.ndcg != 1 || v.ap != 1 || v.rr != 1 || v.hit != 1 {
				t.Errorf("|T|=%d, k=%d: %+v, want ones", n, k, v)
			}
			if want := math.Min(float64(k), float64(n)) / float64(n); !near(v.recall, want) {
				t.Errorf("|T|=%d, k=%d: recall %v, want %v", n, k, v.recall, want)
			}
		}
	}
}

func TestMetricsStayInRangeAndGrow(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	ks := []int{1, 2, 3, 5, 8, 13, 30}
	for range 500 {
		n := 5 + r.IntN(20)
		var ranking []int32
		for _, i := range r.Perm(n) {
			ranking = append(ranking, int32(i))
		}
		relevant := drawSubset(r, n, .3)
		if len(relevant) == 0 {
			continue
		}
		var before values
		for j, v := range measureOne(ranking, relevant, ks...) {
			for _, x := range []float32{v.recall, v.ndcg, v.hit, v.rr, v.ap} {
				if x < 0 || x > 1 {
					t.Fatalf("a metric is outside of [0,1]: %+v", v)
				}
			}
			if v.recall < before.recall || v.hit < before.hit || v.rr < before.rr {
				t.Fatalf("k=%d: recall, hit rate or reciprocal rank fell: %+v after %+v", ks[j], v, before)
			}
			before = v
		}
		if before.recall != 1 {
			t.Fatalf("recall of the whole catalogue is %v, want 1", before.recall)
		}
	}
}

// Moving a hit one place up must raise NDCG and MAP, which depend on the order inside the list.
func TestEarlierHitsScoreHigher(t *testing.T) {
	for place := 1; place < 10; place++ {
		late, early := make([]int32, 10), make([]int32, 10)
		late[place], early[place-1] = 1, 1
		a, b := measureOne(early, []int32{1}, 10)[0], measureOne(late, []int32{1}, 10)[0]
		if a.ndcg <= b.ndcg || a.ap <= b.ap || a.rr <= b.rr || a.recall != b.recall {
			t.Errorf("hit at place %d: %+v, at place %d: %+v", place, a, place+1, b)
		}
	}
}
