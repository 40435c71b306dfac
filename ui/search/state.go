// Package search finds titles as they are typed.
package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/catalogue"
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
	Left  []string          // matching titles that the model leaves out
	Tag   string            // Found are the titles with this tag; "": they match by their names

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
		s.ClearSearch()
		s.Query = query
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
		left, tag := leftOut(s.Engine, q, found), ""
		if near && left == nil {
			if tagged := byTag(s.Engine, q); len(tagged) > 0 {
				found, near, tag = tagged, false, q
			}
		}
		if len(found) == 0 {
			found = closest(s.Engine, q)
		}
		s.Tasks.Lock()
		if q != s.query() {
			continue
		}
		s.Found, s.Near, s.Left, s.Tag, s.searched = found, near, left, tag, q
		if text := s.reason(); text != "" {
			s.Announce(strings.TrimSpace(text + " " + s.introduces()))
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

// reason says why the catalogue lacks the query, or how it was found; "" for titles found by their names.
func (s *State) reason() string {
	switch {
	case s.query() == "" || s.query() != s.searched:
		return ""
	case len(s.Left) > 0:
		return s.W.TooFew(s.Left)
	case s.Tag != "":
		return s.W.Tagged(s.W.Isolate(s.Tag))
	case s.Near:
		return s.W.NoMatch(s.W.Isolate(s.searched), s.Engine.Len(), s.Until)
	}
	return ""
}

// introduces introduces the closest titles.
func (s *State) introduces() string {
	if s.Near && len(s.Found) > 0 {
		return s.W.Closest
	}
	return ""
}

// leftOut returns titles that the model leaves out, if they match better than the titles found.
func leftOut(e recommend.Engine, query string, found []recommend.Found) []string {
	const most = 3
	names, score := e.LeftOut(query, most)
	if names == nil || len(found) > 0 && score <= found[0].Score {
		return nil
	}
	if score >= 0.95 { // the others only begin like the query
		return names[:1]
	}
	return names
}

// byTag returns the best-known titles with a tag that equals the query, or begins with it. O(items).
func byTag(e recommend.Engine, query string) (found []recommend.Found) {
	column := slices.Index(e.Columns(), "tags")
	query = catalogue.Fold(query)
	if column < 0 || len(query) < 3 {
		return nil
	}
	var items []int
	for i := range e.Len() {
		if values := e.Item(i).Values; column < len(values) && values[column] != "" {
			for tag := range strings.SplitSeq(values[column], "|") {
				tag = catalogue.Fold(tag)
				if tag == query || len(query) >= answersTag && strings.HasPrefix(tag, query) {
					items = append(items, i)
					break
				}
			}
		}
	}
	slices.SortStableFunc(items, func(a, b int) int { return e.Item(b).Count - e.Item(a).Count })
	for _, i := range items[:min(len(items), Shows)] {
		found = append(found, recommend.Found{Item: i, Score: answers})
	}
	return found
}

// answersTag is the fewest letters that stand for a longer tag.
const answersTag = 5

// translated reports whether many titles have a further name in brackets. O(items).
func (s *State) translated() bool {
	n := 0
	for i := range s.Engine.Len() {
		if strings.HasSuffix(s.Engine.Item(i).Title, ")") {
			n++
		}
	}
	return n*20 > s.Engine.Len()
}

// ClearSearch clears the search.
func (s *State) ClearSearch() {
	s.Query, s.Found, s.Left, s.Tag, s.searched = "", nil, nil, "", ""
}

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
