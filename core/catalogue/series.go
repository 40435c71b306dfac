package catalogue

import "strings"

// Series returns the names of the series that a title may be of, folded, without the article in front:
//
//	"Star Wars: Episode IV - A New Hope"                  star wars        what stands before a colon
//	"Shrek 2", "Batman Returns"                           shrek · batman   without what counts at the end
//	"Harry Potter and the Goblet of Fire"                 harry potter     two words before "and the"
//	"Road Warrior, The (Mad Max 2)"                       road warrior · mad max
//
// A title that is of no series has names too: its own. SameSeries compares. O(len(title)).
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

// counting reports whether a word at the end counts the titles of a series: a number of one or two digits, in Roman
// letters too, what stands before it, or what sequels are called.
func counting(w string) bool {
	switch w {
	case "part", "vol", "volume", "episode", "chapter", "teil", "two", "three", "third", "four", "five",
		"again", "begins", "beyond", "forever", "reborn", "reloaded", "returns", "revolutions", "rises":
		return true
	}
	return len(w) <= 2 && strings.Trim(w, "0123456789") == "" || len(w) <= 4 && strings.Trim(w, "ivx") == ""
}

// SameSeries reports whether titles with these Series are of one: where a name of the one is a name of the other, or
// begins it and has two words or more ("toy story", "toy story of terror").
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
