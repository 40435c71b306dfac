package recommend

import "github.com/pmlam/pmlam/core/catalogue"

const (
	seriesTop   = 5 // at most one title of a series is among this many
	seriesLikes = 2 // a visitor who likes this many of a series wants it
)

// SeriesSlack is the number of titles that CapSeries needs beyond those wanted, to replace the ones that move back.
const SeriesSlack = 16

// CapSeries moves titles back, so that only the best title of a series (catalogue.SameSeries) is among the first five.
// The others follow right after them, in order. A series stays unchanged if the visitor likes two or more of its
// titles; likes holds the titles of their likes. Only the start of the list matters, so a longer list extends a shorter
// one.
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

// asksFor reports whether these likes have enough titles of a series to ask for more of it.
func asksFor(names, likes []string) bool {
	n := 0
	for _, title := range likes {
		if catalogue.SameSeries(names, catalogue.Series(title)) {
			n++
		}
	}
	return n >= seriesLikes
}

// capSeries is CapSeries for hits.
func (r *Recommender) capSeries(hits []Hit, likes []int) {
	titles := make([]string, len(likes))
	for i, item := range likes {
		titles[i] = r.Item(item).Title
	}
	CapSeries(hits, func(h Hit) string { return r.Item(h.Item).Title }, titles)
}
