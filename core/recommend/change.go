package recommend

import "slices"

// Change returns the titles that would enter and leave the first Top of q if the visitor liked the item, which they
// have not mentioned. Any liked title leaves the list and another moves up; that alone is not a change, so the list
// with the like is compared with the list without the title. If users are composed, this costs two lists. O(I·h).
func (r *Recommender) Change(v Visit, t *Taste, q Request, item int) Change {
	q.K, q.Skip, q.Bare = Top, 0, true
	without, with := v, v
	without.Seen = append(slices.Clone(v.Seen), item)
	with.Likes = append(slices.Clone(v.Likes), item)
	after := r.Taste(with, nil)
	now, then := r.Recommend(without, t, q), r.Recommend(with, after, q)
	return Change{missing(then, now), missing(now, then), after.Variance() / t.Variance()}
}

// missing returns the items of a that are not in b, in the order of a.
func missing(a, b []Suggestion) (out []int) {
	for _, s := range a {
		if !slices.ContainsFunc(b, func(o Suggestion) bool { return o.Item == s.Item }) {
			out = append(out, s.Item)
		}
	}
	return out
}
