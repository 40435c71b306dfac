package recommend

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// titles answers questions about the catalogue and the map alone: search, genres, filters, well-known titles. It does
// not change, so it is safe for concurrent use.
type titles struct {
	cat          *catalogue.Catalogue
	genres       []string                // most frequent first
	byGenre      map[string]ItemSet      // items of each genre
	genreShares  []float64               // of each of genres: its items' share of all likes
	genreWeights []float32               // by item: newGenreWeights
	known        int                     // items liked in training; all if nobody liked any
	fewest       int                     // count that 85% of the known ones do not exceed
	fewKnow      ItemSet                 // items of at most that count
	elsewhere    map[string]float64      // genreShares of genres that none of these items has, if they are a part
	regions      regions                 // of the map
	search       func() *catalogue.Index // made at the first call
	leftOut      func() *catalogue.Index // of the catalogue's LeftOut; made at the first call
	byCount      func() []int            // all items, the best known first; made at the first call
	byID         func() map[string]int   // made at the first call
}

// newTitles prepares a catalogue of at least one item. Search and starters take longer than the rest of Open, and the
// first list of a returning visitor needs neither, so they are made at the first call. O(I).
//
// whole describes the catalogue that these items are a part of; nil if they are all.
func newTitles(c *catalogue.Catalogue, layout *model.Map, whole *CatalogueStats) *titles {
	t := &titles{cat: c, byGenre: map[string]ItemSet{}, regions: regions{layout: layout}}
	n := c.Len()
	counts := make([]int, n)
	for i := range n {
		yieldAfter(i)
		counts[i] = c.Items[i].Count
		for _, g := range c.Items[i].Genres {
			if g == "" {
				continue
			}
			of := t.byGenre[g]
			if of == nil {
				of = NewItemSet(n)
				t.byGenre[g] = of
				t.genres = append(t.genres, g)
			}
			of.Add(i)
		}
	}
	names := slices.Clone(t.genres)
	larger := func(a, b int) int {
		return cmp.Or(t.byGenre[names[b]].Len()-t.byGenre[names[a]].Len(), strings.Compare(names[a], names[b]))
	}
	for k, g := range orderOf(len(names), larger) {
		t.genres[k] = names[g]
	}
	if whole != nil {
		t.takeStats(whole)
	} else {
		t.genreShares = shares(counts, t.genres, t.byGenre)
		ascending := sorted(counts)
		for len(ascending) > 1 && ascending[0] <= 0 && ascending[len(ascending)-1] > 0 {
			ascending = ascending[1:]
		}
		t.known = len(ascending)
		t.fewest = ascending[(t.known-1)*85/100]
	}
	t.genreWeights = t.newGenreWeights()
	t.fewKnow = NewItemSet(n)
	for i, count := range counts {
		if count <= t.fewest {
			t.fewKnow.Add(i)
		}
	}
	t.search = sync.OnceValue(func() *catalogue.Index {
		all := make([]catalogue.Title, n)
		for i := range all {
			it := &c.Items[i]
			all[i] = catalogue.Title{Name: it.Title, Others: c.Names(i), Year: it.Year, Count: it.Count}
		}
		return catalogue.NewIndex(all)
	})
	t.leftOut = sync.OnceValue(func() *catalogue.Index {
		all := make([]catalogue.Title, len(c.LeftOut))
		for i, name := range c.LeftOut {
			all[i].Name = name
		}
		return catalogue.NewIndex(all)
	})
	t.byID = sync.OnceValue(func() map[string]int {
		out := make(map[string]int, n)
		for i := range n {
			yieldAfter(i)
			out[c.Items[i].ID] = i
		}
		return out
	})
	t.byCount = sync.OnceValue(func() []int {
		return orderOf(n, func(a, b int) int { return cmp.Or(counts[b]-counts[a], a-b) })
	})
	return t
}

// takeStats replaces values by the whole catalogue's.
func (t *titles) takeStats(w *CatalogueStats) {
	t.known, t.fewest, t.elsewhere = w.Liked, w.FewKnow, maps.Clone(w.GenreShares)
	t.genreShares = make([]float64, len(t.genres))
	for g, name := range t.genres {
		t.genreShares[g] = w.GenreShares[name]
		delete(t.elsewhere, name)
	}
}

// orderOf returns 0 to n−1, sorted by compare. A sort of another type costs the browser's program 20 KB before
// compression.
func orderOf(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, compare)
	return out
}

// shares returns the share of all counts that the items of each genre have; 0 if all counts are.
func shares(counts []int, genres []string, of map[string]ItemSet) []float64 {
	total := 0
	for _, c := range counts {
		total += max(c, 0)
	}
	out := make([]float64, len(genres))
	for g, name := range genres {
		sum := 0
		for i := range of[name].All() {
			sum += max(counts[i], 0)
		}
		out[g] = float64(sum) / float64(max(total, 1))
	}
	return out
}

// Len returns I, the number of items.
func (t *titles) Len() int { return t.cat.Len() }

// IDs returns the items by id. It must not be changed. O(I) at the first call.
func (t *titles) IDs() map[string]int { return t.byID() }

// Item returns the catalogue's entry for item i. It must not be changed.
func (t *titles) Item(i int) *catalogue.Item { return &t.cat.Items[i] }

// Columns returns the names of the catalogue's further columns, aligned with Item(i).Values. It must not be changed.
func (t *titles) Columns() []string { return t.cat.Columns }

// Genres returns all genres, the most frequent first, equally frequent ones by name. The slice must not be changed.
func (t *titles) Genres() []string { return t.genres }

// Search returns the titles that match the query, best first, as defined by package catalogue.
func (t *titles) Search(query string, limit int) []Found {
	found := t.search().Search(query, limit)
	out := make([]Found, len(found))
	for i, f := range found {
		out[i] = Found{f.Item, f.Score}
	}
	return out
}

// LeftOut returns titles that have the query's words, or begin with it, and too few interactions for a place in the
// model, best first, with the score of the best.
func (t *titles) LeftOut(query string, limit int) (names []string, score float64) {
	q := catalogue.Fold(query)
	for _, f := range t.leftOut().Search(query, limit) {
		name := t.cat.LeftOut[f.Item]
		n := catalogue.Fold(name)
		bare := catalogue.Bare(n)
		// "der pate" is not the beginning of "Paterson".
		begins := strings.HasPrefix(n, q) || strings.HasPrefix(bare, q) ||
			strings.HasPrefix(bare+" ", catalogue.Bare(q)+" ")
		if f.Tier > catalogue.Prefix || f.Tier == catalogue.Prefix && begins || f.Tier == catalogue.Whole {
			names, score = append(names, name), max(score, f.Score)
		}
	}
	return names, score
}

// Find returns the item for a typed title, with or without its year ("Heat", "Heat (1995)"), article or accents. If
// several items have exactly that title, it returns the best-known one. Without an exact match, it accepts an item that
// matches better than all others without a typing error, or the only match. Otherwise the error is a
// *catalogue.TitleError with the candidates.
func (t *titles) Find(title string) (int, error) {
	const shown = 5
	found := t.search().Search(title, shown)
	if catalogue.Settled(found) {
		return found[0].Item, nil
	}
	e := &catalogue.TitleError{Query: title}
	for _, f := range found {
		it := t.Item(f.Item)
		e.Candidates = append(e.Candidates, catalogue.Quote(it.Title, it.Year))
	}
	return 0, e
}
