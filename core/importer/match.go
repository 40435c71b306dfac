package importer

import (
	"math/bits"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// By is the evidence for a match.
type By uint8

// The kinds of evidence, in no order.
const (
	ByNothing By = iota // no match, or no certain one
	ByNumber            // an external number known to both sides: IMDb, TMDB, ISBN
	ByID                // the catalogue's own id
	ByYear              // name and year
	ByAuthor            // name and author
)

// Candidate is an item that an entry may mean.
type Candidate struct {
	Item  int
	Score float64 // in (0,1]
}

// Match is the result for one entry.
type Match struct {
	Entry int // index into Library.Entries
	Item  int // the certain match; −1: none
	By    By
	Again bool // a better entry has the same item, so this one is not used
	Only  bool // the year is unknown, and Candidates[0] is the only item with exactly this name: probably right
	Other bool // a series or an episode, and the catalogue has none
	// Candidates are the possible items, the best first, at most four; none if Item is certain or no item is similar.
	Candidates []Candidate
}

const (
	candidates = 4
	graders    = 16   // candidates kept while grading
	possible   = 0.6  // least score of a candidate
	alike      = 0.95 // least likeness of equal names
)

// Catalogue is searched by a Matcher; recommend.Engine implements it. Items and columns must not change.
type Catalogue interface {
	Len() int
	Item(i int) *catalogue.Item
	Columns() []string // names of the items' further columns
}

// Likely returns the item to preselect for the entry: the certain match, or the only item with that name; −1: none.
func (m *Match) Likely() int {
	if m.Only && len(m.Candidates) > 0 {
		return m.Candidates[0].Item
	}
	return m.Item
}

// Matcher matches entries with a catalogue's items. It is not safe for concurrent use.
type Matcher struct {
	items   Catalogue
	imdb    map[int]int32
	tmdb    map[int]int32
	isbn    map[int]int32
	ids     map[string]int32
	numbers []int // by item: its IMDb number, or 0
	author  int   // the catalogue's column of authors, or −1
	titles  []int // the catalogue's columns of further titles
	series  bool  // the catalogue marks items as series
	exact   map[string][]int32
	posts   map[string][]int32 // items by word, and by the first and the last letters of their names
	names   [][]name           // by item, nil until first compared
	weight  []int32            // by item: scratch space of near
	touched []int32
	most    int // words of more items than this are not looked up
}

// edge is the number of letters at either end of a name that are indexed like a word, to find misspelt names.
const edge = 4

// NewMatcher indexes a catalogue. O(length of all titles).
func NewMatcher(items Catalogue, pause Pause) (*Matcher, error) {
	n, columns := items.Len(), items.Columns()
	m := &Matcher{
		items: items, imdb: map[int]int32{}, tmdb: map[int]int32{}, isbn: map[int]int32{},
		ids:    make(map[string]int32, n),
		author: -1, exact: make(map[string][]int32, n), posts: map[string][]int32{},
		names: make([][]name, n), weight: make([]int32, n), numbers: make([]int, n), most: n/20 + 50,
	}
	kinds := make([]role, len(columns))
	for c, name := range columns {
		folded := catalogue.Fold(name)
		kinds[c] = roles
		for _, r := range []role{roleIMDb, roleTMDB, roleISBN, roleISBN13, roleAuthor, roleType} {
			if among(names[r], folded) {
				kinds[c] = r
			}
		}
		switch {
		case kinds[c] == roleAuthor:
			m.author = c
		case kinds[c] == roles && isTitle(folded):
			m.titles = append(m.titles, c)
		}
	}
	for i := range n {
		if i%32 == 31 {
			if err := pause.at(i, n); err != nil {
				return nil, err
			}
		}
		it := items.Item(i)
		m.ids[it.ID] = int32(i)
		for c, v := range it.Values {
			switch kinds[c] {
			case roleIMDb:
				m.numbers[i] = imdb(v)
				add(m.imdb, m.numbers[i], i)
			case roleTMDB:
				n, _, _ := number(v)
				add(m.tmdb, n, i)
			case roleISBN, roleISBN13:
				add(m.isbn, isbn(v), i)
			case roleType:
				m.series = m.series || formOf(v) == Series
			}
		}
		for _, n := range m.namesOf(it) {
			post(m.exact, n.bare, i)
			for _, part := range append(n.tails, n.head) {
				if part != "" {
					post(m.posts, part+":", i)
				}
			}
			for _, t := range tokens(&n) {
				post(m.posts, t, i)
			}
		}
	}
	return m, nil
}

//go:noinline
func add(to map[int]int32, number, item int) {
	if number != 0 {
		to[number] = int32(item)
	}
}

// post adds an item to a key's list, once.
//
//go:noinline
func post(to map[string][]int32, key string, i int) {
	s := to[key]
	if n := len(s); n == 0 || s[n-1] != int32(i) {
		to[key] = append(s, int32(i))
	}
}

// tokens returns the index keys for a name that has no exact match.
func tokens(n *name) []string {
	out := append(make([]string, 0, len(n.words)+3), n.words...)
	if len(n.bare) >= 2*edge {
		out = append(out, "^"+n.bare[:edge], n.bare[len(n.bare)-edge:]+"$")
	}
	return append(out, n.bare+":") // as part of a longer name
}

// Match matches all entries of a library. An item is the certain match of one entry only: the one with the better
// score, or the later one in a tie. It is then no longer a candidate for other entries.
func (m *Matcher) Match(l *Library, pause Pause) ([]Match, error) {
	m.series = m.series || m.hasSeries(l)
	out := make([]Match, len(l.Entries))
	owner := map[int]int{} // item → index into out
	score := make([]float64, len(out))
	for i := range out {
		if i%8 == 7 {
			if err := pause.at(i, len(out)); err != nil {
				return nil, err
			}
		}
		out[i], score[i] = m.find(&l.Entries[i])
		out[i].Entry = i
		item := out[i].Item
		if item < 0 {
			continue
		}
		loser := i
		if other, taken := owner[item]; !taken || score[i] >= score[other] {
			owner[item] = i
			if loser = other; !taken {
				continue
			}
		}
		out[loser] = Match{Entry: loser, Item: -1, Again: true}
	}
	for i := range out {
		all := out[i].Candidates
		free := all[:0]
		for _, c := range all {
			if _, taken := owner[c.Item]; !taken {
				free = append(free, c)
			}
		}
		out[i].Candidates = free
		out[i].Only = out[i].Only && len(free) == len(all)
		out[i].Again = out[i].Again || len(all) > 0 && len(free) == 0
	}
	return out, nil
}

// hasSeries detects from a library's series whether the catalogue has series: if one matches by number, or a third, and
// at least three, by name and year. In a catalogue of films, hardly any name and year also belongs to a series.
func (m *Matcher) hasSeries(l *Library) bool {
	const most = 100 // entries to look up
	all, found := 0, 0
	for i := range l.Entries {
		if e := l.Entries[i]; e.Form == Series && all < most {
			all++
			mine := namesOf(e.Title, e.Original)
			if _, ok := m.number(&e, mine, e.Year); ok {
				return true
			}
			e.Form = Film
			if x, _ := m.find(&e); x.Item >= 0 || x.Only {
				found++
			}
		}
	}
	return found >= 3 && 3*found >= all
}

// find matches one entry and returns the score.
func (m *Matcher) find(e *Entry) (Match, float64) {
	none := Match{Item: -1}
	mine := namesOf(e.Title, e.Original)
	y := e.Year
	if y == 0 {
		y = yearIn(e.Title)
	}
	numbered, ok := m.number(e, mine, y)
	if ok {
		return Match{Item: numbered, By: ByNumber}, 1
	}
	if e.Form == Episode || e.Form == Series && !m.series {
		none.Other = true
		return none, 0
	}
	if i, ok := m.ids[e.ID]; ok && e.ID != "" {
		if len(mine) == 0 || m.like(mine, int(i)) >= possible {
			return Match{Item: int(i), By: ByID}, 1
		}
	}
	var found []graded
	for k := range mine {
		for _, i := range m.exact[mine[k].bare] {
			found = m.grade(found, e, y, mine, i)
		}
	}
	if len(found) == 0 && len(mine) > 0 {
		for _, i := range m.near(mine) {
			found = m.grade(found, e, y, mine, i)
		}
	}
	if len(found) == 0 {
		if numbered >= 0 {
			none.Candidates = []Candidate{{numbered, possible}}
		}
		return none, 0
	}
	if by := certain(found); by != ByNothing {
		return Match{Item: found[0].Item, By: by}, found[0].Score
	}
	none.Only = e.Form != Song && found[0].years < 0 && found[0].like == same && !found[0].disowned &&
		found[0].author == 0 && (len(found) == 1 || found[1].like < alike)
	for _, g := range found[:min(len(found), candidates)] {
		none.Candidates = append(none.Candidates, g.Candidate)
	}
	return none, 0
}

// number returns the item with an external number of the entry, and whether it is certain. A number may be mistyped or
// of another kind (TMDB numbers films and series apart). So IMDb's and TMDB's must agree with the name or the year, and
// TMDB's must not contradict IMDb's.
func (m *Matcher) number(e *Entry, mine []name, y int) (item int, certain bool) {
	item = -1
	if i, ok := m.imdb[e.IMDb]; ok && e.IMDb != 0 {
		if item = int(i); m.agrees(mine, y, item, true) {
			return item, true
		}
	}
	if i, ok := m.tmdb[e.TMDB]; ok && e.TMDB != 0 && e.Form == Film &&
		(e.IMDb == 0 || m.numbers[i] == 0 || m.numbers[i] == e.IMDb) && m.agrees(mine, y, int(i), false) {
		return int(i), true
	}
	if i, ok := m.isbn[e.ISBN]; ok && e.ISBN != 0 {
		return int(i), true
	}
	return item, false
}

// agrees reports whether an item's name is similar to one of mine, or its year at most one from y. It returns unknown
// if there is nothing to compare, or only names, which may be translated.
func (m *Matcher) agrees(mine []name, y, item int, unknown bool) bool {
	if len(mine) == 0 {
		return true
	}
	if year := m.items.Item(item).Year; y != 0 && year != 0 {
		unknown = max(y-year, year-y) <= 1
	}
	return unknown || m.like(mine, item) >= possible
}

// graded is a candidate with the factors of its score.
type graded struct {
	Candidate
	like     float64 // likeness of the names
	years    int     // years apart; −1: one is unknown
	author   int     // 1: the same, −1: different, 0: one is unknown
	disowned bool    // both sides have IMDb numbers, and they differ
	part     bool    // the entry's name is part of the item's, before or after a colon
}

// grade inserts item i into found, best first, if its score makes it a candidate:
//
//	score = likeness of the names · agreement of the years · agreement of the authors
//
// Years: equal 1; one apart 0.97, because sites date a film by festival or by release; unknown 0.85; up to three apart
// 0.7; more excludes the item as a remake. If the author is the same, years do not count, because editions differ.
func (m *Matcher) grade(found []graded, e *Entry, y int, mine []name, i int32) []graded {
	for _, g := range found {
		if g.Item == int(i) {
			return found
		}
	}
	it := m.items.Item(int(i))
	g := graded{Candidate: Candidate{Item: int(i)}, like: m.like(mine, int(i)), years: -1}
	if y != 0 && it.Year != 0 {
		g.years = max(y-it.Year, it.Year-y)
	}
	if e.Author != "" && m.author >= 0 && m.author < len(it.Values) && it.Values[m.author] != "" {
		if g.author = -1; sameAuthor(e.Author, it.Values[m.author]) {
			g.author = 1
		}
	}
	g.disowned = e.IMDb != 0 && m.numbers[i] != 0
	g.Score = g.like
	switch {
	case g.author > 0 || g.years == 0:
	case g.years < 0:
		g.Score *= 0.85
	case g.years == 1:
		g.Score *= 0.97
	case g.years <= 3:
		g.Score *= 0.7
	default:
		return found
	}
	if g.author < 0 {
		g.Score *= 0.7
	}
	if g.Score < possible || g.disowned && (g.like < alike || g.years != 0) {
		return found
	}
	if g.years == 0 && g.like > samePart-3*otherPenalty && g.like < alike {
		for _, n := range m.names[i] {
			for k := range mine {
				bare := mine[k].bare
				// A common subtitle such as "The Movie" is not evidence.
				g.part = g.part || n.part(bare) && len(bare) >= 4 && (n.head == bare || len(m.posts[bare+":"]) <= 3)
			}
		}
	}
	found = append(found, g)
	for k := len(found) - 1; k > 0 && m.before(&found[k], &found[k-1]); k-- {
		found[k], found[k-1] = found[k-1], found[k]
	}
	return found[:min(len(found), graders)]
}

// before reports whether a is the better candidate: by score, then the better-known one, then the first.
func (m *Matcher) before(a, b *graded) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	if ca, cb := m.items.Item(a.Item).Count, m.items.Item(b.Item).Count; ca != cb {
		return ca > cb
	}
	return a.Item < b.Item
}

// certain returns the evidence that the first of found is meant, or ByNothing if that is not certain. The names must
// agree, the year must be equal or, if even the article agrees, one apart, and no other item may fit as well. Or the
// year is equal, the name is part of the item's, and no other item of that year is similar. A name without a year is
// never certain: of the names that occur once in MovieLens' catalogue, one in twenty also belongs to a film outside of
// it.
func certain(found []graded) By {
	a := &found[0]
	if a.disowned || a.author < 0 || a.like < alike && !a.part {
		return ByNothing
	}
	by := ByYear
	switch {
	case a.part:
		for i := range found[1:] {
			if found[1+i].years == 0 { // the same year, and at all similar
				return ByNothing
			}
		}
		return by
	case a.author > 0:
		by = ByAuthor
	case a.years < 0 || a.years > 1 || a.years == 1 && a.like <= sameBare:
		return ByNothing
	}
	for i := range found[1:] {
		b := &found[1+i]
		if b.like < alike || b.author < 0 || a.author > 0 && b.author == 0 || a.years == 0 && b.years > 0 {
			continue
		}
		return ByNothing
	}
	return by
}

// like returns the likeness of the closest names of an entry and an item.
func (m *Matcher) like(mine []name, item int) float64 {
	if m.names[item] == nil {
		m.names[item] = m.namesOf(m.items.Item(item))
	}
	best := 0.0
	for i := range mine {
		for k := range m.names[item] {
			best = max(best, likeness(&mine[i], &m.names[item][k], m.weigh))
		}
	}
	return best
}

// namesOf returns the names in an item's title and in its columns of titles in other languages.
func (m *Matcher) namesOf(it *catalogue.Item) []name {
	var further []string
	for _, c := range m.titles {
		if c < len(it.Values) && it.Values[c] != "" {
			further = append(further, strings.Split(strings.ReplaceAll(it.Values[c], ";", "|"), "|")...)
		}
	}
	return namesOf(it.Title, further...)
}

// weigh returns the weight of a word: 1 if every item has it, and one more for each halving of the items with it.
func (m *Matcher) weigh(word string) int {
	return 1 + bits.Len(uint(m.items.Len()/(1+len(m.posts[word]))))
}

// near returns at most twelve items that share the most words and ends of names, by weight.
func (m *Matcher) near(mine []name) []int32 {
	const most = 12
	m.touched = m.touched[:0]
	for k := range mine {
		for _, t := range tokens(&mine[k]) {
			posts := m.posts[t]
			if len(posts) > m.most {
				continue
			}
			w := int32(m.weigh(t))
			for _, i := range posts {
				if m.weight[i] == 0 {
					m.touched = append(m.touched, i)
				}
				m.weight[i] += w
			}
		}
		for _, part := range append(mine[k].tails, mine[k].head) {
			for _, i := range m.exact[part] {
				if m.weight[i] == 0 {
					m.touched = append(m.touched, i)
				}
				m.weight[i] += 64
			}
		}
	}
	var best []int32
	for _, i := range m.touched {
		at := len(best)
		for at > 0 && m.weight[best[at-1]] < m.weight[i] {
			at--
		}
		if at < most {
			best = append(best, i)
			copy(best[at+1:], best[at:])
			best[at] = i
			best = best[:min(len(best), most)]
		}
	}
	for _, i := range m.touched {
		m.weight[i] = 0
	}
	return best
}

// sameAuthor reports whether two authors' names share their longest word: "J.R.R. Tolkien" and "Tolkien, J. R. R.".
func sameAuthor(a, b string) bool {
	wa, wb := strings.Fields(catalogue.Fold(a)), strings.Fields(catalogue.Fold(b))
	longest := ""
	for _, w := range wa {
		if len(w) > len(longest) {
			longest = w
		}
	}
	for _, w := range wb {
		if w == longest {
			return true
		}
	}
	return false
}
