//go:build js && wasm

package main

import (
	"fmt"
	"math"
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend"
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
}

func newFinder(engine *recommend.Recommender) *finder {
	f := &finder{engine: engine, byID: make(map[string]int, engine.Len())}
	for i := range engine.Len() {
		f.byID[engine.Item(i).ID] = i
	}
	return f
}

func (f *finder) find(v js.Value) (int, error) {
	var text string
	switch v.Type() {
	case js.TypeString:
		text = v.String()
	case js.TypeNumber:
		text = js.Global().Get("String").Invoke(v).String()
	case js.TypeObject: // an item of an earlier answer
		if id := v.Get("id"); id.Type() == js.TypeString {
			text = id.String()
			break
		}
		fallthrough
	default:
		return 0, fmt.Errorf("an item is named by its id or its title, but this one is of type %v", v.Type())
	}
	if i, ok := f.byID[text]; ok {
		return i, nil
	}
	return f.engine.Find(text)
}

// list reads an array of items; undefined and null are an empty one.
func (f *finder) list(name string, v js.Value) ([]int, error) {
	if v.IsUndefined() || v.IsNull() {
		return nil, nil
	}
	if !js.Global().Get("Array").Call("isArray", v).Bool() {
		return nil, fmt.Errorf("%s must be an array of ids or titles", name)
	}
	if v.Length() > maxMarks {
		return nil, fmt.Errorf("%s has %d entries; at most %d are allowed", name, v.Length(), maxMarks)
	}
	items := make([]int, v.Length())
	for i := range items {
		item, err := f.find(v.Index(i))
		if err != nil {
			return nil, fmt.Errorf("%s, entry %d: %w", name, i+1, err)
		}
		items[i] = item
	}
	return items, nil
}

var modes = map[string]recommend.Mode{
	"for-you": recommend.ForYou, "hidden-gems": recommend.HiddenGems, "outside-bubble": recommend.OutsideBubble,
}

var orders = map[string]recommend.Order{
	"best": recommend.BestFirst, "known": recommend.BestKnown, "new": recommend.Newest,
	"title": recommend.ByTitle,
}

// request reads the argument of the method of that name.
func (f *finder) request(method string, v js.Value) (visit recommend.Visit, r recommend.Request, err error) {
	if v.Type() != js.TypeObject {
		return visit, r, fmt.Errorf("%s takes an object, such as {likes: [\"Heat\"], k: 10}", method)
	}
	for _, l := range []struct {
		name string
		to   *[]int
	}{{"likes", &visit.Likes}, {"dislikes", &visit.Dislikes}, {"seen", &visit.Seen}} {
		if *l.to, err = f.list(l.name, v.Get(l.name)); err != nil {
			return visit, r, err
		}
	}
	numbers := map[string]float64{}
	for _, n := range []struct {
		name           string
		min, max, zero float64
		whole          bool
	}{
		{"k", 1, maxResults, 10, true}, {"fromYear", -10_000, 10_000, 0, true}, {"toYear", -10_000, 10_000, 0, true},
		{"diversity", 0, 1, 0, false}, {"exploration", 0, 1, 0, false}, {"seed", 0, 1 << 53, 0, true},
		{"skip", 0, maxResults, 0, true},
	} {
		if numbers[n.name], err = number(n.name, v.Get(n.name), n.min, n.max, n.zero, n.whole); err != nil {
			return visit, r, err
		}
	}
	r = recommend.Request{
		K: int(numbers["k"]), Diversity: numbers["diversity"], Exploration: numbers["exploration"],
		Seed: uint64(numbers["seed"]), Skip: int(numbers["skip"]),
		Filter: recommend.Filter{FromYear: int(numbers["fromYear"]), ToYear: int(numbers["toYear"])},
	}
	if mode := v.Get("mode"); !mode.IsUndefined() {
		var known bool
		if r.Mode, known = modes[mode.String()]; !known {
			return visit, r, fmt.Errorf("mode is %q; it must be \"for-you\", \"hidden-gems\" or \"outside-bubble\"",
				mode.String())
		}
	}
	if order := v.Get("order"); !order.IsUndefined() {
		var known bool
		if r.Order, known = orders[order.String()]; !known {
			return visit, r, fmt.Errorf("order is %q; it must be \"best\", \"known\", \"new\" or \"title\"",
				order.String())
		}
	}
	if r.Instead, err = f.list("instead", v.Get("instead")); err != nil {
		return visit, r, err
	}
	if r.Filter.Genres, err = texts("genres", v.Get("genres")); err != nil {
		return visit, r, err
	}
	if where := v.Get("where"); where.Type() == js.TypeObject {
		r.Filter.Columns = map[string]string{}
		keys := js.Global().Get("Object").Call("keys", where)
		for i := range keys.Length() {
			key := keys.Index(i).String()
			r.Filter.Columns[key] = js.Global().Get("String").Invoke(where.Get(key)).String()
		}
	} else if !where.IsUndefined() {
		return visit, r, fmt.Errorf("where must be an object of columns and the text that each must equal")
	}
	return visit, r, nil
}

func number(name string, v js.Value, min, max, zero float64, whole bool) (float64, error) {
	if v.IsUndefined() || v.IsNull() {
		return zero, nil
	}
	if v.Type() == js.TypeNumber {
		if x := v.Float(); x >= min && x <= max && (!whole || x == math.Trunc(x)) {
			return x, nil
		}
	}
	kind := "a number"
	if whole {
		kind = "a whole number"
	}
	return 0, fmt.Errorf("%s must be %s between %v and %v", name, kind, min, max)
}

func texts(name string, v js.Value) ([]string, error) {
	if v.IsUndefined() || v.IsNull() {
		return nil, nil
	}
	if !js.Global().Get("Array").Call("isArray", v).Bool() || v.Length() > maxMarks {
		return nil, fmt.Errorf("%s must be an array of texts", name)
	}
	out := make([]string, v.Length())
	for i := range out {
		if t := v.Index(i); t.Type() != js.TypeString {
			return nil, fmt.Errorf("%s, entry %d must be a text", name, i+1)
		}
		out[i] = v.Index(i).String()
	}
	return out, nil
}
