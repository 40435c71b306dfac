// Package search finds titles as they are typed.
package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/store"
)

// State is the search for titles.
type State struct {
	*store.Store
	Hint  string // the placeholder of the search box
	Query string
	Found []recommend.Found // for searched, which may be an earlier query
	Near  bool              // they do not match, but are the closest titles

	searched  string
	searching bool // a goroutine is at work
}

// Shows is the most titles shown.
const Shows = 8

// New returns the state of a first visit. O(items).
func New(s *store.Store) *State {
	n := &State{Store: s, Hint: hint(s.Engine)}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			n.ClearSearch()
		}
	})
	return n
}

// Search looks up titles as they are typed, in the background. Until then, results of the earlier query stay; except in
// very large catalogues that is within the same turn.
func (s *State) Search(query string) {
	s.Query = query
	if s.query() == "" {
		s.Found, s.searched = nil, ""
		return
	}
	if !s.searching {
		s.searching = true
		browser.TurnBegan()
		s.Tasks.Background(s.search)
	}
}

// query returns the query without surrounding space.
func (s *State) query() string { return strings.TrimSpace(s.Query) }

// search answers queries until the latest is answered.
func (s *State) search() {
	s.Tasks.Lock()
	for q := s.query(); q != "" && q != s.searched; q = s.query() {
		s.Tasks.Unlock()
		found := s.Engine.Search(q, Shows)
		near := len(found) == 0 || found[0].Score < answers
		if len(found) == 0 {
			found = closest(s.Engine, q)
		}
		s.Tasks.Lock()
		if q != s.query() {
			continue
		}
		s.Found, s.Near, s.searched = found, near, q
		if near {
			s.Announce(s.noMatch())
		}
	}
	s.searching = false
	s.Tasks.UnlockRender()
}

// answers is the least score of a title that contains the query. Lower scores forgive typing errors.
const answers = 0.5

// closest finds the closest titles for a query without results: by the query without its last words, by one of its
// words, or by the beginning of its longest word, of at least three letters. Whole words of three letters say too
// little. Each attempt is one search.
func closest(e recommend.Engine, query string) []recommend.Found {
	const least, most = 4, 12
	words := strings.Fields(query[:min(len(query), 200)])
	words = words[:min(len(words), most)]
	var tries []string
	for n := len(words) - 1; n > 0; n-- {
		tries = append(tries, strings.Join(words[:n], " "))
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	tries = append(tries, words...)
	whole := len(tries)
	for n := range words[0] {
		tries = append(tries, words[0][:len(words[0])-n])
	}
	for k, t := range tries {
		if n := utf8.RuneCountInString(t); n < 3 || n < least && k < whole || !utf8.ValidString(t) {
			continue
		}
		if found := e.Search(t, Shows); len(found) > 0 && found[0].Score >= answers {
			return found
		}
	}
	return nil
}

// noMatch says that the catalogue lacks the query, and introduces the closest titles.
func (s *State) noMatch() string {
	text := s.W.NoMatch(s.W.Isolate(s.searched), s.Engine.Len(), s.Until)
	if len(s.Found) > 0 {
		text += " " + s.W.Closest
	}
	return text
}

// ClearSearch clears the search.
func (s *State) ClearSearch() { s.Query, s.Found, s.searched = "", nil, "" }

// NoMatch reports whether the search found no matching title.
func (s *State) NoMatch() bool {
	q := s.query()
	return q != "" && q == s.searched && s.Near
}

// Names in the search box: their number, and their length in letters.
const (
	hinted   = 2
	hintLong = 8
)

// hint is the placeholder of the search box: well-known short titles, so that searching for it finds something, or else
// the best-known title. O(items).
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
