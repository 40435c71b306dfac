package importer

import (
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// name is one of the names of a title, in the forms that are compared: folded, Roman numbers as digits, no spaces.
type name struct {
	full    string   // with its article
	bare    string   // without
	head    string   // what stands before a colon or a dash, without its article; "" where nothing follows it
	tails   []string // what stands behind a colon, a dash or somebody's "'s", likewise
	numbers string   // the numbers in it, each followed by a blank
	words   []string
	other   bool // not the main name: original, translated or alternative
}

// raised are digits that catalogues write as MovieLens writes "Alien³", which is not "Alien".
var raised = strings.NewReplacer("¹", " 1", "²", " 2", "³", " 3")

// namesOf returns the names of a title as a catalogue or an export writes it, its main name first, the further ones
// (an original title) behind its own. Series in parentheses, "(Dune, #1)", are no names.
func namesOf(title string, further ...string) []name {
	title = raised.Replace(withoutSeries(unescape(title)))
	var out []name
	add := func(form string, other bool) {
		n := name{words: strings.Fields(form), other: other}
		for i, w := range n.words {
			if d := catalogue.Arabic(w); d != "" {
				w, n.words[i] = d, d
			}
			if w[0] >= '0' && w[0] <= '9' {
				n.numbers += w + " "
			}
		}
		n.full = strings.Join(n.words, "")
		if b := catalogue.Bare(form); len(b) < len(form) {
			n.words = n.words[1:]
		}
		n.bare = strings.Join(n.words, "")
		for _, o := range out {
			if o.full == n.full {
				return
			}
		}
		out = append(out, n)
	}
	for i, f := range catalogue.Forms(title) {
		add(f, i > 0)
	}
	if len(out) > 0 {
		out[0].head, out[0].tails = parts(title)
	}
	for _, t := range further {
		if f := catalogue.Forms(t); len(f) > 0 {
			add(f[0], true)
		}
	}
	return out
}

// parts returns what stands before the first of a title's colons and dashes, and what stands behind each of them and
// behind a name such as "William Shakespeare's", in the form of name.bare.
func parts(title string) (head string, tails []string) {
	bare := func(s string) string {
		f := catalogue.Forms(s)
		if len(f) == 0 {
			return ""
		}
		words := strings.Fields(catalogue.Bare(f[0]))
		for i, w := range words {
			if d := catalogue.Arabic(w); d != "" {
				words[i] = d
			}
		}
		return strings.Join(words, "")
	}
	tail := func(s string) {
		if t := bare(s); t != "" {
			tails = append(tails, t)
		}
	}
	main, _, _ := strings.Cut(title, " (")
	for from := 0; ; {
		at, end := -1, 0
		for _, mark := range []string{":", " - ", " – ", " — "} {
			if i := strings.Index(main[from:], mark); i >= 0 && from+i > 0 && (at < 0 || from+i < at) {
				at, end = from+i, from+i+len(mark)
			}
		}
		if at < 0 {
			break
		}
		if from == 0 {
			head = bare(main[:at])
		}
		tail(main[end:])
		from = end
	}
	if owner, rest, ok := strings.Cut(strings.ReplaceAll(main, "’", "'"), "'s "); ok &&
		strings.Count(owner, " ") == 1 { // a full name: "Joe's Apartment" is not "The Apartment"
		tail(rest)
	}
	return head, tails
}

// withoutSeries leaves out parentheses that hold a number sign, as Goodreads names a book's series.
func withoutSeries(title string) string {
	for {
		open := strings.LastIndexByte(title, '(')
		if open < 0 || !strings.Contains(title[open:], "#") {
			return title
		}
		end := strings.IndexByte(title[open:], ')')
		if end < 0 {
			return title[:open]
		}
		title = title[:open] + title[open+end+1:]
	}
}

// yearIn returns the year in parentheses at the end of a title, or 0.
func yearIn(title string) int {
	title = strings.TrimRight(title, " ")
	if n := len(title); n > 6 && title[n-1] == ')' && title[n-6] == '(' {
		return year(title[n-5 : n-1])
	}
	return 0
}

// How alike two names are.
const (
	same         = 1.00 // the very name
	sameBare     = 0.98 // but for the article in front
	samePart     = 0.80 // the item's name has a colon, and the entry's is what stands before it or behind it
	sameStart    = 0.70 // the other way round, or one goes on where the other ends without a colon
	oneWrong     = 0.82 // a letter is wrong
	twoWrong     = 0.74 // two are
	sharedWords  = 0.80 // times the share of what their words weigh
	otherPenalty = 0.01 // for each side on which it is not the main name
)

// likeness returns how alike an entry's name a and an item's name b are, in [0,1]. Where numbers differ, names are
// never almost the same: "Rocky II" is another film than "Rocky III". weigh returns what a word counts, the more the
// rarer it is.
func likeness(a, b *name, weigh func(word string) int) float64 {
	v := 0.0
	switch {
	case a.full == b.full:
		v = same
	case a.bare == b.bare:
		v = sameBare
	case b.part(a.bare):
		v = samePart
	case a.part(b.bare):
		v = sameStart
	case a.numbers != b.numbers:
		return 0
	case starts(a.words, b.words) || starts(b.words, a.words):
		v = sameStart
	default:
		if limit := min(min(len(a.bare), len(b.bare))/4, 2); limit > 0 && len(a.bare) <= 32 && len(b.bare) <= 32 {
			if wrong := catalogue.Errors(a.bare, b.bare, limit); wrong == 1 {
				v = oneWrong
			} else if wrong <= limit {
				v = twoWrong
			}
		}
		v = max(v, sharedWords*shared(a.words, b.words, weigh))
	}
	if a.other {
		v -= otherPenalty
	}
	if b.other {
		v -= otherPenalty
	}
	return max(v, 0)
}

// part reports whether bare stands before or behind a colon in the name.
func (n *name) part(bare string) bool {
	if bare == "" {
		return false
	}
	for _, t := range n.tails {
		if t == bare {
			return true
		}
	}
	return n.head == bare
}

func starts(long, short []string) bool {
	if len(short) == 0 || len(short) >= len(long) {
		return false
	}
	for i, w := range short {
		if long[i] != w {
			return false
		}
	}
	return true
}

// shared returns the weight of the words that two names share, as a share of the weight of all their words.
func shared(a, b []string, weigh func(string) int) float64 {
	both, all := 0, 0
	for _, w := range b {
		all += weigh(w)
	}
	for _, w := range a {
		found := false
		for _, o := range b {
			found = found || o == w
		}
		if found {
			both += weigh(w)
		} else {
			all += weigh(w)
		}
	}
	if all == 0 {
		return 0
	}
	return min(float64(both)/float64(all), 1)
}
