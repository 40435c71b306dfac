package recommend

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

func titles(c *catalogue.Catalogue) []catalogue.Title {
	out := make([]catalogue.Title, c.Len())
	for i := range out {
		it := &c.Items[i]
		out[i] = catalogue.Title{Name: it.Title, Year: it.Year, Count: it.Count}
	}
	return out
}

// Search returns the titles that answer the query, best first; see package search for what that means.
func (r *Recommender) Search(query string, limit int) []Found {
	found := r.search().Search(query, limit)
	out := make([]Found, len(found))
	for i, f := range found {
		out[i] = Found{f.Item, f.Score}
	}
	return out
}

// TitleError says why Find did not settle on an item.
type TitleError struct {
	Query      string
	Candidates []string // titles with their years that it may have meant; none: nothing is like it
}

func (e *TitleError) Error() string {
	if len(e.Candidates) == 0 {
		return fmt.Sprintf("no title in the catalogue is like %q", e.Query)
	}
	return fmt.Sprintf("%q is not the title of one item; did you mean %s?", e.Query, strings.Join(e.Candidates, ", "))
}

// Find returns the item of a title that someone typed, with or without its year ("Heat", "Heat (1995)"), article or
// accents. Of several items of that very title the best known is meant. A title that is not there exactly is taken where one item answers better than all others without a typing error
// forgiven, or where but one answers at all. Otherwise the error is a *TitleError with the candidates.
func (r *Recommender) Find(title string) (int, error) {
	const shown = 5
	found := r.search().Search(title, shown)
	if len(found) == 0 {
		return 0, &TitleError{Query: title}
	}
	first := found[0]
	if first.Tier == catalogue.Exact || len(found) == 1 || first.Tier > catalogue.Fuzzy && first.Score > found[1].Score {
		return first.Item, nil
	}
	e := &TitleError{Query: title}
	for _, f := range found {
		it := r.Item(f.Item)
		name := it.Title
		if it.Year != 0 {
			name = fmt.Sprintf("%s (%d)", name, it.Year)
		}
		e.Candidates = append(e.Candidates, fmt.Sprintf("%q", name))
	}
	return 0, e
}
