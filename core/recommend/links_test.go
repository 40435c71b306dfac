package recommend

import (
	"context"
	"math"
	"reflect"
	"slices"
	"sort"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// openHybrid opens the shipped model with item-item links computed from the same data, even if it ships without.
func openHybrid(t testing.TB) *Recommender {
	t.Helper()
	m, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	if d.Items.Len() != m.Items.Len() || d.Items.ID(7) != m.Catalogue.Items[7].ID {
		t.Fatal("the shipped model was not trained on these data")
	}
	p, err := itemlinks.Ridge(context.Background(), d.Positives, 50, 0, 20, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Gamma = 5.6
	hybrid := *m
	hybrid.ItemItem = p
	return open(t, &hybrid)
}

// linkBonus is the definition, in float32: first the dislikes, then the likes, in order.
func linkBonus(r *Recommender, v Visit) []float32 {
	b := make([]float32, r.Len())
	for i := range b {
		for _, j := range sorted(v.Dislikes) {
			b[i] -= r.model.ItemItem.Of(i, j)
		}
		for _, j := range sorted(v.Likes) {
			b[i] += r.model.ItemItem.Of(i, j)
		}
	}
	return b
}

// bonus is the bonus from links, genres and being little known.
func bonus(r *Recommender, v Visit, n int, niche float64) []float32 {
	b := linkBonus(r, v)
	var likes []int32
	for _, j := range sorted(v.Likes) {
		likes = append(likes, int32(j))
	}
	r.addTaste(b, likes, nil, n, niche)
	return b
}

// costs are the costs by their definition.
func costs(r *Recommender, v Visit, t *Taste) []float64 {
	c := make([]float64, r.Len())
	for i, b := range bonus(r, v, len(v.Likes), r.niche(v.Likes)) {
		c[i] = W2Squared(t.Row, r.items.Row(i)) - float64(b)
	}
	return c
}

var linkedVisits = []Visit{
	{Likes: []int{2, 7, 12}},
	{Likes: []int{12, 2, 40, 41, 7}, Dislikes: []int{200, 3}, Seen: []int{9}},
	{Dislikes: []int{4, 50}},
	{},
}

// TestHybridIsASort: the list is exactly in the order of costs, for any length, and Match is the share that costs more.
func TestHybridIsASort(t *testing.T) {
	r := open(t, linked(300))
	moved := false
	for _, v := range linkedVisits {
		taste := r.Taste(v, nil)
		cost := costs(r, v, taste)
		said := slices.Concat(v.Likes, v.Dislikes, v.Seen)
		var want []int
		for i := range r.Len() {
			if !slices.Contains(said, i) {
				want = append(want, i)
			}
		}
		sort.SliceStable(want, func(a, b int) bool { return cost[want[a]] < cost[want[b]] })
		for _, k := range []int{1, 10, 300} {
			got := r.Recommend(v, taste, Request{K: k})
			if !slices.Equal(items(got), want[:min(k, len(want))]) {
				t.Fatalf("%+v, K=%d: not in the order of costs", v, k)
			}
			for i, s := range got {
				more := 0
				for _, c := range cost {
					if c > cost[s.Item]+1e-6 {
						more++
					}
				}
				if math.Abs(s.Match-float64(more)/299) > 1e-9 {
					t.Errorf("%+v: Match is %v, %d of 299 cost more", v, s.Match, more)
				}
				if s.Distance != r.Distance(taste, s.Item) {
					t.Errorf("%+v: Distance is no longer W2", v)
				}
				moved = moved || i > 0 && s.Distance < got[i-1].Distance
			}
		}
	}
	if !moved {
		t.Error("the links change no order, so nothing was tested")
	}
}

// TestLikesAndDislikesSpeak: a like of its source raises a linked title, a dislike lowers it, by γ·B, and by a quarter of
// it where three likes halve that.
func TestLikesAndDislikesSpeak(t *testing.T) {
	for _, prior := range []float32{0, 3} {
		likesAndDislikesSpeak(t, prior)
	}
}

func likesAndDislikesSpeak(t *testing.T, linkPrior float32) {
	m := linked(300)
	m.Objective.LinkPrior = linkPrior
	r := open(t, m)
	const target = 33
	sources, weights := m.ItemItem.Row(target)
	far := int(sources[len(sources)-1])
	for _, v := range []Visit{{Likes: []int{far}}, {Dislikes: []int{far}}} {
		want := m.ItemItem.Gamma * weights[len(weights)-1] * (1 / (1 + linkPrior))
		sum := make([]float32, r.Len())
		if sum[target] = want; len(v.Likes) > 0 {
			r.addTaste(sum, []int32{int32(far)}, nil, 1, 0)
		}
		want = sum[target]
		if len(v.Dislikes) > 0 {
			want = -want
		}
		w := r.pool.Get().(*work)
		r.index.Distances(w.distances, r.Taste(v, nil).Row)
		r.addBonus(w, v, 1, 0)
		if w.bonus[target] != want || w.costs[target] != w.distances[target]-want {
			t.Errorf("%+v: bonus %v, want %v", v, w.bonus[target], want)
		}
	}
}

// TestLinksAreReasons: a like that is far away is a reason if it is linked, and the shares are the softmax of both
// parts.
func TestLinksAreReasons(t *testing.T) {
	m := linked(300)
	m.ItemItem.Gamma, m.Objective.LinkPrior = 40, 2
	r := open(t, m)
	linkedMost := 0
	for _, v := range linkedVisits[:2] {
		likes := sorted(v.Likes)
		n := float64(len(v.Likes) + len(v.Dislikes))
		for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: 40}) {
			z, best := 0.0, 0.0
			share := map[int]float64{}
			for _, l := range likes {
				p := math.Exp(
					(-W2Squared(r.items.Row(s.Item), r.items.Row(l)) + float64(m.ItemItem.Of(s.Item, l))*n/(n+2)) / r.tau,
				)
				share[l], z, best = p, z+p, max(best, p)
			}
			for _, y := range s.Reasons {
				if math.Abs(y.Share-share[y.Item]/z) > 1e-5 {
					t.Errorf("item %d: the share of %d is %v, want %v", s.Item, y.Item, y.Share, share[y.Item]/z)
				}
			}
			first := s.Reasons[0].Item
			if m.ItemItem.Of(s.Item, first) > 0 && first%5 != s.Item%5 {
				linkedMost++
			}
		}
	}
	if linkedMost == 0 {
		t.Error("no title has a like of another genre for its first reason, so nothing was tested")
	}
}

// TestNoLinksAreNoPart: a model whose item-item part is empty, and a visit without links, change nothing.
func TestNoLinksAreNoPart(t *testing.T) {
	m := linked(300)
	for i := range m.Catalogue.Items {
		// The evidence from genres and from being little known would be added with any item-item part.
		m.Catalogue.Items[i].Genres, m.Catalogue.Items[i].Count = nil, 1
	}
	with, empty := open(t, m), *m
	empty.ItemItem = &model.ItemLinks{Gamma: 1, Offsets: make([]int32, 301)}
	none := *m
	none.ItemItem = nil
	a, b := open(t, &empty), open(t, &none)
	for _, v := range linkedVisits {
		taste := b.Taste(v, nil)
		for _, q := range []Request{{K: 20}, {K: 20, Diversity: 0.5}, {K: 20, Exploration: 0.8, Seed: 4}, {K: 20, Mode: HiddenGems}, {K: 20, Mode: OutsideBubble}} {
			if !reflect.DeepEqual(a.Recommend(v, taste, q), b.Recommend(v, taste, q)) {
				t.Errorf("%+v, %+v: a part without links changes the answer", v, q)
			}
			same := reflect.DeepEqual(with.Recommend(v, taste, q), b.Recommend(v, taste, q))
			if said := len(v.Likes) + len(v.Dislikes); same && len(v.Likes) > 0 || !same && said == 0 {
				t.Errorf("%+v, %+v: with links and without the answer is the same: %v", v, q, same)
			}
		}
	}
	if !reflect.DeepEqual(a.Similar(8, Visit{}, 20), b.Similar(8, Visit{}, 20)) {
		t.Error("a part without links changes similar titles")
	}
}

// TestHybridModes: HiddenGems and OutsideBubble follow the order of costs.
func TestHybridModes(t *testing.T) {
	r := open(t, linked(300))
	v := linkedVisits[1]
	taste := r.Taste(v, nil)
	for _, mode := range []Mode{HiddenGems, OutsideBubble} {
		last, cost := math.Inf(-1), costs(r, v, taste)
		for i, x := range r.rare {
			if mode == HiddenGems { // counts once more
				cost[i] -= float64(r.rareness(len(v.Likes), r.niche(v.Likes)) * x)
			}
		}
		list := r.Recommend(v, taste, Request{K: 30, Mode: mode})
		for _, s := range list {
			if s.Item < 44 || cost[s.Item] < last-1e-6 { // counts fall with the index
				t.Errorf("mode %d: item %d is not among the least known 85%%, or out of order", mode, s.Item)
			}
			last = cost[s.Item]
		}
		if len(list) != 30 {
			t.Errorf("mode %d: %d titles", mode, len(list))
		}
	}
	// Varied lists begin with the first title, and a longer one extends a shorter one, as without links.
	for _, q := range []Request{{Diversity: 0.5}, {Diversity: 1}, {Diversity: 0.3, Exploration: 0.5, Seed: 5}} {
		q.K = 30
		long := items(r.Recommend(v, taste, q))
		q.K = 8
		if short := items(r.Recommend(v, taste, q)); len(long) != 30 || !slices.Equal(short, long[:8]) {
			t.Errorf("%+v: eight are %v, of thirty they were %v", q, short, long[:8])
		}
		if long[0] != items(r.Recommend(v, taste, Request{K: 1}))[0] {
			t.Errorf("%+v: the first title did not stay first", q)
		}
	}
}

// TestApartKeepsOrderAndUnit: the input of vary ascends with the costs, and begins with the first title's own distance.
func TestApartKeepsOrderAndUnit(t *testing.T) {
	r := open(t, linked(300))
	for _, v := range linkedVisits {
		taste := r.Taste(v, nil)
		w := r.pool.Get().(*work)
		r.index.Distances(w.distances, taste.Row)
		r.addBonus(w, v, 1, 0)
		w.hits = r.index.NearestOf(w.hits[:0], taste.Row, w.distances, w.bonus, 50, nil)
		w.costsToDistances(w.bonus)
		if d := r.Distance(taste, w.hits[0].Item); math.Abs(w.hits[0].Score-d) > 1e-12 {
			t.Errorf("%+v: the first is at %v, its distance is %v", v, w.hits[0].Score, d)
		}
		for i := 1; i < len(w.hits); i++ {
			if !(w.hits[i].Score >= w.hits[i-1].Score) {
				t.Errorf("%+v: place %d is at %v after %v", v, i, w.hits[i].Score, w.hits[i-1].Score)
			}
		}
	}
}

// TestHybridByAnotherScan: the scan kernel does not change the order.
func TestHybridByAnotherScan(t *testing.T) {
	m := linked(300)
	plain := open(t, m)
	other, err := Open(m, Options{Scan: scanBackwards})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range linkedVisits {
		for _, q := range []Request{{K: 50}, {K: 20, Diversity: 0.6}, {K: 20, Mode: HiddenGems}} {
			taste := plain.Taste(v, nil)
			if !slices.Equal(items(plain.Recommend(v, taste, q)), items(other.Recommend(v, taste, q))) {
				t.Errorf("%+v, %+v: two scans gave two orders", v, q)
			}
		}
	}
}

func TestOpenRefusesABrokenPart(t *testing.T) {
	m := linked(30)
	m.ItemItem.Sources[0] = 30
	if _, err := Open(m, Options{}); err == nil {
		t.Error("a source that does not exist was accepted")
	}
}

func BenchmarkRecommendHybrid(b *testing.B) {
	for name, r := range map[string]*Recommender{"movielens": openHybrid(b), "10000x24": open(b, linked(10000))} {
		v := Visit{}
		for i := range 40 {
			v.Likes = append(v.Likes, i*i)
		}
		taste := r.Taste(v, nil)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Recommend(v, taste, Request{K: 10})
			}
		})
	}
}
