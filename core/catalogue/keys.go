package catalogue

import (
	"slices"
	"strings"
)

// MaxKey is the length to which keys are cut, in bytes.
const MaxKey = 64

// maxLookups is the number of a query's words to look up, the longest first.
const maxLookups = 4

// Keys returns the keys of a title in a sorted list. These are each of its folded names starting from each word except
// articles, the name without spaces, and hyphenated words as one:
//
//	"Lord of the Rings, The"   lord of the rings · of the rings · rings · lordoftherings
//	"Spider-Man"               spider man · man · spiderman
//
// So a prefix of a key is a likely query. A title without letters and digits has no keys.
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
		if hyphenated(w) {
			add(strings.ReplaceAll(Fold(w), " ", ""))
		}
	}
	return out
}

// hyphenated reports whether w has a hyphen or similar sign; many people write such words as one.
func hyphenated(w string) bool { return strings.ContainsAny(w, "-–·/") }

// Lookups returns the prefixes of keys for a query. all is the whole query, without the article in front. words are its
// words, for when all finds too few: the longest first, at most four, and none for a query of one word. A lone article
// looks up "", a prefix of every key, and so does a lone year, in addition to titles that begin with it.
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

// cut returns at most MaxKey bytes of a key. It may cut within a letter: keys are compared byte by byte.
func cut(key string) string { return key[:min(len(key), MaxKey)] }
