package recommend

import (
	"cmp"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// fill sets keep to the items that pass the filter. An unknown genre or column selects nothing. O(I) only if years, a
// region or columns are given.
func (t *titles) fill(keep ItemSet, f Filter) {
	clear(keep)
	if len(f.Genres) == 0 {
		keep.fill(t.Len())
	}
	for _, g := range f.Genres {
		if s := t.byGenre[g]; s != nil {
			keep.Or(s)
		}
	}
	if f.FromYear != 0 || f.ToYear != 0 {
		for i := range t.cat.Items {
			y := t.cat.Items[i].Year
			if y == 0 || f.FromYear != 0 && y < f.FromYear || f.ToYear != 0 && y > f.ToYear {
				keep.Remove(i)
			}
		}
	}
	if f.Region != 0 {
		t.regions.members(keep, f.Region-1)
	}
	for name, want := range f.Columns {
		c := t.cat.Column(name)
		for i := range t.cat.Items {
			if values := t.cat.Items[i].Values; c < 0 || c >= len(values) || values[c] != want {
				keep.Remove(i)
			}
		}
	}
}

// clean returns v without invalid items or duplicates, and with each item in the first of its lists.
func (t *titles) clean(v Visit) Visit {
	said := NewItemSet(t.Len())
	keep := func(in []int) []int {
		out := make([]int, 0, len(in))
		for _, i := range in {
			if i >= 0 && i < t.Len() && !said.Has(i) {
				said.Add(i)
				out = append(out, i)
			}
		}
		return out
	}
	out := Visit{Likes: keep(v.Likes), Dislikes: keep(v.Dislikes), Seen: keep(v.Seen), Weights: v.Weights,
		Again: v.Again}
	out.Recent = t.latest(v.Recent, out.Dislikes)
	if len(out.Likes) == 0 {
		out.Likes = out.Recent
	}
	return out
}

// latest returns the latest RecentItems of the valid items, each once, at its last place, without the dislikes.
func (t *titles) latest(recent, dislikes []int) (out []int) {
	for k := len(recent) - 1; k >= 0 && len(out) < RecentItems; k-- {
		if i := recent[k]; i >= 0 && i < t.Len() && !slices.Contains(out, i) && !slices.Contains(dislikes, i) {
			out = append(out, i)
		}
	}
	slices.Reverse(out)
	return out
}

// dropMentioned removes the titles of the visit from keep, except those that may be listed again.
func dropMentioned(keep ItemSet, v Visit) {
	for _, said := range [...][]int{v.Likes, v.Recent} {
		for _, i := range said {
			if !v.Again || !slices.Contains(v.Recent, i) {
				keep.Remove(i)
			}
		}
	}
	for _, said := range [...][]int{v.Dislikes, v.Seen} {
		for _, i := range said {
			keep.Remove(i)
		}
	}
}

// Keeps returns the titles that pass the filter and may be listed. O(I).
func (r *Recommender) Keeps(f Filter) ItemSet {
	keep := NewItemSet(r.Len())
	r.fill(keep, f)
	return keep
}

// Count returns the number of titles that pass the filter, are not in v, and may be listed. O(I).
func (r *Recommender) Count(v Visit, f Filter) int {
	keep := r.Keeps(f)
	dropMentioned(keep, r.clean(v))
	return r.rules.countWithin(keep)
}

// ordered returns the first k of w.keep in an order that does not depend on the visitor, and without pinned titles.
// Score is the place. O(n log n) for n titles that are kept.
func (r *Recommender) ordered(w *work, o Order, pinned []Hit, k int) []Hit {
	var kept []int
	for i := range w.keep.All() {
		kept = append(kept, i)
	}
	items := r.cat.Items
	var names map[int]string
	if o == ByTitle {
		names = make(map[int]string, len(kept))
		for _, i := range kept {
			names[i] = catalogue.Bare(catalogue.Fold(items[i].Title))
		}
	}
	slices.SortFunc(kept, func(a, b int) int {
		first := 0
		switch o {
		case Newest:
			first = items[b].Year - items[a].Year
		case ByTitle:
			first = cmp.Compare(names[a], names[b])
		}
		return cmp.Or(first, items[b].Count-items[a].Count, a-b)
	})
	kept = r.rules.within(kept, pinned)
	for place, i := range kept[:min(k, len(kept))] {
		w.hits = append(w.hits, Hit{Item: i, Score: float64(place)})
	}
	return w.hits
}
