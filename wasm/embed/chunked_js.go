//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"slices"
	"syscall/js"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/wasm/internal/jsquery"
)

// maxChunkedResults bounds k + skip, so that enough items can be gathered.
const maxChunkedResults = 1000

// mostGathered bounds the items gathered if filters or rules leave too few.
const mostGathered = 8 * chunks.Enough

// inChunks is an open model in chunks.
type inChunks struct{ catalogue *chunks.Catalogue }

// ask runs a method and returns {answer}, or {missing} with the names of the parts to fetch first. Invalid arguments
// are errors even if parts are missing.
func (c *inChunks) ask(method string, first, second js.Value) (any, error) {
	var said any
	var err error
	switch method {
	case "search":
		said, err = c.search(first, second)
	case "find":
		said, err = c.find(first)
	default:
		said, err = c.gathered(method, first, second)
	}
	if missing, ok := errors.AsType[*chunks.Missing](err); ok {
		return map[string]any{"missing": answer.Texts(missing.Names)}, nil
	} else if err != nil {
		return nil, err
	}
	return map[string]any{"answer": said}, nil
}

// search answers from the title pages that it looks up.
func (c *inChunks) search(typed, limit js.Value) (any, error) {
	words, n, err := searched(typed, limit)
	if err != nil {
		return nil, err
	}
	found, err := c.catalogue.Search(words, n)
	items := make([]answer.FoundTitle, len(found))
	for k, f := range found {
		items[k] = answer.FoundTitle{ID: f.ID, Title: f.Name, Year: answer.Year(f.Year), Score: f.Score}
	}
	return answer.ListValues(items, nil), err
}

func (c *inChunks) find(title js.Value) (any, error) {
	typed, err := text("find", title)
	if err != nil {
		return nil, err
	}
	id, err := c.catalogue.Find(typed)
	if _, ok := errors.AsType[*catalogue.TitleError](err); ok {
		return nil, coded{"unknown-item", err}
	} else if err != nil {
		return nil, err
	}
	return c.gathered("item", js.ValueOf(id), js.Undefined())
}

// gathered answers from the chunks gathered for a question.
func (c *inChunks) gathered(method string, first, second js.Value) (any, error) {
	common, err := c.catalogue.Gather(chunks.Question{})
	if err != nil {
		return nil, err
	}
	q, k, err := c.question(&opened{engine: common}, method, first, second)
	if err != nil {
		return nil, err
	}
	for {
		engine, err := c.catalogue.Gather(q)
		if _, ok := errors.AsType[*chunks.Missing](err); ok {
			return nil, err
		} else if err != nil {
			return nil, coded{"model", err}
		}
		answer, err := methods[method](&opened{engine, named(&q)}, first, second)
		if err != nil {
			return nil, err
		}
		few := false
		if of, ok := answer.(map[string]any); ok && len(q.People) > 0 {
			few = len(of["items"].([]any)) < k
		}
		if !few || q.Items >= mostGathered || engine.Len() == c.catalogue.Len() {
			return answer, nil
		}
		q.Items = 2 * max(q.Items, chunks.Enough)
	}
}

// itemsFor returns the items to gather for k answers: the default, or proportionally more for more than 20.
func itemsFor(k int) int {
	if k <= 20 {
		return 0
	}
	return chunks.Enough * k / 20
}

// question reads the items to gather and the number of answers.
func (c *inChunks) question(common *opened, method string, first, second js.Value) (q chunks.Question, k int,
	err error) {
	r := common.reader()
	switch method {
	case "recommend", "together":
		people := []js.Value{first}
		if method == "together" {
			people = append(people, second)
		}
		for n, v := range people {
			request, err := c.person(r, method, jsquery.Value{V: v}, &q)
			if err != nil {
				return q, 0, err
			}
			if n == 0 {
				k = request.K
				q.Items = max(q.Items, itemsFor(k+request.Skip))
			}
		}
		err = c.pinned(r, jsquery.Value{V: first}, &q)
	case "similar":
		id, ok := query.ID(jsquery.Value{V: first})
		if !ok {
			return q, 0, errors.New(query.NoID)
		}
		q.People = []chunks.Person{{Item: id}}
		if second.Type() == js.TypeObject {
			if _, k, err = r.ReadSimilar(jsquery.Value{V: second}); err == nil {
				err = c.pinned(r, jsquery.Value{V: second}, &q)
			}
		} else {
			k, err = count("k", second)
		}
		q.Items = itemsFor(k)
	case "item":
		id, ok := query.ID(jsquery.Value{V: first})
		if !ok {
			return q, 0, errors.New(query.NoID)
		}
		q.Also = []string{id}
	case "about":
	default:
		return q, 0, fmt.Errorf("%s does not work with a model in chunks", method)
	}
	if err == nil && q.Items > chunks.Enough*maxChunkedResults/20 {
		err = &query.Error{Field: "k", Sentence: fmt.Sprintf(
			"k + skip can be at most %d for a model in chunks", maxChunkedResults)}
	}
	return q, k, err
}

// person reads a request and adds its person to q.
func (c *inChunks) person(r *query.Reader, method string, v jsquery.Value, q *chunks.Question) (
	request recommend.Request, err error) {
	if _, request, err = r.Read(method, v); err != nil {
		return request, err
	}
	switch {
	case request.Order != recommend.BestFirst:
		return request, &query.Error{Field: "order",
			Sentence: "order must be \"best\" for a model in chunks"}
	case v.Field("recent").Kind() != query.Absent:
		return request, &query.Error{Field: "recent",
			Sentence: "recent is not known to a model in chunks, which has no links in order"}
	case request.Mode == recommend.OutsideBubble && len(r.Engine.Genres()) == 0:
		return request, &query.Error{Field: "mode",
			Sentence: "mode \"outside-bubble\" needs genres, which this model in chunks lacks"}
	}
	var p chunks.Person
	for _, l := range []struct {
		name string
		to   *[]string
	}{{"likes", &p.Likes}, {"dislikes", &p.Dislikes}, {"instead", &q.Also}} {
		ids, err := r.IDs(l.name, v.Field(l.name))
		if err != nil {
			return request, err
		}
		*l.to = append(*l.to, ids...)
	}
	q.People = append(q.People, p)
	return request, nil
}

// pinned adds the pinned items of a request's rules to q.
func (c *inChunks) pinned(r *query.Reader, v jsquery.Value, q *chunks.Question) error {
	rules := v.Field("rules")
	if _, err := r.Rules(rules); err != nil {
		return err
	}
	if rules.Kind() == query.Object {
		ids, err := r.IDs("pinned", rules.Field("pinned"))
		if err != nil {
			return err
		}
		q.Also = append(q.Also, ids...)
	}
	return nil
}

// named returns the ids that a question looked up.
func named(q *chunks.Question) map[string]bool {
	out := map[string]bool{}
	for _, p := range q.People {
		for _, id := range slices.Concat(p.Likes, p.Dislikes, []string{p.Item}) {
			out[id] = true
		}
	}
	for _, id := range q.Also {
		out[id] = true
	}
	return out
}
