package recommend

import (
	"cmp"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Count returns how many titles pass the filter and are not mentioned in v. O(I).
func (r *Recommender) Count(v Visit, f Filter) int {
	keep := NewItemSet(r.Len())
	r.fill(keep, f)
	r.unsaid(keep, r.clean(v))
	return keep.Len()
}

// ordered returns the first k of w.keep in an order that does not depend on the visitor. Score is the place. O(n log n) for n
// titles that are kept.
func (r *Recommender) ordered(w *work, o Order, k int) []Hit {
	var kept []int
	for i := range r.Len() {
		if w.keep.Has(i) {
			kept = append(kept, i)
		}
	}
	items := r.cat.Items
	var titles map[int]string
	if o == ByTitle {
		titles = make(map[int]string, len(kept))
		for _, i := range kept {
			titles[i] = catalogue.Bare(catalogue.Fold(items[i].Title))
		}
	}
	slices.SortFunc(kept, func(a, b int) int {
		first := 0
		switch o {
		case Newest:
			first = items[b].Year - items[a].Year
		case ByTitle:
			first = cmp.Compare(titles[a], titles[b])
		}
		return cmp.Or(first, items[b].Count-items[a].Count, a-b)
	})
	for place, i := range kept[:min(k, len(kept))] {
		w.hits = append(w.hits, Hit{Item: i, Score: float64(place)})
	}
	return w.hits
}
