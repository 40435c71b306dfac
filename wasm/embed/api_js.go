//go:build js && wasm

package main

import (
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/wasm/internal/jsquery"
)

// methods are those of Recommender in package/pmlam.d.ts, which says what they take and answer.
var methods = map[string]func(o *opened, first, second js.Value) (any, error){
	"recommend": (*opened).recommend,
	"together":  (*opened).together,
	"similar":   (*opened).similar,
	"search":    (*opened).search,
	"find":      (*opened).find,
	"item":      (*opened).named,
	"about":     func(o *opened, _, _ js.Value) (any, error) { return about(o.engine), nil },
}

func (o *opened) recommend(question, _ js.Value) (any, error) {
	r := o.reader()
	visit, request, err := r.Read("recommend", jsquery.Value{V: question})
	if err != nil {
		return nil, err
	}
	engine, err := r.Rules(jsquery.Value{V: question}.Field("rules"))
	if err != nil {
		return nil, err
	}
	return list(o.suggestions(engine.Recommend(visit, engine.Taste(visit, nil), request)), o.unknown(r.Unknown)), nil
}

func (o *opened) together(one, other js.Value) (any, error) {
	r := o.reader()
	first, request, err := r.Read("together", jsquery.Value{V: one})
	if err != nil {
		return nil, err
	}
	second, _, err := r.Read("together", jsquery.Value{V: other})
	if err != nil {
		return nil, err
	}
	engine, err := r.Rules(jsquery.Value{V: one}.Field("rules"))
	if err != nil {
		return nil, err
	}
	shared := engine.Together(first, second, engine.Taste(first, nil), engine.Taste(second, nil), request)
	items := make([]any, len(shared))
	for i, s := range shared {
		it := o.describe(s.Item)
		it["each"], it["pinned"] = o.suggestions(s.Each[:]), s.Each[0].Pinned
		items[i] = it
	}
	return list(items, o.unknown(r.Unknown)), nil
}

func (o *opened) similar(item, options js.Value) (any, error) {
	i, err := o.item(item)
	if err != nil {
		return nil, err
	}
	if options.Type() != js.TypeObject {
		options = js.ValueOf(map[string]any{"k": options}) // a number, or nothing
	}
	r := o.reader()
	mentioned, k, err := r.ReadSimilar(jsquery.Value{V: options})
	if err != nil {
		return nil, err
	}
	engine, err := r.Rules(jsquery.Value{V: options}.Field("rules"))
	if err != nil {
		return nil, err
	}
	return list(o.suggestions(engine.Similar(i, mentioned, k)), o.unknown(r.Unknown)), nil
}

func (o *opened) search(typed, limit js.Value) (any, error) {
	words, n, err := searched(typed, limit)
	if err != nil {
		return nil, err
	}
	items := []any{}
	for _, hit := range o.engine.Search(words, n) {
		it := o.describe(hit.Item)
		it["score"] = hit.Score
		items = append(items, it)
	}
	return list(items, nil), nil
}

func (o *opened) find(title, _ js.Value) (any, error) {
	typed, err := text("find", title)
	if err != nil {
		return nil, err
	}
	i, err := o.engine.Find(typed)
	if err != nil {
		return nil, coded{"unknown-item", err}
	}
	return o.describe(i), nil
}

func (o *opened) named(id, _ js.Value) (any, error) {
	i, err := o.item(id)
	if err != nil {
		return nil, err
	}
	return o.describe(i), nil
}

// list is the answer of items, with the ids of the question that the model does not have.
func list(items []any, unknown []string) map[string]any {
	return map[string]any{"items": items, "unknown": texts(unknown)}
}

// describe returns all that the catalogue says of item i; further columns that are empty are left out.
func (o *opened) describe(i int) map[string]any {
	it := o.engine.Item(i)
	columns, names := map[string]any{}, o.engine.Columns()
	for c, value := range it.Values {
		if value != "" {
			columns[names[c]] = value
		}
	}
	out := map[string]any{
		"id": it.ID, "title": it.Title, "year": nil, "genres": texts(it.Genres), "columns": columns,
		"new": it.Count == 0,
	}
	if it.Year != 0 {
		out["year"] = it.Year
	}
	return out
}

func (o *opened) suggestions(all []recommend.Suggestion) []any {
	out := make([]any, len(all))
	for i, s := range all {
		it := o.describe(s.Item)
		it["distance"], it["match"], it["spread"] = s.Distance, s.Match, s.Spread
		it["chance"], it["certainty"], it["pinned"] = nil, nil, s.Pinned
		if word := s.Certainty.String(); word != "" {
			it["chance"], it["certainty"] = s.Chance, word
		}
		because := make([]any, len(s.Reasons))
		for j, r := range s.Reasons {
			liked := o.describe(r.Item)
			liked["share"] = r.Share
			because[j] = liked
		}
		it["because"], it["general"] = because, s.General
		out[i] = it
	}
	return out
}

func texts(all []string) []any {
	out := make([]any, len(all))
	for i, s := range all {
		out[i] = s
	}
	return out
}

func about(engine *recommend.Recommender) map[string]any {
	a := engine.About()
	metrics := map[string]any{}
	for name, value := range a.Metrics {
		metrics[name] = value
	}
	return map[string]any{
		"dataset": a.Dataset, "users": a.Users, "items": a.Items, "positives": a.Positives, "trained": a.Trained,
		"program": a.Program, "preset": a.Preset, "metrics": metrics, "licence": a.Licence,
		"attribution": a.Attribution, "digest": a.Digest, "scan": a.Scan,
		"columns": texts(engine.Columns()), "genres": texts(engine.Genres()),
	}
}
