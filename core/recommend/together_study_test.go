package recommend

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// somebody is what the study knows of one of a pair.
type somebody struct {
	visit  Visit
	taste  *Taste
	cost   []float64 // by item
	place  []int     // by item: how many come before it
	logZ   float64   // log Σ exp(−cost/τ)
	chance []float64 // by item; nil: not calibrated
	held   []int     // likes that are kept back
}

// TestWhatSuitsTwo measures ways to put two people's tastes together, on pairs of users of MovieLens small whose test
// items no training has seen. make measure-together trains the model and runs it.
func TestWhatSuitsTwo(t *testing.T) {
	file := os.Getenv("PMLAM_TOGETHER")
	if file == "" {
		t.Skip("SKIPPED: PMLAM_TOGETHER names no model trained on fold 0 (make measure-together)")
	}
	m, err := model.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, m)
	if d.Items.Len() != r.Len() || d.Items.ID(9) != r.Item(9).ID {
		t.Fatal("the model is not of these data")
	}
	fold := d.Fold(5, 0, 1)
	people := make([]*somebody, fold.Train.Rows())
	for u := range people {
		p := &somebody{}
		for _, i := range fold.Train.Row(u) {
			p.visit.Likes = append(p.visit.Likes, int(i))
		}
		for _, i := range fold.Test.Row(u) {
			p.held = append(p.held, int(i))
		}
		if len(p.visit.Likes) < 3 || len(p.held) == 0 {
			continue
		}
		p.taste = r.Taste(p.visit, nil)
		p.cost = costs(r, p.visit, p.taste)
		order := make([]int, r.Len())
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.cost[a], p.cost[b]) })
		p.place = make([]int, r.Len())
		least := p.cost[order[0]]
		sum := 0.0
		for k, i := range order {
			p.place[i] = k
			sum += float64(vec.Exp(float32((least - p.cost[i]) / r.tau)))
		}
		p.logZ = math.Log(sum) - least/r.tau
		if r.like != nil {
			for _, c := range r.LikeInputs(p.visit, p.taste, order, r.like.Rates) {
				f := c.Features()
				p.chance = append(p.chance, r.like.Chance(&f))
			}
			by := make([]float64, r.Len())
			for k, i := range order {
				by[i] = p.chance[k]
			}
			p.chance = by
		}
		people[u] = p
	}
	ways := []struct {
		name  string
		score func(a, b *somebody) func(i int) float64
	}{
		{"sum of costs (barycentre)", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return a.cost[i] + b.cost[i] }
		}},
		{"halfway on the sphere *", func(a, b *somebody) func(int) float64 {
			row := halfway(a.taste.Row, b.taste.Row)
			ba, bb := bonus(r, a.visit), bonus(r, b.visit)
			return func(i int) float64 { return W2Squared(row, r.items.Row(i)) - float64(ba[i]/2+bb[i]/2) }
		}},
		{"one profile of all likes", func(a, b *somebody) func(int) float64 {
			v := Visit{Likes: slices.Concat(a.visit.Likes, b.visit.Likes)}
			v = r.clean(v)
			c := costs(r, v, r.Taste(v, nil))
			return func(i int) float64 { return c[i] }
		}},
		{"sum of distances", func(a, b *somebody) func(int) float64 {
			la, lb := min(slices.Min(a.cost), 0), min(slices.Min(b.cost), 0)
			return func(i int) float64 { return math.Sqrt(a.cost[i]-la) + math.Sqrt(b.cost[i]-lb) }
		}},
		{"least misery of costs", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return max(a.cost[i], b.cost[i]) }
		}},
		{"least misery of surprise", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return max(a.cost[i]/r.tau+a.logZ, b.cost[i]/r.tau+b.logZ) }
		}},
		{"least misery of places", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 {
				return float64(max(a.place[i], b.place[i])) + float64(a.place[i]+b.place[i])/1e6
			}
		}},
		{"sum of log places", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return math.Log(float64(a.place[i]+10)) + math.Log(float64(b.place[i]+10)) }
		}},
		{"product of chances", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return -a.chance[i] * b.chance[i] }
		}},
		{"in turn from both lists", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return min(float64(a.place[i]), float64(b.place[i])+0.5) }
		}},
		{"the list of one of them", func(a, b *somebody) func(int) float64 {
			return func(i int) float64 { return a.cost[i] }
		}},
	}
	const pairs, k = 3000, 20
	for half, name := range []string{"to choose", "to report"} {
		rng := rand.New(rand.NewPCG(7, uint64(half)))
		var pool []*somebody
		for u, p := range people {
			if p != nil && u%2 == half {
				pool = append(pool, p)
			}
		}
		t.Logf("%d pairs of %d people, %s", pairs, len(pool), name)
		t.Logf("%-28s %8s %8s %8s %8s %8s", "", "of both", "mean", "worse", "hit both", "place")
		sums := make([][5]float64, len(ways))
		own, with := 0.0, 0.0
		for range pairs {
			a, b := pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]
			for a == b {
				b = pool[rng.IntN(len(pool))]
			}
			said := make([]bool, r.Len())
			for _, i := range slices.Concat(a.visit.Likes, b.visit.Likes) {
				said[i] = true
			}
			shared := &somebody{}
			for _, i := range a.held {
				if !said[i] && slices.Contains(b.held, i) {
					shared.held = append(shared.held, i)
				}
			}
			if len(shared.held) > 0 {
				with++
			}
			recall := func(list []int, p *somebody) float64 {
				hits, all := 0.0, 0.0
				for _, i := range p.held {
					if !said[i] {
						all++
						if slices.Contains(list, i) {
							hits++
						}
					}
				}
				return hits / max(all, 1)
			}
			first := func(score func(int) float64) []int {
				var top lowest
				top.Resize(k)
				for i := range said {
					if !said[i] {
						top.offer(Hit{Item: i, Score: score(i)})
					}
				}
				var out []int
				for _, h := range top.appendTo(nil) {
					out = append(out, h.Item)
				}
				return out
			}
			own += (recall(first(func(i int) float64 { return a.cost[i] }), a) + recall(first(func(i int) float64 { return b.cost[i] }), b)) / 2
			for w := range ways {
				list := first(ways[w].score(a, b))
				x, y := recall(list, a), recall(list, b)
				s := &sums[w]
				s[0] += recall(list, shared)
				s[1] += (x + y) / 2
				s[2] += min(x, y)
				if x > 0 && y > 0 {
					s[3]++
				}
				pa, pb := 0.0, 0.0
				for _, i := range list {
					pa += float64(a.place[i]) / k
					pb += float64(b.place[i]) / k
				}
				s[4] += max(pa, pb)
			}
		}
		for w := range ways {
			s := sums[w]
			t.Logf(
				"%-28s %8.4f %8.4f %8.4f %8.3f %8.1f",
				ways[w].name,
				s[0]/with,
				s[1]/pairs,
				s[2]/pairs,
				s[3]/pairs,
				s[4]/pairs,
			)
		}
		t.Logf("%-28s %8s %8.4f; %.0f pairs have held-out likes in common", "each their own list", "", own/pairs, with)
	}
}
