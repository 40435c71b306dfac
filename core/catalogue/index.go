package catalogue

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/yield"
)

// Title is a title to be indexed.
type Title struct {
	Name   string   // as in the catalogue
	Others []string // further names, such as the title in other languages
	Year   int      // 0: unknown
	Count  int      // popularity
}

// Tier says how well a title matches a query.
type Tier uint8

// The tiers, the best last.
const (
	None   Tier = iota // no match
	Fuzzy              // with typing errors, or one of several words missing
	Words              // its words begin with the typed words
	Whole              // it has all the typed words
	Prefix             // it begins with the query
	Exact              // it equals the query, except for the article and the year
)

// Found is a match.
type Found struct {
	Item  int
	Tier  Tier
	Score float64 // in (0,1], 1: exactly this title, with its article or alone; ranks like (Tier, errors)
}

// Index finds titles. It does not change, so it is safe for concurrent use.
type Index struct {
	titles []entry
	words  []string // the vocabulary, sorted
	masks  []uint64 // letters of each word
	posts  [][]int32
	order  []int32 // rank of each item by (count descending, index)
	pool   sync.Pool
}

type entry struct {
	forms []string // folded names, the main one first
	year  string
}

// NewIndex builds an index over titles; item i is titles[i]. O(total length · log).
func NewIndex(titles []Title) *Index {
	x := &Index{titles: make([]entry, len(titles)), order: make([]int32, len(titles))}
	numbers := map[string]int32{} // by word: its index in words, in order of appearance
	var words []string
	var posts [][]int32
	post := func(w string, item int32) {
		number, known := numbers[w]
		if !known {
			number = int32(len(words))
			numbers[w] = number
			words, posts = append(words, w), append(posts, nil)
		}
		if p := posts[number]; len(p) == 0 || p[len(p)-1] != item {
			posts[number] = append(p, item)
		}
	}
	byCount := make([]int32, len(titles))
	for i, t := range titles {
		if i&255 == 255 {
			yield.Now()
		}
		item := int32(i)
		e := entry{forms: Forms(t.Name)}
		for _, other := range t.Others {
			e.forms = append(e.forms, Forms(other)...)
		}
		if t.Year > 0 {
			e.year = strconv.Itoa(t.Year)
			post(e.year, item)
		}
		x.titles[i] = e
		byCount[i] = item
		all := e.forms
		if strings.ContainsAny(t.Name, "()") {
			// The title as written is not one of its forms, but must be found when it is pasted.
			all = append([]string{name(t.Name)}, all...)
		}
		for _, f := range all {
			for _, w := range strings.Fields(f) {
				post(w, item)
				if n := Arabic(w); n != "" {
					post(n, item)
				}
			}
		}
		// Many write a hyphenated word as one: "Spider-Man" must be found as "spiderman".
		for _, w := range strings.Fields(t.Name) {
			if hyphenated(w) {
				if joined := strings.ReplaceAll(Fold(w), " ", ""); joined != "" {
					post(joined, item)
				}
			}
		}
	}
	compared := 0
	pause := func() {
		if compared++; compared&4095 == 0 {
			yield.Now()
		}
	}
	sorted := make([]int32, len(words))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(a, b int32) int {
		pause()
		return strings.Compare(words[a], words[b])
	})
	x.words, x.masks, x.posts = make([]string, len(words)), make([]uint64, len(words)), make([][]int32, len(words))
	for i, number := range sorted {
		x.words[i], x.masks[i], x.posts[i] = words[number], letters(words[number]), posts[number]
	}
	slices.SortFunc(byCount, func(a, b int32) int {
		pause()
		if ca, cb := titles[a].Count, titles[b].Count; ca != cb {
			return cb - ca
		}
		return int(a - b)
	})
	for r, i := range byCount {
		x.order[i] = int32(r)
	}
	x.pool.New = func() any {
		n := len(titles)
		return &scratch{best: make([]uint8, n), sum: make([]uint16, n), hits: make([]uint8, n)}
	}
	return x
}

// roman holds the numbers of sequels: "Part II" must be found as "2".
var roman = map[string]string{
	"ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9",
}

// Arabic returns the digit for a small Roman number from ii to ix, as used for sequels, or "".
func Arabic(word string) string { return roman[word] }
