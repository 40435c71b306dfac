//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// Bounds of requests. They are far above any use, and a mistake within them does not block the page for long.
const (
	maxResults = 10_000
	maxMarks   = 65_536
)

// opened is a model that is open.
type opened struct {
	engine *recommend.Recommender
	byID   map[string]int
}

func newOpened(engine *recommend.Recommender) *opened {
	o := &opened{engine, make(map[string]int, engine.Len())}
	for i := range engine.Len() {
		o.byID[engine.Item(i).ID] = i
	}
	return o
}

// reader returns a reader of the requests of one call.
func (o *opened) reader() *query.Reader {
	return &query.Reader{Results: maxResults, Marks: maxMarks, Columns: o.engine.Columns(), IDs: o.byID}
}

// item returns the item that v names by its id.
func (o *opened) item(v js.Value) (int, error) {
	id, ok := query.ID(value{v})
	if !ok {
		return 0, errors.New(query.NoID)
	}
	i, ok := o.byID[id]
	if !ok {
		return 0, coded{"unknown-item", fmt.Errorf("the catalogue has no item %q", id)}
	}
	return i, nil
}

// count reads how many answers there are to be, from 1.
func count(name string, v js.Value) (int, error) {
	n, err := query.Bounded(name, value{v}, 1, maxResults, query.DefaultResults, true)
	return int(n), err
}

func text(method string, v js.Value) (string, error) {
	if v.Type() != js.TypeString {
		return "", fmt.Errorf("%s takes a text", method)
	}
	return v.String(), nil
}
