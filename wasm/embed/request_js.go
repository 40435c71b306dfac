//go:build js && wasm

package main

import (
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

// finder finds the index of an item by what callers name it: an id of the catalogue first, then a title.
type finder struct {
	engine *recommend.Recommender
	byID   map[string]int
	reader query.Reader
}

func newFinder(engine *recommend.Recommender) *finder {
	f := &finder{engine: engine, byID: make(map[string]int, engine.Len())}
	for i := range engine.Len() {
		f.byID[engine.Item(i).ID] = i
	}
	f.reader = query.Reader{Results: maxResults, Marks: maxMarks, Columns: engine.Columns(),
		Item: func(v query.Value) (item int, skip bool, err error) {
			item, err = f.find(v)
			return item, false, err
		}}
	return f
}

func (f *finder) find(v query.Value) (int, error) {
	name, ok := query.Name(v)
	if !ok {
		return 0, fmt.Errorf("an item is named by its id or its title, but this one is of type %v", v.(value).v.Type())
	}
	if i, ok := f.byID[name]; ok {
		return i, nil
	}
	return f.engine.Find(name)
}

// request reads the argument of the method of that name.
func (f *finder) request(method string, v js.Value) (recommend.Visit, recommend.Request, error) {
	return f.reader.Read(method, value{v})
}

// count reads how many answers there are to be, from 1.
func count(name string, v js.Value) (int, error) {
	n, err := query.Bounded(name, value{v}, 1, maxResults, query.DefaultResults, true)
	return int(n), err
}
