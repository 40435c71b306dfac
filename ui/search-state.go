package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
)

// SearchState is the search for titles.
type SearchState struct {
	*Session
	Hint  string // what the empty search box names
	Query string
	Found []recommend.Found // for searched, which may be an earlier query

	searched  string
	searching bool // a goroutine is at work
}

// searchShows is how many titles are shown at most.
const searchShows = 8

// Search looks titles up as they are typed, in the background: what was found for an earlier query stands until then,
// which in all but very large catalogues is the same turn.
func (s *SearchState) Search(query string) {
	s.Query = query
	if s.query() == "" {
		s.Found, s.searched = nil, ""
		return
	}
	if !s.searching {
		s.searching = true
		browser.TurnBegan()
		s.background(s.search)
	}
}

// query is what is looked for.
func (s *SearchState) query() string { return strings.TrimSpace(s.Query) }

// search looks for what is typed until it has found that.
func (s *SearchState) search() {
	s.env.Lock()
	for q := s.query(); q != "" && q != s.searched; q = s.query() {
		s.env.UnlockOnly()
		found := s.Engine.Search(q, searchShows)
		s.env.Lock()
		if q != s.query() {
			continue
		}
		s.Found, s.searched = found, q
		if len(found) == 0 {
			s.announce(s.W.NoMatch(s.W.Isolate(q), s.Engine.Len()))
		}
	}
	s.searching = false
	s.env.UnlockRender()
}

// ClearSearch puts the search away.
func (s *SearchState) ClearSearch() { s.Query, s.Found, s.searched = "", nil, "" }

// NoMatch reports whether the search found nothing.
func (s *SearchState) NoMatch() bool {
	q := s.query()
	return q != "" && q == s.searched && len(s.Found) == 0
}

// Names in the search box: how many, and how long at most, in letters.
const (
	hinted   = 3
	hintLong = 8
)

// hint is what stands in the empty search box: the best-known titles that are short, so that what it names is there to
// be found; where there are not enough of those, the best-known one. O(I).
func hint(e recommend.Engine) string {
	best, short := -1, []int{}
	count := func(i int) int { return e.Item(i).Count }
	for i := range e.Len() {
		if best < 0 || count(i) > count(best) {
			best = i
		}
		if utf8.RuneCountInString(e.Item(i).Title) > hintLong {
			continue
		}
		at := len(short)
		for at > 0 && count(i) > count(short[at-1]) {
			at--
		}
		short = slices.Insert(short, at, i)
		short = short[:min(len(short), hinted)]
	}
	var titles []string
	for _, i := range short {
		titles = append(titles, e.Item(i).Title)
	}
	switch {
	case len(titles) == hinted:
		return strings.Join(titles, ", ") + " …"
	case best >= 0:
		return e.Item(best).Title
	}
	return ""
}
