// Command together measures ways to combine two people's tastes, on pairs of users of MovieLens small with test items
// outside the training.
//
//	pmlam train --data assets/data/ml-latest-small --fold 0 --preset hybrid --auto=false --out together.msgpack
//	together -model together.msgpack
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

func main() {
	file := flag.String("model", "build/measure/together.msgpack", "the model, trained on fold 0 of the data")
	data := flag.String("data", "assets/data/ml-latest-small", "the data")
	flag.Parse()
	if err := run(*file, *data); err != nil {
		fmt.Fprintln(os.Stderr, "together:", err)
		os.Exit(1)
	}
}

// somebody is one member of a pair.
type somebody struct {
	visit  recommend.Visit
	taste  *recommend.Taste
	cost   []float64 // by item
	place  []int     // by item: number of items before it
	logZ   float64   // log Σ exp(−cost/τ)
	chance []float64 // by item; nil: not calibrated
	held   []int     // hidden likes
}

// w2 returns W2² of two rows.
func w2(a, b []float32) float64 { return float64(gaussian.W2Squared(a, b)) }

func floats(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// halfway returns the row halfway between two, on the sphere: see recommend.Recommender.Together.
func halfway(a, b []float32) []float32 {
	row, h := make([]float32, len(a)), len(a)/2
	for d := range row {
		row[d] = (a[d] + b[d]) / 2
	}
	norm := func(row []float32) (n float64) {
		for _, x := range row[:h] {
			n += float64(x) * float64(x)
		}
		return math.Sqrt(n)
	}
	if n := norm(row); n > 0 {
		c := float32((norm(a) + norm(b)) / 2 / n)
		for d := range h {
			row[d] *= c
		}
	}
	return row
}

func run(file, data string) error {
	m, err := model.ReadFile(file)
	if err != nil {
		return err
	}
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	if d.Items.Len() != r.Len() || d.Items.ID(9) != r.Item(9).ID {
		return fmt.Errorf("%s is not a model of %s", file, data)
	}
	tau, like := float64(m.Objective.Loss.Temperature), (*model.LikeRegression)(nil)
	if m.Calibration != nil {
		like = m.Calibration.Like
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
		p.cost = floats(r.Costs(p.visit, p.taste))
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
			sum += math.Exp((least - p.cost[i]) / tau)
		}
		p.logZ = math.Log(sum) - least/tau
		if like != nil {
			for _, c := range r.LikeInputs(p.visit, p.taste, order, like.Rates) {
				f := c.Features()
				p.chance = append(p.chance, like.Chance(&f))
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
			bonus := func(p *somebody, i int) float64 { return w2(p.taste.Row, r.Row(i)) - p.cost[i] }
			return func(i int) float64 { return w2(row, r.Row(i)) - (bonus(a, i)+bonus(b, i))/2 }
		}},
		{"one profile of all likes", func(a, b *somebody) func(int) float64 {
			v := recommend.Visit{Likes: slices.Concat(a.visit.Likes, b.visit.Likes)}
			c := floats(r.Costs(v, r.Taste(v, nil)))
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
			return func(i int) float64 { return max(a.cost[i]/tau+a.logZ, b.cost[i]/tau+b.logZ) }
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
		fmt.Printf("%d pairs of %d people, %s\n", pairs, len(pool), name)
		fmt.Printf("%-28s %8s %8s %8s %8s %8s\n", "", "of both", "mean", "worse", "hit both", "place")
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
				var all []int
				of := make([]float64, len(said))
				for i := range said {
					if !said[i] {
						of[i] = score(i)
						all = append(all, i)
					}
				}
				slices.SortFunc(all, func(i, j int) int { return cmp.Or(cmp.Compare(of[i], of[j]), cmp.Compare(i, j)) })
				return all[:min(k, len(all))]
			}
			own += recall(first(func(i int) float64 { return a.cost[i] }), a) / 2
			own += recall(first(func(i int) float64 { return b.cost[i] }), b) / 2
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
			fmt.Printf("%-28s %8.4f %8.4f %8.4f %8.3f %8.1f\n", ways[w].name, s[0]/with, s[1]/pairs, s[2]/pairs,
				s[3]/pairs, s[4]/pairs)
		}
		fmt.Printf("%-28s %8s %8.4f; %.0f pairs have held-out likes in common\n", "each their own list", "",
			own/pairs, with)
	}
	return nil
}
