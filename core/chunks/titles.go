package chunks

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Titles are found in tiers: the best-known thousand, the best-known sixteen thousand and so on, the last of which has
// all. In each tier the keys of the titles (catalogue.Keys) are sorted and cut into pages, and a page holds the titles
// that have a key in it. What is typed is looked up in the last tier in which the keys that begin so lie in two pages:
// the less somebody has typed, the better known is what they are shown.

// Directory says which keys lie in which page of titles.
type Directory struct {
	Pages []int    // of each tier
	First []string // of each page: above all keys of the page before, and not above its own; "" of a tier's first page
}

// Title is what a page of titles says of an item.
type Title struct {
	ID          string
	Name        string
	Year, Count int // as of catalogue.Item
}

// TitleFound is an item that a search has found.
type TitleFound struct {
	Title
	Score float64 // as of catalogue.Found
}

// mostPages is how many pages a lookup takes at most, but in the first tier.
const mostPages = 2

// EncodeDirectory returns the part.
func EncodeDirectory(d *Directory) []byte {
	return content(KindDirectory, 0, varintsOf(d.Pages), texts(d.First))
}

func readDirectory(s [][]byte) (*Directory, error) {
	pages, ok1 := varints(s[0], uint64(len(s[1])))
	first, ok2 := untexts(s[1])
	if !ok1 || !ok2 {
		return nil, errors.New("its pages are damaged")
	}
	d, at := &Directory{pages, first}, 0
	for t, n := range pages {
		if n < 1 || n > len(first)-at {
			return nil, fmt.Errorf("tier %d has %d pages", t, n)
		}
		for p, of := range first[at : at+n] {
			if p == 0 && of != "" || p > 0 && of < first[at+p-1] {
				return nil, fmt.Errorf("page %d of tier %d is not in order", p, t)
			}
		}
		at += n
	}
	if at < len(first) {
		return nil, errors.New("there are more pages than tiers have")
	}
	return d, nil
}

// EncodeTitles returns a page of titles. The sections are ids and names, and columns of int32 for years and counts.
func EncodeTitles(page int, all []Title) []byte {
	var ids, names []string
	var years, counts []uint32
	for _, t := range all {
		ids, names = append(ids, t.ID), append(names, t.Name)
		years, counts = append(years, uint32(int32(t.Year))), append(counts, uint32(int32(t.Count)))
	}
	return content(KindTitles, page, texts(ids), texts(names), Uint32s(years), Uint32s(counts))
}

func readTitles(s [][]byte) ([]Title, error) {
	ids, ok1 := untexts(s[0])
	names, ok2 := untexts(s[1])
	n := len(ids)
	if !ok1 || !ok2 || len(names) != n || len(s[2]) != 4*n || len(s[3]) != 4*n {
		return nil, errors.New("its columns are damaged or not of one length")
	}
	years, counts := uint32s(s[2]), uint32s(s[3])
	out := make([]Title, n)
	for k := range out {
		out[k] = Title{ids[k], names[k], int(int32(years[k])), int(int32(counts[k]))}
	}
	return out, nil
}

// pages returns the pages in which keys that begin with text lie, in the last tier in which they are at most
// mostPages, and all of the first tier's where there is none.
func (d *Directory) pages(text string) []int {
	end := len(d.First)
	for t := len(d.Pages) - 1; ; t-- {
		begin := end - d.Pages[t]
		from := d.page(begin, end, text)
		to, _ := slices.BinarySearch(d.First[begin:end], text+"\xff")
		to += begin
		if t == 0 || to-from <= mostPages {
			out := make([]int, 0, to-from)
			for p := from; p < to; p++ {
				out = append(out, p)
			}
			return out
		}
		end = begin
	}
}

// page returns the first page of those from begin to before end in which keys from text on may lie.
func (d *Directory) page(begin, end int, text string) int {
	before, _ := slices.BinarySearch(d.First[begin:end], text)
	return begin + max(before-1, 0)
}

// near returns the page of each tier in which text would lie.
func (d *Directory) near(text string) (out []int) {
	begin := 0
	for _, n := range d.Pages {
		out = append(out, d.page(begin, begin+n, text))
		begin += n
	}
	return out
}

// Search returns the titles that answer a query, the best first and at most limit, as catalogue.Index does, of those
// that lie where the query is looked up: as it stands; word by word, where fewer than limit titles answer; and near
// its words, where none answers without an error forgiven. An article alone, and a year as that of titles, are looked
// for among the best known. So a title can be missing where a mistyped word begins otherwise, or where it is little
// known and all that was typed is a beginning or a frequent word. An error is a *Missing, as of Gather; a search takes
// four rounds of parts at most. O(titles looked at).
func (c *Catalogue) Search(query string, limit int) ([]TitleFound, error) {
	found, err := c.search(query, limit)
	out := make([]TitleFound, len(found.titles))
	for k, t := range found.titles {
		out[k] = TitleFound{t, found.found[k].Score}
	}
	if err == nil && c.held > MaxHeld {
		c.forget()
	}
	return out, err
}

// Find returns the item of a title as recommend.Recommender.Find does, of those that Search looks at.
func (c *Catalogue) Find(title string) (id string, err error) {
	const shown = 5
	found, err := c.search(title, shown)
	if err != nil {
		return "", err
	}
	if catalogue.Settled(found.found) {
		return found.titles[0].ID, nil
	}
	e := &catalogue.TitleError{Query: title}
	for _, t := range found.titles {
		e.Candidates = append(e.Candidates, catalogue.Quote(t.Name, t.Year))
	}
	return "", e
}

// answers are what was found, and the title of each.
type answers struct {
	found  []catalogue.Found
	titles []Title
}

func (c *Catalogue) search(query string, limit int) (answers, error) {
	if c.directory == nil {
		return answers{}, c.missing(KindDirectory, map[int]bool{0: true})
	}
	all, words := catalogue.Lookups(query)
	if catalogue.Fold(query) == "" || limit < 1 || len(c.directory.Pages) == 0 {
		return answers{}, nil
	}
	take := map[int]bool{}
	look := func(at func(text string) []int, texts ...string) (answers, error) {
		for _, text := range texts {
			for _, p := range at(text) {
				take[p] = true
			}
		}
		return c.among(take, query, limit)
	}
	a, err := look(c.directory.pages, all...)
	if err == nil && a.certain() < limit {
		a, err = look(c.directory.pages, words...)
	}
	if err == nil && a.certain() == 0 {
		a, err = look(c.directory.near, append(words, all...)...)
	}
	return a, err
}

// certain returns how many of the answers forgive no error.
func (a *answers) certain() (n int) {
	for _, f := range a.found {
		if f.Tier > catalogue.Fuzzy {
			n++
		}
	}
	return n
}

// among searches pages.
func (c *Catalogue) among(pages map[int]bool, query string, limit int) (a answers, err error) {
	missing := map[int]bool{}
	for p := range pages {
		if _, ok := c.titles[p]; !ok {
			missing[p] = true
		}
	}
	if err := c.missing(KindTitles, missing); err != nil {
		return a, err
	}
	var titles []Title
	var names []catalogue.Title
	known := map[string]bool{}
	for _, p := range sortedKeys(pages) {
		for _, t := range c.titles[p] {
			if !known[t.ID] {
				known[t.ID] = true
				titles = append(titles, t)
				names = append(names, catalogue.Title{Name: t.Name, Year: t.Year, Count: t.Count})
			}
		}
	}
	a.found = catalogue.NewIndex(names).Search(query, limit)
	for _, f := range a.found {
		a.titles = append(a.titles, titles[f.Item])
	}
	return a, nil
}
