package recommend

import (
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// ordered returns the fixture's recommender with links in order: from each item to the two that follow it by number.
func ordered(t *testing.T, gamma float32) *Recommender {
	t.Helper()
	m := *linked(60)
	n := m.Items.Len()
	p := &model.ItemLinks{Gamma: gamma, Offsets: []int32{0}}
	for i := range n {
		for j := max(i-2, 0); j < i; j++ {
			p.Sources = append(p.Sources, int32(j))
			p.Weights = append(p.Weights, 1/float32(i-j))
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	m.Next = p
	r, err := Open(&m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRecentItemsSteer compares the costs with the definition, and checks that the items after the latest one lead
// once γ is large.
func TestRecentItemsSteer(t *testing.T) {
	r := ordered(t, 16)
	v := Visit{Likes: []int{1, 7}, Recent: []int{3, 9}}
	taste := r.Taste(v, nil)
	plain, costs := r.Costs(Visit{Likes: v.Likes}, taste), r.Costs(v, taste)
	for i := range costs {
		want := float64(plain[i])
		for k, h := range []int{9, 3} {
			want -= math.Pow(RecentDecay, float64(k)) * float64(r.model.Next.Of(i, h))
		}
		if math.Abs(float64(costs[i])-want) > 1e-5 {
			t.Fatalf("item %d costs %v, want %v", i, costs[i], want)
		}
	}
	list := r.Recommend(v, taste, Request{K: 3})
	if got := []int{list[0].Item, list[1].Item}; !slices.Equal(got, []int{10, 4}) && !slices.Equal(got, []int{10, 11}) {
		t.Errorf("the list begins with %v", got)
	}
	for _, s := range list {
		if s.Certainty != Unsaid || s.Chance != 0 {
			t.Errorf("item %d has the chance %v, which was not calibrated for recent items", s.Item, s.Chance)
		}
	}
}

// TestRecentItemsInLists checks that recent items stand in for likes, are left out, and return with Again.
func TestRecentItemsInLists(t *testing.T) {
	r := ordered(t, 16)
	n := r.Len()
	items := func(v Visit) (all []int) {
		for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: n, Bare: true}) {
			all = append(all, s.Item)
		}
		return all
	}
	recent := []int{-1, 5, 2, n, 5}
	all := items(Visit{Recent: recent})
	if slices.Contains(all, 5) || slices.Contains(all, 2) || len(all) != n-2 {
		t.Errorf("a list of %d items; want %d without 2 and 5", len(all), n-2)
	}
	if got := items(Visit{Recent: recent, Again: true}); len(got) != n {
		t.Errorf("with Again a list of %d items; want %d", len(got), n)
	}
	if got := items(Visit{Recent: recent, Again: true, Likes: []int{5}, Seen: []int{2}}); len(got) != n-1 {
		t.Errorf("a seen item returns: %d items; want %d", len(got), n-1)
	}
	a, b := r.Taste(Visit{Recent: []int{2, 5}}, nil), r.Taste(Visit{Likes: []int{2, 5}}, nil)
	if !slices.Equal(a.Row, b.Row) {
		t.Error("recent items do not stand in for likes")
	}
	if first := r.clean(Visit{Recent: []int{5, 2, 5}}).Recent; !slices.Equal(first, []int{2, 5}) {
		t.Errorf("repeated items become %v; want the last place of each", first)
	}
	many := make([]int, 3*RecentItems)
	for i := range many {
		many[i] = i % n
	}
	if got := r.clean(Visit{Recent: many}).Recent; len(got) > RecentItems {
		t.Errorf("%d recent items count; want at most %d", len(got), RecentItems)
	}
}
