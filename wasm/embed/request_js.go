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

// Bounds of requests: far above normal use, yet small enough that a mistake does not block the page for long.
const (
	maxResults = 10_000
	maxMarks   = 65_536
)

// opened is an open model.
type opened struct {
	engine *recommend.Recommender
	// Ids that were looked up, if engine holds only a part of the catalogue; it cannot report others as unknown. Nil if
	// engine holds the whole catalogue.
	asked map[string]bool
}

// unknown returns the ids that the catalogue is known to lack.
func (o *opened) unknown(ids []string) []string {
	if o.asked == nil {
		return ids
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !o.asked[id] })
}

func (o *opened) reader() *query.Reader {
	return &query.Reader{Engine: o.engine, Results: maxResults, Marks: maxMarks}
}

// item returns the item with the id in v.
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

// count reads a number of results, at least 1.
func count(name string, v js.Value) (int, error) {
	n, err := query.Bounded(name, jsquery.Value{V: v}, 1, maxResults, query.DefaultResults, true)
	return int(n), err
}

func text(method string, v js.Value) (string, error) {
	if v.Type() != js.TypeString {
		return "", fmt.Errorf("%s needs a text", method)
	}
	return v.String(), nil
}

// searched reads the arguments of search: the query and the number of results.
func searched(typed, limit js.Value) (words string, n int, err error) {
	if words, err = text("search", typed); err == nil {
		n, err = count("limit", limit)
	}
	return words, n, err
}
