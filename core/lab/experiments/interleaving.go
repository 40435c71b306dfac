package experiments

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/abtest"
)

const (
	candidates = 30 // items to choose a list from
	length     = 10 // of a list
)

// Rankers are two rankers: each orders the candidates by their quality plus its own normal noise of this standard
// deviation.
type Rankers [2]float64

// page has the candidates of one view: their quality for the visitor, and each ranker's estimate of it.
type page struct {
	good  [candidates]float64
	lists [2][candidates]int
}

func (p *page) draw(r *rand.Rand, of Rankers) {
	for i := range p.good {
		p.good[i] = r.NormFloat64()
	}
	var score [candidates]float64
	for t, list := range &p.lists {
		for i := range score {
			score[i], list[i] = p.good[i]+of[t]*r.NormFloat64(), i
		}
		slices.SortFunc(list[:], func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		p.lists[t] = list
	}
}

// clicks reports whether an item at a place, from 0, is clicked: by a visitor who looks that far, with probability
// 1/√(1+place), and likes the item, with probability logistic(shift + good).
func (p *page) clicks(r *rand.Rand, shift float64, item, place int) bool {
	return r.Float64() < logistic(shift+p.good[item])/math.Sqrt(float64(1+place))
}

// shift converts a visitor's chance of a click to the items' scale.
func (v visitor) shift() float64 { return math.Log(v.click/(1-v.click)) - 3 }

// interleave is team draft (Radlinski, Kurup, Joachims, CIKM 2008) of the page's lists: the items of a list of length
// length, and each one's team.
func (p *page) interleave(r *rand.Rand) (items, teams [length]int) {
	var taken [candidates]bool
	var at, size [2]int
	for k := range items {
		t := r.IntN(2)
		if size[0] != size[1] {
			t = 0
			if size[1] < size[0] {
				t = 1
			}
		}
		for taken[p.lists[t][at[t]]] {
			at[t]++
		}
		items[k], teams[k] = p.lists[t][at[t]], t
		taken[items[k]] = true
		size[t]++
	}
	return items, teams
}

// Interleaved simulates experiments in which two rankers build each session's list together.
func Interleaved(ctx context.Context, visitors int, of Rankers, runs, workers int, seed uint64) (Found, error) {
	return repeat(ctx, runs, workers, seed, func(r *rand.Rand) outcome {
		f := prefer(r, visitors, of)
		of := f.Value - 0.5
		return outcome{verdict(f.P, of), verdict(twoSided(2*of*math.Sqrt(float64(f.Decided))), of)}
	})
}

// prefer simulates one experiment.
func prefer(r *rand.Rand, visitors int, of Rankers) abtest.Preference {
	var p page
	wins := make([]abtest.Wins, visitors)
	for i := range wins {
		v := draw(r)
		for range v.sessions {
			p.draw(r, of)
			items, teams := p.interleave(r)
			var credit [2]int
			for place, item := range items {
				if p.clicks(r, v.shift(), item, place) {
					credit[teams[place]]++
				}
			}
			switch {
			case credit[0] > credit[1]:
				wins[i][0]++
			case credit[0] < credit[1]:
				wins[i][1]++
			}
		}
	}
	return abtest.NewPreference(wins)
}

// NeededInterleaved returns the number of visitors that finds the better ranker with power .8, and the share of a
// visitor's lists that it wins on average. Both are estimated from a simulated experiment with the given visitors.
func NeededInterleaved(visitors int, of Rankers, seed uint64) (needed int, share float64) {
	f := prefer(rand.New(rand.NewPCG(seed, 1<<40)), visitors, of)
	voters := f.Needed(math.Abs(f.Value - 0.5))
	return int(math.Ceil(float64(voters) * float64(visitors) / float64(f.Visitors))), f.Value
}

// Separate simulates the same rankers as two variants: each visitor gets the lists of one. It returns the rates of
// sessions with a click.
func Separate(visitors int, of Rankers, seed uint64) (a, b abtest.Rate) {
	r := rand.New(rand.NewPCG(seed, 2<<40))
	var counts [2][]abtest.Count
	var p page
	for i := range visitors {
		v, t := draw(r), i%2
		c := abtest.Count{Of: float64(v.sessions)}
		for range v.sessions {
			p.draw(r, of)
			for place, item := range p.lists[t][:length] {
				if p.clicks(r, v.shift(), item, place) {
					c.Hits++
					break
				}
			}
		}
		counts[t] = append(counts[t], c)
	}
	return abtest.NewRate(counts[0]), abtest.NewRate(counts[1])
}
