package importer

import (
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// name is one name of a title in the forms that are compared: folded, Roman numbers as digits, no spaces.
type name struct {
	full    string   // with its article
	bare    string   // without
	head    string   // text before a colon or a dash, without its article; "" if nothing follows
	tails   []string // text after a colon, a dash or a person's "'s", likewise
	numbers string   // the numbers in it, each followed by a space
	words   []string
	other   bool // not the main name: original, translated or alternative
}

// raised replaces superscripts: MovieLens writes "Alien³", which is not "Alien".
var raised = strings.NewReplacer("¹", " 1", "²", " 2", "³", " 3")

// namesOf returns the names in a title as written by a catalogue or an export, its main name first. Names of the
// further titles, such as an original one, follow. Series in parentheses, "(Dune, #1)", are left out.
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

// parts returns the text before the first colon or dash of a title, and the texts after each of them and after a
// possessive such as "William Shakespeare's", in the form of name.bare.
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

// withoutSeries drops parentheses with a number sign, which name a book's series on Goodreads.
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

// The likeness of two names.
const (
	same         = 1.00 // exactly the same name
	sameBare     = 0.98 // except for the article in front
	samePart     = 0.80 // the entry's name is the item's text before or after a colon
	sameStart    = 0.70 // the reverse, or one name is the beginning of the other, without a colon
	oneWrong     = 0.82 // one wrong letter
	twoWrong     = 0.74 // two wrong letters
	sharedWords  = 0.80 // times the shared weight of their words
	otherPenalty = 0.01 // for each side whose main name it is not
)

// likeness returns the likeness of an entry's name a and an item's name b, in [0,1]. Names with different numbers are
// never close: "Rocky II" is not "Rocky III". weigh returns the weight of a word, larger for rarer words.
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

// part reports whether bare is before or after a colon in the name.
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
