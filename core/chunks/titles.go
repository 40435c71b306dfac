package chunks

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Titles are in tiers: the best-known thousand, the best-known sixteen thousand and so on; the last tier has all. In
// each tier the titles' keys (catalogue.Keys) are sorted and cut into pages, and a page holds the titles with a key in
// it. A lookup uses the last tier in which the keys with the typed prefix fit in two pages. So the shorter the prefix,
// the better known are the results.

// Directory maps keys to pages of titles.
type Directory struct {
	Pages []int    // number in each tier
	First []string // of each page: above all keys of the page before, and not above its own; "" for a tier's first page
}

// Title is an item in a page of titles.
type Title struct {
	ID          string
	Name        string
	Year, Count int // as in catalogue.Item
}

type TitleFound struct {
	Title
	Score float64 // as in catalogue.Found
}

// mostPages is the greatest number of pages of a lookup, except in the first tier.
const mostPages = 2

func EncodeDirectory(d *Directory) []byte {
	return content(KindDirectory, 0, varintsOf(d.Pages), texts(d.First))
}

func readDirectory(s [][]byte) (*Directory, error) {
	pages, ok1 := varints(s[0], uint64(len(s[1])))
	first, ok2 := untexts(s[1])
	if !ok1 || !ok2 {
		return nil, errors.New("the pages are damaged")
	}
	d, at := &Directory{pages, first}, 0
	for t, n := range pages {
		if n < 1 || n > len(first)-at {
			return nil, fmt.Errorf("tier %d has %d pages", t, n)
		}
		for p, of := range first[at : at+n] {
			if p == 0 && of != "" || p > 0 && of < first[at+p-1] {
				return nil, fmt.Errorf("page %d of tier %d is out of order", p, t)
			}
		}
		at += n
	}
	if at < len(first) {
		return nil, errors.New("there are more pages than in the tiers")
	}
	return d, nil
}

// EncodeTitles returns a page of titles as a part. The sections are ids and names, and columns of int32 for years and
// counts.
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
		return nil, errors.New("its columns are damaged or differ in length")
	}
	years, counts := uint32s(s[2]), uint32s(s[3])
	out := make([]Title, n)
	for k := range out {
		out[k] = Title{ids[k], names[k], int(int32(years[k])), int(int32(counts[k]))}
	}
	return out, nil
}

// pages returns the pages with keys that begin with text, in the last tier with at most mostPages of them, or else in
// the first tier.
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

// page returns the first page in [begin, end) that can have keys ≥ text.
func (d *Directory) page(begin, end int, text string) int {
	before, _ := slices.BinarySearch(d.First[begin:end], text)
	return begin + max(before-1, 0)
}

// near returns the page of each tier in which text would be.
func (d *Directory) near(text string) (out []int) {
	begin := 0
	for _, n := range d.Pages {
		out = append(out, d.page(begin, begin+n, text))
		begin += n
	}
	return out
}

// Search returns at most limit titles that match a query, the best first, ranked as by catalogue.Index. It only looks
// at some pages: those for the whole query; if fewer than limit titles match, those for each word; and if none matches
// without a typing error, those near the words. A lone article and a lone year as part of a title are looked up among
// the best known. Search can therefore miss a title if a mistyped word has another beginning, or if the title is little
// known and the query is only a prefix or a frequent word. Like Gather, it can return a *Missing; a search takes at
// most four rounds of parts. O(titles looked at).
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

// Find returns the item with a title, as recommend.Recommender.Find does, among the titles that Search looks at.
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

// answers holds the results of a search, and the title of each.
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

// certain returns the number of answers without a typing error.
func (a *answers) certain() (n int) {
	for _, f := range a.found {
		if f.Tier > catalogue.Fuzzy {
			n++
		}
	}
	return n
}

// among searches the titles of pages.
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
