//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"slices"
	"syscall/js"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/wasm/internal/jsquery"
)

// Bounds of requests. They are far above any use, and a mistake within them does not block the page for long.
const (
	maxResults = 10_000
	maxMarks   = 65_536
)

// opened is a model that is open.
type opened struct {
	engine *recommend.Recommender
	// the ids that were looked for, where the engine is over a part of the catalogue: of others it cannot say that the
	// catalogue does not have them; nil: it is over all of it
	asked map[string]bool
}

// unknown returns those of the ids that the catalogue does not have.
func (o *opened) unknown(ids []string) []string {
	if o.asked == nil {
		return ids
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !o.asked[id] })
}

// reader returns a reader of the requests of one call.
func (o *opened) reader() *query.Reader {
	return &query.Reader{Engine: o.engine, Results: maxResults, Marks: maxMarks}
}

// item returns the item that v names by its id.
func (o *opened) item(v js.Value) (int, error) {
	id, ok := query.ID(jsquery.Value{V: v})
	if !ok {
		return 0, errors.New(query.NoID)
	}
	i, ok := o.engine.IDs()[id]
	if !ok {
		return 0, coded{"unknown-item", fmt.Errorf("the catalogue has no item %q", brief.Text(id))}
	}
	return i, nil
}

// count reads how many answers there are to be, from 1.
func count(name string, v js.Value) (int, error) {
	n, err := query.Bounded(name, jsquery.Value{V: v}, 1, maxResults, query.DefaultResults, true)
	return int(n), err
}

func text(method string, v js.Value) (string, error) {
	if v.Type() != js.TypeString {
		return "", fmt.Errorf("%s takes a text", method)
	}
	return v.String(), nil
}

// searched reads what search takes: what was typed, and how many answers are wanted.
func searched(typed, limit js.Value) (words string, n int, err error) {
	if words, err = text("search", typed); err == nil {
		n, err = count("limit", limit)
	}
	return words, n, err
}
