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
	Near  bool              // they are no answer, but the closest that there are

	searched  string
	searching bool // a goroutine is at work
}

// Shows is how many titles are shown at most.
const Shows = 8

// New returns the state of a first visit. O(I).
func New(s *store.Store) *State {
	n := &State{Store: s, Hint: hint(s.Engine)}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			n.ClearSearch()
		}
	})
	return n
}

// Search looks titles up as they are typed, in the background: results of an earlier query stand until then,
// which in all but very large catalogues is the same turn.
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

// query is the query without surrounding space.
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

// answers is the least score of a title that contains the query; below it typing errors were forgiven.
const answers = 0.5

// closest finds the closest titles for a query without results: the query without its last words, one of its
// words, the beginning of its longest word, of three letters at least. Whole words of three say too little. A search
// for each.
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

// noMatch says that the catalogue lacks the query, and that the results are the closest titles.
func (s *State) noMatch() string {
	text := s.W.NoMatch(s.W.Isolate(s.searched), s.Engine.Len(), s.Until)
	if len(s.Found) > 0 {
		text += " " + s.W.Closest
	}
	return text
}

// ClearSearch puts the search away.
func (s *State) ClearSearch() { s.Query, s.Found, s.searched = "", nil, "" }

// NoMatch reports whether the search found no title that answers.
func (s *State) NoMatch() bool {
	q := s.query()
	return q != "" && q == s.searched && s.Near
}

// Names in the search box: how many, and how long at most, in letters.
const (
	hinted   = 2
	hintLong = 8
)

// hint is the placeholder of the search box: the best-known titles that are short, so that searching for it finds
// something; where there are not enough of those, the best-known one. O(I).
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
