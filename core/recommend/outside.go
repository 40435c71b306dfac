package recommend

import "math"

// keepFew keeps little-known titles (titles.fewKnow). HiddenGems and OutsideBubble are meant for titles that the
// visitor may not have heard of.
func (r *Recommender) keepFew(w *work) { w.keep.And(r.fewKnow) }

// keepOutside keeps titles outside of the visitor's usual: little-known titles whose genres are less than twice as
// typical of the visitor's likes as of everybody's,
//
//	Σ_{g ∈ genres of i} odds_g < ln 2        odds of genreOdds
//
// In a catalogue without genres, and for visitors without likes, the usual is the nearest tenth by cost. If that tenth
// is more than the part of the catalogue that is loaded, the usual is the whole part. O(I + memberships).
func (r *Recommender) keepOutside(w *work, likes []int) {
	r.keepFew(w)
	if len(r.genres) == 0 || len(likes) == 0 {
		copy(w.sorted, w.costs)
		tenth := kthSmallest(w.sorted, min(max((r.whole+5)/10, 1), r.Len())-1)
		for i, c := range w.costs {
			yieldAfter(i)
			if c <= tenth {
				w.keep.Remove(i)
			}
		}
		return
	}
	said := make([]int32, len(likes))
	for k, j := range sorted(likes) {
		said[k] = int32(j)
	}
	typical := make([]float64, r.Len())
	for g, odds := range r.genreOdds(said, nil) {
		for i := range r.byGenre[r.genres[g]].All() {
			typical[i] += odds
		}
	}
	for i, t := range typical {
		yieldAfter(i)
		if !(t < math.Ln2) {
			w.keep.Remove(i)
		}
	}
}

// floor removes gambles from w.hits: titles with a chance of liking below Hunch. If chances are not about liking, or
// not stated, it removes nothing.
func (r *Recommender) floor(w *work, v Visit) {
	if r.like == nil || !r.states(v) {
		return
	}
	items := make([]int, len(w.hits))
	for k, h := range w.hits {
		items[k] = h.Item
	}
	chances := r.chances(w, v, nil, Request{}, items, w.beyond(items))
	n := 0
	for k, h := range w.hits {
		if chances[k] >= Liking.From(Hunch) {
			w.hits[n] = h
			n++
		}
	}
	w.hits = w.hits[:n]
}
