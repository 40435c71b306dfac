package recommend

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"
)

// Together agrees with its definition, sorted naively. Each person gets the same description as alone, and the order of
// the two does not matter.
func TestTogetherIsASort(t *testing.T) {
	all := fixtures(300)
	all["hybrid"], all["rated"] = linked(300), rated(linked(300))
	for name, m := range all {
		r := open(t, m)
		a, b := Visit{
			Likes:    []int{2, 7, 12},
			Dislikes: []int{90},
		}, Visit{
			Likes: []int{3, 8, 81, 200, 13},
			Seen:  []int{5},
		}
		ta, tb := r.Taste(a, nil), r.Taste(b, nil)
		row := halfway(ta.Row, tb.Row)
		cost := make([]float64, r.Len())
		var order []int
		niche := r.niche(slices.Concat(a.Likes, b.Likes))
		for i := range cost {
			cost[i] = W2Squared(row, r.items.Row(i))
			if r.links != nil {
				cost[i] -= float64(bonus(r, a, 8, niche)[i]/2 + bonus(r, b, 8, niche)[i]/2)
			}
			if !slices.Contains(slices.Concat(a.Likes, a.Dislikes, b.Likes, b.Seen), i) {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(cost[x], cost[y]) })
		list := r.Together(a, b, ta, tb, Request{K: 20})
		alone := [2][]Suggestion{r.Recommend(a, ta, Request{K: r.Len()}), r.Recommend(b, tb, Request{K: r.Len()})}
		for k, s := range list {
			if s.Item != order[k] {
				t.Fatalf("%s, place %d: item %d, want %d", name, k+1, s.Item, order[k])
			}
			for side, others := range alone {
				at := slices.IndexFunc(others, func(o Suggestion) bool { return o.Item == s.Item })
				if !reflect.DeepEqual(s.Each[side], others[at]) {
					t.Errorf("%s, item %d: for person %d %+v, alone %+v", name, s.Item, side, s.Each[side], others[at])
				}
			}
		}
		turned := r.Together(b, a, tb, ta, Request{K: 20, Bare: true})
		paged := r.Together(a, b, ta, tb, Request{K: 8, Skip: 12})
		other := r.Together(a, b, ta, tb, Request{K: 8, Instead: []int{order[0], order[1]}})
		for k := range turned {
			if turned[k].Item != list[k].Item || k >= 12 && !reflect.DeepEqual(paged[k-12], list[k]) {
				t.Errorf(
					"%s, place %d: swapped %d, by pages %d, want %d",
					name,
					k+1,
					turned[k].Item,
					paged[max(k-12, 0)].Item,
					list[k].Item,
				)
			}
		}
		if slices.ContainsFunc(other, func(s Shared) bool { return s.Item == order[0] || s.Item == order[1] }) {
			t.Errorf("%s: a replaced title is in the list", name)
		}
		// A person together with themselves gets their own list.
		for k, s := range r.Together(a, a, ta, ta, Request{K: 10, Bare: true}) {
			if s.Item != alone[0][k].Item {
				t.Errorf("%s, place %d: with themselves %d, alone %d", name, k+1, s.Item, alone[0][k].Item)
			}
		}
	}
}

// The barycentre gives the fair sum: ranking by W2² from the mean of two rows is ranking by the sum of both W2².
func TestBarycentreIsTheSum(t *testing.T) {
	r := openShipped(t)
	a, b := r.Taste(Visit{Likes: []int{2, 7, 12}}, nil), r.Taste(Visit{Likes: []int{900, 40}}, nil)
	mean := make([]float32, len(a.Row))
	for d := range mean {
		mean[d] = (a.Row[d] + b.Row[d]) / 2
	}
	for i := range r.Len() {
		row := r.items.Row(i)
		sum := W2Squared(a.Row, row) + W2Squared(b.Row, row)
		if want := 2*W2Squared(mean, row) + W2Squared(a.Row, b.Row)/2; math.Abs(sum-want) > 1e-5 {
			t.Fatalf("item %d: the sum is %v, by the barycentre %v", i, sum, want)
		}
	}
	h := r.items.Dim()
	norm := func(row []float32) float64 {
		return math.Sqrt(W2Squared(row[:h], make([]float32, h)))
	}
	if got, want := norm(halfway(a.Row, b.Row)), (norm(a.Row)+norm(b.Row))/2; math.Abs(got-want) > 1e-6 {
		t.Errorf("halfway is %v from the origin, the two are %v", got, want)
	}
}

// For two real people, the shared list is nearer to the more distant one than either's own list is.
func TestTogetherIsNearBothRealVisitors(t *testing.T) {
	r := openShipped(t)
	var people []Visit
	for _, u := range visitors(t, r) {
		if len(u.likes) >= 10 && len(people) < 80 {
			people = append(people, Visit{Likes: u.likes[:10]})
		}
	}
	var together, own, better float64
	for k := 0; k+1 < len(people); k += 2 {
		a, b := people[k], people[k+1]
		ta, tb := r.Taste(a, nil), r.Taste(b, nil)
		costA, costB := costs(r, a, ta), costs(r, b, tb)
		// worst is the mean over a list of the share of the catalogue that is nearer to the more distant of the two.
		worst := func(list []int) (mean float64) {
			for _, i := range list {
				na, nb := 0.0, 0.0
				for j := range costA {
					if costA[j] < costA[i] {
						na++
					}
					if costB[j] < costB[i] {
						nb++
					}
				}
				mean += max(na, nb) / float64(len(list)*r.Len())
			}
			return mean
		}
		var list []int
		for _, s := range r.Together(a, b, ta, tb, Request{K: 10, Bare: true}) {
			list = append(list, s.Item)
		}
		w := worst(list)
		o := min(
			worst(items(r.Recommend(a, ta, Request{K: 10, Bare: true}))),
			worst(items(r.Recommend(b, tb, Request{K: 10, Bare: true}))),
		)
		together, own = together+w, own+o
		if w <= o {
			better++
		}
	}
	n := float64(len(people) / 2)
	t.Logf(
		"%.0f pairs: to the farther of the two %.1f%% of the catalogue is nearer than a title of the list for both, %.1f%% than one of the better of their own lists; better for %.0f",
		n,
		100*together/n,
		100*own/n,
		better,
	)
	if !(together < own/2) || better < 0.9*n {
		t.Error("the list for two is not near both")
	}
}
