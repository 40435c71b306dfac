package recommend

import "github.com/pmlam/pmlam/core/catalogue"

const (
	seriesTop   = 5  // of one series stands one among so many
	seriesSlack = 16 // hits beyond the list, so that others can take the place of what moves back
	seriesLikes = 2  // who likes so many of a series asks for it
)

// capSeries moves titles back, so that of a series (catalogue.SameSeries) only the best stands among the first five:
// what was skipped comes right behind, in its order. A series of which the visitor likes two titles or more is what
// they ask for, and stays as it is. It goes by the first of the hits alone, so a longer list begins with the shorter.
func (r *Recommender) capSeries(hits []Hit, likes []int) {
	var first [][]string
	for j := 0; j < len(hits) && len(first) < seriesTop; j++ {
		names := catalogue.Series(r.Item(hits[j].Item).Title)
		again := false
		for _, other := range first {
			again = again || catalogue.SameSeries(names, other)
		}
		if again && !r.asksFor(names, likes) {
			continue
		}
		at := len(first)
		first = append(first, names)
		h := hits[j]
		copy(hits[at+1:j+1], hits[at:j])
		hits[at] = h
	}
}

// asksFor reports whether the visitor likes enough titles of a series to ask for more of it.
func (r *Recommender) asksFor(names []string, likes []int) bool {
	n := 0
	for _, i := range likes {
		if catalogue.SameSeries(names, catalogue.Series(r.Item(i).Title)) {
			n++
		}
	}
	return n >= seriesLikes
}
