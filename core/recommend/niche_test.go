package recommend

import (
	"math"
	"slices"
	"testing"
)

// Likes that explain each other are evidence of a niche taste, in any order; likes drawn like everybody's are not. With
// the evidence, little-known titles gain.
func TestNicheTastesAreSeen(t *testing.T) {
	r := openShipped(t)
	of := func(titles ...string) (likes []int) {
		for _, title := range titles {
			i, err := r.Find(title)
			if err != nil {
				t.Fatal(err)
			}
			likes = append(likes, i)
		}
		return likes
	}
	arthouse := of("The Seventh Seal", "Persona (1966)", "Stalker", "Solaris (1972)")
	westerns := of("Unforgiven", "Tombstone", "Once Upon a Time in the West", "High Plains Drifter")
	canon := of("Forrest Gump", "The Matrix", "Toy Story", "The Silence of the Lambs")
	for name, likes := range map[string][]int{"arthouse": arthouse, "westerns": westerns} {
		e := r.niche(likes)
		slices.Reverse(likes)
		if again := r.niche(likes); e < 1 || e > nicheMost || again != e {
			t.Errorf("%s: evidence of %v, in another order %v", name, e, again)
		}
	}
	if e := r.niche(canon); e != 0 {
		t.Errorf("the canon: evidence of %v", e)
	}
	if e := r.niche(arthouse[:1]); e != 0 {
		t.Errorf("one like: evidence of %v", e)
	}
	counts := func(likes []int, q Request) (mean float64) {
		v := Visit{Likes: likes}
		for _, s := range r.Recommend(v, r.Taste(v, nil), q) {
			mean += float64(r.Item(s.Item).Count) / float64(q.K)
		}
		return mean
	}
	if few, many := counts(arthouse, Request{K: 10}), counts(canon, Request{K: 10}); few > 40 || many < 80 {
		t.Errorf("ten titles have %.0f likes each for arthouse, and %.0f for the canon", few, many)
	}
	// Surprises are not the canon.
	v := Visit{Likes: of("Goodfellas", "Casino")}
	for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: 10, Exploration: 1}) {
		if n := r.Item(s.Item).Count; n > canon4(r) {
			t.Errorf("%s with %d likes is no surprise", r.Item(s.Item).Title, n)
		}
	}
}

func canon4(r *Recommender) int { return canon * r.fewest }

// All but five of the similar titles have a common share of genres of at least a third; those five are far nearer. Noise does not bring a title near: of two equal rows, the better-known title comes first.
func TestSimilarTitlesShareGenres(t *testing.T) {
	r := openShipped(t)
	weight := func(genres []string) (sum float64) {
		for _, g := range genres {
			sum += float64(r.informative(slices.Index(r.genres, g)))
		}
		return sum
	}
	places, unlikely := 0, 0
	for item := 0; item < r.Len(); item += 97 {
		own := r.Item(item).Genres
		for _, s := range r.Similar(item, Visit{}, 10) {
			places++
			var both, either []string
			for _, g := range r.genres {
				a, b := slices.Contains(own, g), slices.Contains(r.Item(s.Item).Genres, g)
				if a && b {
					both = append(both, g)
				}
				if a || b {
					either = append(either, g)
				}
			}
			if len(own) > 0 && len(r.Item(s.Item).Genres) > 0 && weight(both) < (alike-1e-4)*weight(either) {
				t.Logf("%q: %q has %v in common", r.Item(item).Title, r.Item(s.Item).Title, both)
				unlikely++
			}
		}
	}
	if unlikely > 5 {
		t.Errorf("%d of %d similar titles have too few genres in common", unlikely, places)
	}
	m := linked(300)
	copy(m.Items.Row(150), m.Items.Row(20)) // the same genres; counts fall with the index
	list := items(open(t, m).Similar(40, Visit{}, 299))
	if slices.Index(list, 20) > slices.Index(list, 150) {
		t.Error("the less certain of two equal titles comes first")
	}
	last := math.Inf(-1)
	far := open(t, m)
	w := far.pool.Get().(*work)
	bonus := far.likeness(w, 40)
	for place, i := range list {
		cost := W2Squared(m.Items.Row(40), m.Items.Row(i)) - float64(bonus[i])
		if cost < last {
			t.Fatalf("place %d: item %d is out of order", place+1, i)
		}
		last = cost
	}
	if last < unlike*far.tau {
		t.Error("no title is of other genres, which tests little")
	}
}

// A like of other genres is no reason, unless a link leads from it to the title.
func TestReasonsExplain(t *testing.T) {
	m := linked(300)
	r := open(t, m)
	given, refused := 0, 0
	for _, v := range linkedVisits {
		for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: 50}) {
			for _, why := range s.Reasons {
				given++
				shares := slices.ContainsFunc(r.Item(why.Item).Genres, func(g string) bool {
					return slices.Contains(r.Item(s.Item).Genres, g)
				})
				if !shares && m.ItemItem.Of(s.Item, why.Item) <= 0 {
					t.Errorf("item %d because of %d, which has other genres", s.Item, why.Item)
				}
			}
			refused += min(len(v.Likes), reasonsShown) - len(s.Reasons)
		}
	}
	if given == 0 || refused == 0 {
		t.Errorf("%d reasons given, %d refused", given, refused)
	}
}
