package recommend

import "github.com/pmlam/pmlam/core/catalogue"

const (
	seriesTop   = 5 // of one series stands one among so many
	seriesLikes = 2 // who likes so many of a series asks for it
)

// SeriesSlack is how many titles CapSeries needs beyond those that are wanted, so that others can take the place of
// what moves back.
const SeriesSlack = 16

// CapSeries moves titles back, so that of a series (catalogue.SameSeries) only the best stands among the first five:
// what was skipped comes right behind, in its order. A series of which the visitor likes two titles or more is what
// they ask for, and stays as it is; likes are the titles of what they like. It goes by the first of the list alone, so
// a longer list begins with the shorter.
func CapSeries[T any](list []T, title func(T) string, likes []string) {
	var first [][]string
	for j := 0; j < len(list) && len(first) < seriesTop; j++ {
		names := catalogue.Series(title(list[j]))
		again := false
		for _, other := range first {
			again = again || catalogue.SameSeries(names, other)
		}
		if again && !asksFor(names, likes) {
			continue
		}
		at := len(first)
		first = append(first, names)
		x := list[j]
		copy(list[at+1:j+1], list[at:j])
		list[at] = x
	}
}

// asksFor reports whether who likes these titles likes enough of a series to ask for more of it.
func asksFor(names, likes []string) bool {
	n := 0
	for _, title := range likes {
		if catalogue.SameSeries(names, catalogue.Series(title)) {
			n++
		}
	}
	return n >= seriesLikes
}

// capSeries is CapSeries of hits.
func (r *Recommender) capSeries(hits []Hit, likes []int) {
	titles := make([]string, len(likes))
	for i, item := range likes {
		titles[i] = r.Item(item).Title
	}
	CapSeries(hits, func(h Hit) string { return r.Item(h.Item).Title }, titles)
}
