package catalogue

import "strings"

// Series returns the names of the series that a title may belong to, folded, without the article in front:
//
//	"Star Wars: Episode IV - A New Hope"                  star wars        text before a colon
//	"Shrek 2", "Batman Returns"                           shrek · batman   without a number or sequel word at the end
//	"Harry Potter and the Goblet of Fire"                 harry potter     two words before "and the"
//	"Road Warrior, The (Mad Max 2)"                       road warrior · mad max
//
// A title outside of any series also has names: its own. Compare with SameSeries. O(len(title)).
func Series(title string) []string {
	main, inner := parentheses(title)
	var out []string
	for _, s := range append([]string{main}, inner...) {
		if s = named(s); year(s) {
			continue
		}
		for _, mark := range []string{":", " - "} {
			if i := strings.Index(s, mark); i > 0 {
				s = s[:i]
			}
		}
		words := strings.Fields(Bare(name(s)))
		for i := 2; i+1 < len(words); i++ {
			if words[i] == "and" && words[i+1] == "the" {
				words = words[:i]
			}
		}
		for n := len(words) - 1; n > 0 && counting(words[n]); n-- {
			words = words[:n]
		}
		if len(words) > 0 {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// counting reports whether a last word numbers the titles of a series: a number of one or two digits, also Roman, a
// word before such a number, or a common word for sequels.
func counting(w string) bool {
	switch w {
	case "part", "vol", "volume", "episode", "chapter", "teil", "two", "three", "third", "four", "five",
		"again", "begins", "beyond", "forever", "reborn", "reloaded", "returns", "revolutions", "rises":
		return true
	}
	return len(w) <= 2 && strings.Trim(w, "0123456789") == "" || len(w) <= 4 && strings.Trim(w, "ivx") == ""
}

// SameSeries reports whether titles with these Series belong to one series: they share a name, or a name of one, of at
// least two words, begins a name of the other ("toy story", "toy story of terror").
func SameSeries(a, b []string) bool {
	begins := func(x, y string) bool {
		return x == y || strings.HasPrefix(y, x) && y[len(x)] == ' ' && strings.Contains(x, " ")
	}
	for _, x := range a {
		for _, y := range b {
			if begins(x, y) || begins(y, x) {
				return true
			}
		}
	}
	return false
}
