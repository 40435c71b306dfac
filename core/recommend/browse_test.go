package recommend

import (
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// The pages of whole genres and decades, in each order, contain every title once, and Count agrees.
func TestBrowsing(t *testing.T) {
	r := openShipped(t)
	v := Visit{Likes: r.Starters(3, 0), Seen: []int{5}}
	taste := r.Taste(v, nil)
	said := slices.Concat(v.Likes, v.Seen)
	for _, f := range []Filter{{Genres: []string{"Comedy"}}, {FromYear: 1990, ToYear: 1999}, {Genres: []string{"No such"}}, {}} {
		all := r.Count(Visit{}, f)
		n := r.Count(v, f)
		passes := func(i int) bool {
			it := r.Item(i)
			return (len(f.Genres) == 0 || slices.Contains(it.Genres, f.Genres[0])) &&
				(f.FromYear == 0 || it.Year >= f.FromYear && it.Year <= f.ToYear)
		}
		mentioned := 0
		for _, i := range said {
			if passes(i) {
				mentioned++
			}
		}
		if all-n != mentioned {
			t.Errorf("%+v: %d titles, %d without the %d that were mentioned", f, all, n, mentioned)
		}
		for _, o := range []Order{BestFirst, BestKnown, Newest, ByTitle} {
			var got []int
			for skip := 0; skip < n+40; skip += 40 {
				page := r.Recommend(v, taste, Request{K: 40, Skip: skip, Filter: f, Order: o, Bare: true})
				got = append(got, items(page)...)
			}
			if len(got) != n {
				t.Fatalf("%+v, order %d: the pages hold %d titles, Count says %d", f, o, len(got), n)
			}
			if whole := r.Recommend(v, taste, Request{K: r.Len(), Filter: f, Order: o, Bare: true}); !slices.Equal(
				items(whole),
				got,
			) {
				t.Errorf("%+v, order %d: the pages are not the list", f, o)
			}
			for k, i := range got {
				if !passes(i) || slices.Contains(said, i) || slices.Contains(got[:k], i) {
					t.Fatalf("%+v, order %d: %q does not belong here", f, o, r.Item(i).Title)
				}
				if k == 0 {
					continue
				}
				a, b := r.Item(got[k-1]), r.Item(i)
				name := func(s string) string { return catalogue.Bare(catalogue.Fold(s)) }
				if o == BestKnown && a.Count < b.Count || o == Newest && a.Year < b.Year ||
					o == ByTitle && name(a.Title) > name(b.Title) {
					t.Fatalf(
						"order %d: %q, %d, of %d people comes before %q, %d, of %d",
						o,
						a.Title,
						a.Year,
						a.Count,
						b.Title,
						b.Year,
						b.Count,
					)
				}
			}
		}
	}
	// The description of a title does not depend on the order.
	best, known := r.Recommend(
		v,
		taste,
		Request{K: r.Len()},
	), r.Recommend(
		v,
		taste,
		Request{K: 3, Order: BestKnown, Mode: HiddenGems},
	)
	for _, s := range known {
		at := slices.IndexFunc(best, func(o Suggestion) bool { return o.Item == s.Item })
		if b := best[at]; b.Distance != s.Distance || b.Chance != s.Chance || len(b.Reasons) != len(s.Reasons) {
			t.Errorf("%+v by best known, %+v by best first", s, b)
		}
	}
}

// "Show me something different": the titles shown are gone. Their replacements are farther from them than the next
// titles of the list, and still near the visitor.
func TestSomethingDifferentOfRealVisitors(t *testing.T) {
	r := openShipped(t)
	var apart, next, near, hits, hitsNext, people float64
	for _, u := range visitors(t, r) {
		if len(u.likes) < 20 || people == 100 {
			continue
		}
		people++
		v, held := Visit{Likes: u.likes[:len(u.likes)/2]}, u.likes[len(u.likes)/2:]
		taste := r.Taste(v, nil)
		both := items(r.Recommend(v, taste, Request{K: 20, Bare: true}))
		shown, usual := both[:10], both[10:]
		list := r.Recommend(v, taste, Request{K: 10, Instead: shown, Bare: true})
		other := items(list)
		if len(other) != 10 || slices.ContainsFunc(other, func(i int) bool { return slices.Contains(shown, i) }) {
			t.Fatalf("%v is replaced by %v", shown, other)
		}
		apart, next = apart+r.between(other, shown), next+r.between(usual, shown)
		cost := costs(r, v, taste)
		for _, i := range other {
			for _, c := range cost {
				if c > cost[i] {
					near += 0.1 / float64(r.Len())
				}
			}
		}
		for _, i := range held {
			if slices.Contains(other, i) {
				hits++
			}
			if slices.Contains(usual, i) {
				hitsNext++
			}
		}
		// Asking again gives other titles again.
		if again := items(r.Recommend(v, taste, Request{K: 10, Instead: slices.Concat(shown, other), Bare: true})); slices.ContainsFunc(
			again,
			func(i int) bool {
				return slices.Contains(shown, i) || slices.Contains(other, i)
			},
		) {
			t.Errorf("after %v and %v: got %v", shown, other, again)
		}
	}
	t.Logf(
		"to the nearest of the ten that were shown: %.3f, of the list's next ten %.3f; nearer to the visitor than %.1f%% of the catalogue; of their other likes %.2f come, of the next ten %.2f",
		apart/people,
		next/people,
		100*near/people,
		hits/people,
		hitsNext/people,
	)
	if !(apart > 1.2*next) || !(near > 0.93*people) {
		t.Error("the replacements are not different, or not near the visitor")
	}
}

// between returns the mean W2 from each item of a to the nearest of b.
func (r *Recommender) between(a, b []int) (mean float64) {
	for _, i := range a {
		least := math.Inf(1)
		for _, j := range b {
			least = min(least, math.Sqrt(W2Squared(r.items.Row(i), r.items.Row(j))))
		}
		mean += least / float64(len(a))
	}
	return mean
}

// Change predicts the effect of one more like.
func TestChangeComesTrue(t *testing.T) {
	r := openShipped(t)
	came, smaller, asked := 0, 0, 0
	for k, u := range visitors(t, r) {
		if len(u.likes) < 12 || k > 60 {
			continue
		}
		v := Visit{Likes: u.likes[:8], Seen: u.likes[8:10]}
		taste := r.Taste(v, nil)
		q := Request{K: 30, Mode: Mode(k % 2), Diversity: float64(k%3) / 4}
		list := items(r.Recommend(v, taste, Request{K: Top + 1, Mode: q.Mode, Diversity: q.Diversity, Bare: true}))
		item := list[k%Top]
		c := r.Change(v, taste, q, item)
		liked := v
		liked.Likes = append(slices.Clone(v.Likes), item)
		then := items(
			r.Recommend(liked, r.Taste(liked, nil), Request{K: Top, Mode: q.Mode, Diversity: q.Diversity, Bare: true}),
		)
		short := q.Mode == HiddenGems // the floor makes such lists shorter
		if len(c.In) != len(c.Out) && !short || slices.Contains(c.In, item) || slices.Contains(c.Out, item) {
			t.Errorf("%d enter and %d leave: %+v for item %d", len(c.In), len(c.Out), c, item)
		}
		for _, i := range c.In {
			if !slices.Contains(then, i) {
				t.Errorf("%q should have entered the list", r.Item(i).Title)
			}
		}
		for _, i := range c.Out {
			if slices.Contains(then, i) {
				t.Errorf("%q should have left the list", r.Item(i).Title)
			}
		}
		// Titles that Change does not name were there before. Without diversity these are the list and the one title
		// that moves up.
		for _, i := range then {
			if q.Diversity == 0 && !slices.Contains(c.In, i) && !slices.Contains(list, i) {
				t.Errorf("%q entered the list unpredicted", r.Item(i).Title)
			}
		}
		before, after := taste.Variance(), r.Taste(liked, nil).Variance()
		if math.Abs(c.Variance-after/before) > 1e-9 {
			t.Errorf("the variance changed by a factor of %v, predicted %v", after/before, c.Variance)
		}
		asked++
		came += len(c.In)
		if c.Variance < 1 {
			smaller++
		}
	}
	t.Logf(
		"one more like of the first ten changes %.1f of them, and makes %d of %d ellipses smaller",
		float64(came)/float64(asked),
		smaller,
		asked,
	)
	if came == 0 {
		t.Error("no like changed anything")
	}
}
