package recommend

import (
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/yield"
)

// Open and every long question yield the thread, and the answers are the same as without yielding.
func TestYieldingChangesNothing(t *testing.T) {
	m := unrated(linked(9000))
	plain := open(t, m)
	yields := 0
	yielding := func(f func()) {
		yields = 0
		yield.Set(func() { yields++ })
		defer yield.Set(nil)
		f()
	}
	var other *Recommender
	yielding(func() { other = open(t, m) })
	if yields == 0 {
		t.Error("Open did not yield")
	}
	v := Visit{Likes: []int{3, 77, 4000, 8000}, Dislikes: []int{12}}
	taste := plain.Taste(v, nil)
	for name, ask := range map[string]func(r *Recommender) any{
		"recommend": func(r *Recommender) any { return r.Recommend(v, taste, Request{K: 30}) },
		"explore":   func(r *Recommender) any { return r.Recommend(v, taste, Request{K: 5, Exploration: 0.5, Bare: true}) },
		"outside":   func(r *Recommender) any { return r.Recommend(v, taste, Request{K: 5, Mode: OutsideBubble, Bare: true}) },
		"similar":   func(r *Recommender) any { return r.Similar(5, Visit{}, 10) },
		"radii":     func(r *Recommender) any { return r.Radii(v, taste) },
		"search":    func(r *Recommender) any { return r.Search("horror number", 5) },
	} {
		want := ask(plain)
		var got any
		yielding(func() { got = ask(other) })
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, without yielding %v", name, got, want)
		}
		if yields == 0 && name != "explore" && name != "similar" { // these yield only with more items
			t.Errorf("%s did not yield", name)
		}
	}
}

// With only the likelier half of the titles in the draws, a draw misses less than one of the first ten of a full draw,
// even though these titles are in no order, and chances are equal within the noise of the draws.
func TestStayAmongTheLikely(t *testing.T) {
	r := open(t, linked(5200))
	for _, v := range []Visit{{Likes: []int{2, 7, 12, 81}, Dislikes: []int{3}}, {Likes: []int{4000}}, {Likes: []int{1, 2, 3, 500, 900, 1500, 2222, 4999}}} {
		taste := r.Taste(v, nil)
		var all, first []int
		for _, s := range r.Recommend(v, taste, Request{K: r.Len(), Bare: true}) {
			all = append(all, s.Item)
		}
		first = all[:10]
		w := r.pool.Get().(*work)
		r.index.Distances(w.distances, taste.Row)
		r.addBonus(w, v, len(v.Likes), r.niche(v.Likes))
		const most = 2500
		whole := r.stability(w, v, taste, Request{}, all, r.Len())
		some := r.stability(w, v, taste, Request{}, first, most)
		taking := map[int32]bool{}
		for _, i := range w.among {
			taking[i] = true
		}
		if len(taking) < most || len(taking) > most+len(first) {
			t.Errorf("%+v: %d of at most %d titles take part", v, len(taking), most)
		}
		missed := 0.0
		for k, chance := range whole {
			if !taking[int32(all[k])] {
				missed += chance
			}
		}
		if missed > 1 {
			t.Errorf("%+v: in a draw of all titles, a share of %v of the first ten is missing from the smaller draws", v, missed)
		}
		for k := range first {
			if d := some[k] - whole[k]; d > 0.25 || d < -0.25 { // four standard errors
				t.Errorf("%+v: item %d stays with %v, among all with %v", v, first[k], some[k], whole[k])
			}
		}
		r.pool.Put(w)
	}
}
