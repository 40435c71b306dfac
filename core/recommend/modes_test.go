package recommend

import (
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// The modes live up to their names on the users of MovieLens small. HiddenGems lists little-known titles, OutsideBubble
// lists unusual genres, and neither lists gambles. Both find more than three times as many of a user's held-out likes
// as a random draw of equally unknown titles.
func TestModesOfRealVisitors(t *testing.T) {
	r := openShipped(t)
	counts := make([]int, r.Len())
	for i := range counts {
		counts[i] = r.Item(i).Count
	}
	slices.Sort(counts)
	few := counts[(len(counts)-1)*85/100]
	for _, mode := range []Mode{HiddenGems, OutsideBubble} {
		people, listed, found, random := 0, 0, 0.0, 0.0
		for _, u := range visitors(t, r) {
			if len(u.likes) < 20 || people == 100 {
				continue
			}
			people++
			v, held := Visit{Likes: u.likes[:10]}, u.likes[10:]
			var said []int32
			for _, i := range v.Likes {
				said = append(said, int32(i))
			}
			odds := r.genreOdds(said, nil)
			for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: 10, Mode: mode}) {
				listed++
				it := r.Item(s.Item)
				typical := 0.0
				for g, name := range r.genres {
					if slices.Contains(it.Genres, name) {
						typical += odds[g]
					}
				}
				if it.Count > few || s.Certainty == Gamble || mode == OutsideBubble && typical >= math.Ln2 {
					t.Errorf("mode %d: %q, which %d like, with a chance of %.2f, typical by %.2f", mode, it.Title, it.Count,
						s.Chance, typical)
				}
				if slices.Contains(held, s.Item) {
					found++
				}
				alike, liked := 0.0, 0.0
				for i := range r.Len() {
					if r.Item(i).Count == it.Count && !slices.Contains(v.Likes, i) {
						alike++
						if slices.Contains(held, i) {
							liked++
						}
					}
				}
				random += liked / alike
			}
		}
		t.Logf("mode %d: of %d titles %.0f are held-out likes; random titles would give %.1f", mode, listed,
			found, random)
		if listed < 800 || found < 3*random {
			t.Errorf("mode %d: %.0f of %d found, %.1f by chance", mode, found, listed, random)
		}
	}
}

// At most one title of a series is among the first five, unless the visitor likes two of it; no title is lost.
func TestOneOfASeries(t *testing.T) {
	r := openShipped(t)
	find := func(titles ...string) (out []int) {
		for _, title := range titles {
			i, err := r.Find(title)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, i)
		}
		return out
	}
	capped := 0
	for _, u := range visitors(t, r)[:150] {
		v := Visit{Likes: u.likes[:min(len(u.likes), 4)]}
		if len(v.Likes) == 0 {
			continue
		}
		taste := r.Taste(v, nil)
		list := items(r.Recommend(v, taste, Request{K: 30, Bare: true}))
		w := r.pool.Get().(*work)
		r.fill(w.keep, Filter{})
		dropMentioned(w.keep, v)
		r.price(w, taste.Row, v)
		plain := r.index.NearestOf(nil, taste.Row, w.distances, w.bonus, 30, w.keep)
		var likes []string
		for _, i := range v.Likes {
			likes = append(likes, r.Item(i).Title)
		}
		for k, i := range list[:5] {
			for _, j := range list[:k] {
				names := catalogue.Series(r.Item(i).Title)
				if catalogue.SameSeries(names, catalogue.Series(r.Item(j).Title)) && !asksFor(names, likes) {
					t.Errorf("%q and %q are both among the first five", r.Item(j).Title, r.Item(i).Title)
				}
			}
		}
		first := make([]int, 30)
		for k, h := range plain {
			first[k] = h.Item
		}
		if !slices.Equal(first, list) {
			capped++
		}
		slices.Sort(first[:20])
		slices.Sort(list[:20])
		if !slices.Equal(first[:20], list[:20]) {
			t.Errorf("some of the first twenty are lost: %v, %v", list[:20], first[:20])
		}
	}
	if capped == 0 {
		t.Error("no list was changed, so nothing was tested")
	}
	// A visitor who likes two titles of a series wants it.
	var hits []Hit
	for _, i := range find("Star Wars: Episode VI - Return of the Jedi", "Star Wars: Episode I - The Phantom Menace", "Heat",
		"Star Wars: Episode II - Attack of the Clones", "Alien", "Fargo", "Jaws", "Psycho (1960)") {
		hits = append(hits, Hit{Item: i})
	}
	likes := find("Star Wars: Episode IV - A New Hope", "Star Wars: Episode V - The Empire Strikes Back")
	got := slices.Clone(hits)
	if r.capSeries(got, likes); !slices.Equal(got, hits) {
		t.Error("the list of a visitor who likes two Star Wars films was changed")
	}
	r.capSeries(got, likes[:1])
	if want := []Hit{hits[0], hits[2], hits[4], hits[5], hits[6], hits[1], hits[3], hits[7]}; !slices.Equal(got, want) {
		t.Errorf("%v became %v, want %v", hits, got, want)
	}
}
