package agents

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// candidate is a text that does not name one item, and the items that it may mean.
type candidate struct {
	Text  string  `json:"text"`
	Items []meant `json:"items"`
}

type meant struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Year  *int   `json:"year"`
}

// titlesError says which texts do not name one item.
type titlesError struct {
	field      string
	candidates []candidate
}

func (e *titlesError) Error() string {
	var parts []string
	for _, c := range e.candidates {
		part := fmt.Sprintf("%q names no item, and no title is like it", brief.Text(c.Text))
		if len(c.Items) > 0 {
			var all []string
			for _, item := range c.Items {
				year := 0
				if item.Year != nil {
					year = *item.Year
				}
				all = append(all, "id:"+item.ID+" "+catalogue.Quote(item.Title, year))
			}
			part = fmt.Sprintf("%q does not name one item; did you mean %s?", brief.Text(c.Text),
				strings.Join(all, ", "))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// quoted returns an item's title in quotes, with its year.
func (s *server) quoted(i int) string {
	item := s.engine.Item(i)
	return catalogue.Quote(item.Title, item.Year)
}

// arguments decodes a tool's arguments, refuses names that it does not have, and replaces titles in lists by ids.
func (s *server) arguments(t tool, raw []byte) (map[string]any, error) {
	args := map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil || args == nil {
			return nil, &query.Error{Sentence: fmt.Sprintf("%s takes an object of %s, without duplicates", t.name,
				strings.Join(t.names, ", "))}
		}
	}
	var wrong titlesError
	for _, name := range t.names {
		list, ok := args[name].([]any)
		if !ok || !slices.Contains(lists, name) || len(list) > maxMarks { // the reader refuses long lists
			continue
		}
		for k, v := range list {
			text, ok := v.(string)
			if !ok {
				continue
			}
			id, c := s.named(text)
			if c != nil {
				wrong.field = name
				if wrong.candidates = append(wrong.candidates, *c); len(wrong.candidates) == maxChanges {
					return nil, &wrong
				}
			}
			list[k] = id
		}
	}
	for _, name := range (query.JSON{V: args}).Names() {
		if !slices.Contains(t.names, name) {
			return nil, &query.Error{Field: brief.Text(name), Sentence: fmt.Sprintf(
				"%s has no option %q; choose from %s", t.name, brief.Text(name), strings.Join(t.names, ", "))}
		}
	}
	if len(wrong.candidates) > 0 {
		return nil, &wrong
	}
	return args, nil
}

// shown is the number of candidates for a text.
const shown = 6

// exact is a score below all those of catalogue.Exact and above all others.
const exact = 0.94

var yearAtEnd = regexp.MustCompile(` \(?[0-9]{4}\)?$`)

// named returns the id of the item that a text names, or the candidates. A text is "id:" with an id, which need not
// exist; a title, with or without its year and article; or an id, unless it could be meant as a title: a number such as
// 1917, or the title of another item.
func (s *server) named(text string) (id string, wrong *candidate) {
	if id, ok := strings.CutPrefix(text, "id:"); ok {
		return id, nil
	}
	if len(text) > maxText {
		return "", &candidate{Text: brief.Text(text)}
	}
	found := s.engine.Search(text, shown)
	var best, same []int
	for _, f := range found {
		if f.Score > exact && f.Score == found[0].Score {
			best = append(best, f.Item)
			item := s.engine.Item(f.Item)
			if strings.EqualFold(item.Title, text) || strings.EqualFold(strings.Trim(s.quoted(f.Item), `"`), text) {
				same = append(same, f.Item)
			}
		}
	}
	if len(same) == 1 {
		best = same
	}
	byID, isID := s.engine.IDs()[text]
	switch {
	case len(best) == 1 && (!isID || byID == best[0]):
		return s.engine.Item(best[0]).ID, nil
	case len(best) == 0 && isID && strings.Trim(text, "0123456789") != "":
		return text, nil
	}
	if isID {
		best = append([]int{byID}, best...)
	}
	if len(best) == 0 || len(best) == 1 && isID {
		// Nothing has exactly this title; perhaps only the year is wrong.
		if without := yearAtEnd.ReplaceAllString(text, ""); without != text {
			found = append(s.engine.Search(without, 2), found...)
		}
		for _, f := range found {
			best = append(best, f.Item)
		}
	}
	wrong = &candidate{Text: text, Items: []meant{}}
	for k, i := range best {
		if !slices.Contains(best[:k], i) {
			item := s.engine.Item(i)
			wrong.Items = append(wrong.Items, meant{item.ID, item.Title, answer.Year(item.Year)})
		}
	}
	return "", wrong
}

// takeItem removes the argument item and returns the item that it names.
func (s *server) takeItem(args map[string]any) (int, error) {
	v := args["item"]
	delete(args, "item")
	id, ok := query.ID(query.JSON{V: v})
	if !ok {
		return 0, &query.Error{Field: "item", Sentence: "item must be a title, or an id as \"id:…\""}
	}
	if text, plain := v.(string); plain {
		var wrong *candidate
		if id, wrong = s.named(text); wrong != nil {
			return 0, &titlesError{"item", []candidate{*wrong}}
		}
	}
	i, ok := s.engine.IDs()[id]
	if !ok {
		return 0, noItem("item", id)
	}
	return i, nil
}

func noItem(field, id string) error {
	return &query.Error{Field: field, Sentence: fmt.Sprintf("the catalogue has no item %q", brief.Text(id))}
}

// takeFlag removes a true or false and returns it.
func takeFlag(args map[string]any, name string, missing bool) (bool, error) {
	v := args[name]
	delete(args, name)
	switch v := v.(type) {
	case nil:
		return missing, nil
	case bool:
		return v, nil
	}
	return false, &query.Error{Field: name, Sentence: name + " must be true or false"}
}

func sameGenre(genres []string, want string) (string, bool) {
	k := slices.IndexFunc(genres, func(have string) bool { return strings.EqualFold(have, want) })
	if k < 0 {
		return "", false
	}
	return genres[k], true
}
