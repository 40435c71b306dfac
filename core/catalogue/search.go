package catalogue

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/yield"
)

// Quality of the best match of one query word in an item. The sum over the query's words decides within Words and
// Fuzzy.
const (
	wholeWord  = 4
	wordPrefix = 3
	oneError   = 2
	twoErrors  = 1

	forgiveness = 1 << 15 // in a sum: some word needed it
)

const (
	maxQuery = 200 // bytes of a query that are used
	maxWords = 12  // words of a query that are used
)

// scratch is the working memory of one query; its arrays are all zero between queries.
type scratch struct {
	best    []uint8  // per item: quality of the current word
	sum     []uint16 // per item: of all words so far
	hits    []uint8  // per item: number of matched words
	touched []int32  // items with best > 0
	seen    []int32  // items with hits > 0
	found   []ranked
}

type ranked struct {
	score float64
	tier  Tier
	rank  int32
	item  int32
}

// Search returns the titles that match the query, best first, at most limit of them (none for limit ≤ 0). A query
// without letters and digits finds nothing. O(words · vocabulary + matches).
func (x *Index) Search(text string, limit int) []Found {
	q := x.parse(text)
	if limit <= 0 || len(q.words) == 0 {
		return nil
	}
	w := x.pool.Get().(*scratch)
	defer x.pool.Put(w)
	w.found, w.seen = w.found[:0], w.seen[:0]
	for i, word := range q.words {
		x.word(w, word, i == len(q.words)-1 && q.typing, i > 0 && len(word) < 3)
		w.addWord()
	}
	// A query of three words or more may have one that the title lacks, if no title has them all.
	need := len(q.words)
	all := slices.ContainsFunc(w.seen, func(i int32) bool { return int(w.hits[i]) == need })
	if !all && need >= 3 {
		need--
	}
	x.joined(w, q.joined)
	for k, item := range w.seen {
		if k&255 == 255 {
			yield.Now()
		}
		hits, sum, joined := int(w.hits[item]), int(w.sum[item]), w.best[item]
		w.hits[item], w.sum[item], w.best[item] = 0, 0, 0
		if hits < need && joined == 0 {
			continue
		}
		tier, score := x.grade(int(item), q, hits, sum)
		if joinedScores[joined] > score {
			tier, score = joinedTiers[joined], joinedScores[joined]
		}
		w.offer(ranked{score, tier, x.order[item], item}, limit)
	}
	for _, item := range w.touched {
		if joined := w.best[item]; joined != 0 { // otherwise already counted
			w.best[item] = 0
			w.offer(ranked{joinedScores[joined], joinedTiers[joined], x.order[item], item}, limit)
		}
	}
	w.touched = w.touched[:0]
	out := make([]Found, len(w.found))
	for i, f := range w.found {
		out[i] = Found{int(f.item), f.tier, f.score}
	}
	return out
}

// query is a query in the forms that titles are compared with.
type query struct {
	words                []string // to be found in a title
	typing               bool     // the last of words ends the query, so it may be unfinished
	whole                string   // as typed
	folded, bare, joined string   // without "a.k.a."
	year, named          string   // a year at the end and the name before it, or ""
}

// parse returns the forms of a query, without words if it has no letters and digits.
func (x *Index) parse(text string) query {
	if len(text) > maxQuery {
		text = text[:maxQuery]
	}
	words := strings.Fields(name(text))
	q := query{whole: strings.Join(words, " ")}
	// A pasted title includes its "a.k.a.", which is not part of a name, except in the title of that name.
	for i := 0; i+2 < len(words) && len(words) > 3; i++ {
		if words[i] == "a" && words[i+1] == "k" && words[i+2] == "a" {
			words = slices.Delete(words, i, i+3)
			i--
		}
	}
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	n := len(words)
	if n == 0 {
		return q
	}
	q.folded = strings.Join(words, " ")
	q.bare, q.joined = Bare(q.folded), strings.ReplaceAll(q.folded, " ", "")
	if n > 1 && year(words[n-1]) {
		q.year, q.named = words[n-1], strings.Join(words[:n-1], " ")
	}
	// Articles are dropped if any other word is left: "the matrx" is a query for one word, and so is "teh matrix". They
	// still count when whole names are compared.
	q.words = make([]string, 0, n)
	for i, s := range words {
		if !articles[s] && (i == n-1 || !x.article(s)) {
			q.words = append(q.words, s)
		}
	}
	if len(q.words) == 0 {
		q.words = words
	}
	q.typing = q.words[len(q.words)-1] == words[n-1]
	return q
}

// addWord adds the qualities of the current word to the sums.
func (w *scratch) addWord() {
	for _, item := range w.touched {
		if w.hits[item] == 0 {
			w.seen = append(w.seen, item)
		}
		w.hits[item]++
		w.sum[item] += uint16(w.best[item])
		if w.best[item] < wordPrefix {
			w.sum[item] |= forgiveness
		}
		w.best[item] = 0
	}
	w.touched = w.touched[:0]
}

// before compares f and o in the order of the list.
func (f ranked) before(o ranked) int {
	switch {
	case f.score > o.score:
		return -1
	case f.score < o.score:
		return 1
	}
	return int(f.rank - o.rank)
}

// offer inserts f into the found, best first, if it is among the first limit.
func (w *scratch) offer(f ranked, limit int) {
	n := len(w.found)
	if n == limit {
		if f.before(w.found[n-1]) > 0 {
			return
		}
		w.found = w.found[:n-1]
	}
	at, _ := slices.BinarySearchFunc(w.found, f, ranked.before)
	w.found = slices.Insert(w.found, at, f)
}

// article reports whether s is not a word of any title, but an article of three letters with two neighbours exchanged.
func (x *Index) article(s string) bool {
	if len(s) != 3 || !articles[s[1:2]+s[:1]+s[2:]] && !articles[s[:1]+s[2:]+s[1:2]] {
		return false
	}
	_, known := slices.BinarySearch(x.words, s)
	return !known
}

// word marks every item that has a similar word with the best quality. Prefixes count for every word, not only the
// last: some people type "lor rings".
//
// A sequel's number, such as the last word of "paddington 2", does not stand for a year that begins with it.
func (x *Index) word(w *scratch, word string, typing, sequel bool) {
	mark := func(posts []int32, quality uint8) {
		for _, item := range posts {
			if w.best[item] == 0 {
				w.touched = append(w.touched, item)
			}
			w.best[item] = max(w.best[item], quality)
		}
	}
	from, _ := slices.BinarySearch(x.words, word)
	to := from
	for ; to < len(x.words) && strings.HasPrefix(x.words[to], word); to++ {
		quality := uint8(wordPrefix)
		if x.words[to] == word {
			quality = wholeWord
		} else if sequel && len(x.words[to]) == 4 && year(x.words[to]) {
			continue
		}
		mark(x.posts[to], quality)
	}
	limit := tolerance(word)
	if limit == 0 {
		return
	}
	mask := letters(word)
	for i, v := range x.words {
		if i&1023 == 1023 {
			yield.Now()
		}
		if i >= from && i < to || bits.OnesCount64(mask&^x.masks[i]) > limit || len(word)-len(v) > limit {
			continue
		}
		errors, prefix := distances(word, v, limit)
		if typing {
			errors = min(errors, prefix)
		}
		switch {
		case errors <= 1:
			mark(x.posts[i], oneError)
		case errors <= limit:
			mark(x.posts[i], twoErrors)
		}
	}
}

// grade returns the tier and the score of an item that matches hits of the query's words with qualities that sum to
// sum.
func (x *Index) grade(item int, q query, hits, sum int) (Tier, float64) {
	e, n := &x.titles[item], len(q.words)
	tier, score := None, 0.0
	forgiven := sum&forgiveness != 0
	sum &^= forgiveness
	for i, f := range e.forms {
		b := Bare(f)
		t, s := None, 0.0
		switch {
		case f == q.folded || f == q.whole || q.year != "" && q.year == e.year && (f == q.named || b == Bare(q.named)):
			t, s = Exact, 1
		case b == q.bare:
			t, s = Exact, 0.98
		case strings.HasPrefix(f, q.folded) || strings.HasPrefix(b, q.bare):
			t, s = Prefix, 0.88
		}
		// A name in parentheses counts slightly less than the title itself.
		if i > 0 && s > 0 {
			s -= 0.03
		}
		if s > score {
			tier, score = t, s
		}
	}
	if score > 0 {
		return tier, score
	}
	switch {
	case hits == n && sum == wholeWord*n:
		return Whole, 0.75
	case hits == n && sum >= wordPrefix*n && !forgiven:
		return Words, 0.55 + 0.1*float64(sum-wordPrefix*n)/float64(n)
	}
	return Fuzzy, 0.5 * float64(sum) / float64(wholeWord*n)
}

// How a title matches without spaces on both sides.
const (
	joinedPrefix = 1 // as a prefix: "starwars"
	joinedWhole  = 2 // completely: "la confidential", "walle"
)

var (
	joinedTiers  = [...]Tier{joinedPrefix: Words, joinedWhole: Exact}
	joinedScores = [...]float64{joinedPrefix: 0.6, joinedWhole: 0.95}
)

// joined marks in best the items with a name that begins with the query, ignoring spaces, and lists them in touched.
func (x *Index) joined(w *scratch, typed string) {
	if len(typed) < 4 {
		return
	}
	for i := range x.titles {
		if i&4095 == 4095 {
			yield.Now()
		}
		for _, f := range x.titles[i].forms {
			left, ok := cutJoined(f, typed)
			if !ok {
				continue
			}
			quality := uint8(joinedPrefix)
			if left == "" {
				quality = joinedWhole
			}
			if w.best[i] == 0 {
				w.touched = append(w.touched, int32(i))
			}
			w.best[i] = max(w.best[i], quality)
		}
	}
}

// cutJoined returns the rest of s after p, if s without its spaces begins with p, which has none.
func cutJoined(s, p string) (left string, ok bool) {
	i := 0
	for ; i < len(s) && p != ""; i++ {
		if s[i] == ' ' {
			continue
		}
		if s[i] != p[0] {
			return "", false
		}
		p = p[1:]
	}
	return s[i:], p == ""
}
