package recommend

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// looked is what a list of titles is like, in the model's numbers: means over its titles.
type looked struct {
	near  float64 // share of the catalogue that costs more
	known float64 // share of the catalogue that fewer people like
	crowd float64 // W2 to the visitor who has said nothing
	sd    float64 // standard deviation of the distance from the visitor, what we do not know of both taken into account
}

// look judges a list by the formulas of Recommend, worked out here from the model's rows.
func (r *Recommender) look(v Visit, t *Taste, list []Suggestion) (out looked) {
	cost := costs(r, v, t)
	h := r.items.Dim()
	for _, s := range list {
		for i := range cost {
			if cost[i] > cost[s.Item] {
				out.near++
			}
			if r.Item(i).Count < r.Item(s.Item).Count {
				out.known++
			}
		}
		row := r.items.Row(s.Item)
		out.crowd += math.Sqrt(W2Squared(r.average, row))
		mean, variance := distanceMoments(t.Row[:h], t.Spread, row[:h], r.spreads.of(s.Item))
		for d := h; d < 2*h; d++ {
			mean += float64(t.Row[d]-row[d]) * float64(t.Row[d]-row[d])
		}
		out.sd += math.Sqrt(variance) / (2 * math.Sqrt(mean))
	}
	n := float64(len(list))
	return looked{out.near / n / float64(r.Len()), out.known / n / float64(r.Len()), out.crowd / n, out.sd / n}
}

// The ways of looking are what they are called: a hidden gem is near and little known, and what is outside the bubble
// is less near, less certain and farther from the crowd than what For you shows. Measured on the users of MovieLens
// small.
func TestModesOfRealVisitors(t *testing.T) {
	r := openShipped(t)
	counts := make([]int, r.Len())
	for i := range counts {
		counts[i] = r.Item(i).Count
	}
	slices.Sort(counts)
	median := counts[(len(counts)-1)/2]
	var sum [3]looked
	people, uncertain, apart := 0.0, 0.0, 0.0
	for _, u := range visitors(t, r) {
		if len(u.likes) < 10 || people == 100 {
			continue
		}
		people++
		v := Visit{Likes: u.likes[:10]}
		taste := r.Taste(v, nil)
		var one [3]looked
		for mode := range one {
			list := r.Recommend(v, taste, Request{K: 10, Mode: Mode(mode), Bare: true})
			if len(list) != 10 {
				t.Fatalf("mode %d has %d titles", mode, len(list))
			}
			for _, s := range list {
				if Mode(mode) == HiddenGems && r.Item(s.Item).Count > median {
					t.Errorf(
						"%q, which %d people like, is called a hidden gem; the median is %d",
						r.Item(s.Item).Title,
						r.Item(s.Item).Count,
						median,
					)
				}
			}
			one[mode] = r.look(v, taste, list)
			sum[mode].near += one[mode].near
			sum[mode].known += one[mode].known
			sum[mode].crowd += one[mode].crowd
			sum[mode].sd += one[mode].sd
		}
		if one[OutsideBubble].sd > one[ForYou].sd {
			uncertain++
		}
		if one[OutsideBubble].crowd > one[ForYou].crowd {
			apart++
		}
	}
	for mode, name := range []string{"for you", "hidden gems", "outside your bubble"} {
		s := &sum[mode]
		*s = looked{s.near / people, s.known / people, s.crowd / people, s.sd / people}
		t.Logf(
			"%-20s nearer than %.1f%% of the catalogue, better known than %.1f%%, W2 to the crowd %.3f, sd of the distance %.4f",
			name,
			100*s.near,
			100*s.known,
			s.crowd,
			s.sd,
		)
	}
	gems, outside, you := sum[HiddenGems], sum[OutsideBubble], sum[ForYou]
	if !(gems.near > 0.9 && gems.known < 0.5) {
		t.Errorf("hidden gems are nearer than %.2f of the catalogue and better known than %.2f", gems.near, gems.known)
	}
	if !(outside.near > 0.5 && outside.near < 0.9) {
		t.Errorf(
			"what is outside is nearer than %.2f of the catalogue, must be beyond the bubble and yet within reach",
			outside.near,
		)
	}
	if uncertain < 0.9*people || apart < 0.9*people || !(outside.sd > 1.2*you.sd) {
		t.Errorf(
			"what is outside is less certain for %.0f of %.0f people, farther from the crowd for %.0f",
			uncertain,
			people,
			apart,
		)
	}
	t.Logf("outside: less certain for %.0f of %.0f, farther from the crowd for %.0f", uncertain, people, apart)
}

// Outside of the bubble titles come by the formula that outside states, worked out here item by item.
func TestOutsideIsItsFormula(t *testing.T) {
	for name, m := range map[string]*model.Model{"plain": fixtures(300)["composed"], "linked": linked(300)} {
		r := open(t, m)
		v := Visit{Likes: []int{2, 7, 12}, Seen: []int{40}}
		taste := r.Taste(v, nil)
		cost := make([]float64, r.Len())
		for i := range cost {
			cost[i] = W2Squared(taste.Row, r.items.Row(i))
			if r.links != nil {
				cost[i] -= float64(bonus(r, v)[i])
			}
		}
		sorted := slices.Clone(cost)
		slices.Sort(sorted)
		var kept []int
		var terms [3][]float64
		for i, c := range cost {
			if c <= sorted[29] || c > sorted[149] || slices.Contains(v.Likes, i) || slices.Contains(v.Seen, i) {
				continue
			}
			row, h := r.items.Row(i), r.items.Dim()
			d2 := W2Squared(taste.Row, row)
			variance := 0.0
			for d := range h {
				s, u := float64(taste.Spread[d]), float64(r.spreads.of(i)[d])
				delta := float64(taste.Row[d]) - float64(row[d])
				d2 += s*s + u*u
				variance += 2*(s*s+u*u)*(s*s+u*u) + 4*delta*delta*(s*s+u*u)
			}
			kept = append(kept, i)
			for k, x := range []float64{math.Sqrt(d2), math.Sqrt(variance) / 2 / math.Sqrt(d2), math.Sqrt(W2Squared(r.average, row))} {
				terms[k] = append(terms[k], x)
			}
		}
		score := make([]float64, len(kept))
		for k, sign := range []float64{1, -1, -1} {
			mean, square := 0.0, 0.0
			for _, x := range terms[k] {
				mean += x / float64(len(kept))
				square += x * x / float64(len(kept))
			}
			for at, x := range terms[k] {
				score[at] += sign * (x - mean) / math.Sqrt(square-mean*mean)
			}
		}
		order := make([]int, len(kept))
		for at := range order {
			order[at] = at
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[a], score[b]) })
		for place, s := range r.Recommend(v, taste, Request{K: 15, Mode: OutsideBubble}) {
			if want := kept[order[place]]; s.Item != want {
				t.Errorf("%s, place %d: item %d, want %d", name, place+1, s.Item, want)
			}
		}
	}
}
