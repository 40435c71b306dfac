package catalogue

import (
	"slices"
	"strings"
)

// MaxKey is the most bytes of a key; longer ones are cut.
const MaxKey = 64

// maxLookups is how many words of a query are looked up: the longest say most.
const maxLookups = 4

// Keys returns what a title is looked up by in a sorted list: each of its folded names from each of its words on,
// articles aside, and without spaces, and the words that a hyphen parts as one:
//
//	"Lord of the Rings, The"   lord of the rings · of the rings · rings · lordoftherings
//	"Spider-Man"               spider man · man · spiderman
//
// A beginning of a key is what somebody may type. A title without letters and digits has no keys.
func Keys(title string) []string {
	var out []string
	add := func(key string) {
		if key = cut(key); key != "" && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	for _, f := range Forms(title) {
		f = Bare(f)
		add(f)
		for i := range len(f) {
			if f[i] == ' ' && Bare(f[i+1:]) == f[i+1:] {
				add(f[i+1:])
			}
		}
		add(strings.ReplaceAll(f, " ", ""))
	}
	for _, w := range strings.Fields(title) {
		if parted(w) {
			add(strings.ReplaceAll(Fold(w), " ", ""))
		}
	}
	return out
}

// parted reports whether w is parted by a hyphen or the like, where many write one word.
func parted(w string) bool { return strings.ContainsAny(w, "-–·/") }

// Lookups returns the beginnings of keys that a query asks for: all of it, without the article in front, and then,
// where these are too few, its words, the longest first and at most four; those of a query of one word are none. An
// article alone asks for "", with which every key begins, and so does a year alone, beside the titles that begin so.
func Lookups(query string) (all, words []string) {
	if len(query) > maxQuery {
		query = query[:maxQuery]
	}
	folded := name(query)
	whole := cut(Bare(folded))
	switch {
	case articles[whole]:
		return []string{""}, nil
	case year(whole):
		return []string{whole, ""}, nil
	}
	left := strings.Fields(folded)
	if len(left) < 2 {
		return []string{whole}, nil
	}
	for range maxLookups {
		longest := ""
		for _, w := range left {
			if len(w) > len(longest) && !articles[w] && !year(w) && w != whole && !slices.Contains(words, w) {
				longest = w
			}
		}
		if longest == "" {
			break
		}
		words = append(words, longest)
	}
	return []string{whole}, words
}

// cut returns at most MaxKey bytes of a key. A letter may be cut: keys are compared byte by byte.
func cut(key string) string { return key[:min(len(key), MaxKey)] }
