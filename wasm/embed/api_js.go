//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
)

var errQuery = errors.New("search takes a text")

// newAPI returns what assets/js/loader/pmlam.js builds its class on: one function per method of Recommender.
func newAPI(engine *recommend.Recommender) map[string]any {
	f := newFinder(engine)
	return map[string]any{
		"length": engine.Len(),
		"recommend": answer(func(args []js.Value) (any, error) {
			visit, request, err := f.request("recommend", argument(args, 0))
			if err != nil {
				return nil, err
			}
			return suggestions(engine, engine.Recommend(visit, engine.Taste(visit, nil), request)), nil
		}),
		"together": answer(func(args []js.Value) (any, error) {
			first, request, err := f.request("together", argument(args, 0))
			if err != nil {
				return nil, err
			}
			second, _, err := f.request("together", argument(args, 1))
			if err != nil {
				return nil, err
			}
			list := engine.Together(first, second, engine.Taste(first, nil), engine.Taste(second, nil), request)
			out := make([]any, len(list))
			for i, s := range list {
				o := item(engine, s.Item)
				o["each"] = suggestions(engine, s.Each[:])
				out[i] = o
			}
			return out, nil
		}),
		"similar": answer(func(args []js.Value) (any, error) {
			item, err := f.find(value{argument(args, 0)})
			if err != nil {
				return nil, err
			}
			k, err := count("k", argument(args, 1))
			if err != nil {
				return nil, err
			}
			return suggestions(engine, engine.Similar(item, k)), nil
		}),
		"search": answer(func(args []js.Value) (any, error) {
			text := argument(args, 0)
			if text.Type() != js.TypeString {
				return nil, errQuery
			}
			limit, err := count("limit", argument(args, 1))
			if err != nil {
				return nil, err
			}
			found := []any{}
			for _, hit := range engine.Search(text.String(), limit) {
				o := item(engine, hit.Item)
				o["score"] = hit.Score
				found = append(found, o)
			}
			return found, nil
		}),
		"find": answer(func(args []js.Value) (any, error) {
			i, err := f.find(value{argument(args, 0)})
			if err != nil {
				return nil, err
			}
			return item(engine, i), nil
		}),
		"about": answer(func([]js.Value) (any, error) { return about(engine.About()), nil }),
	}
}

func item(engine *recommend.Recommender, i int) map[string]any {
	it := engine.Item(i)
	genres := make([]any, len(it.Genres))
	for j, g := range it.Genres {
		genres[j] = g
	}
	o := map[string]any{"id": it.ID, "title": it.Title, "year": nil, "genres": genres}
	if it.Year != 0 {
		o["year"] = it.Year
	}
	return o
}

func suggestions(engine *recommend.Recommender, list []recommend.Suggestion) []any {
	out := make([]any, len(list))
	for i, s := range list {
		o := item(engine, s.Item)
		o["distance"], o["match"], o["spread"] = s.Distance, s.Match, s.Spread
		o["chance"], o["certainty"] = nil, nil
		if word, ok := query.Certainty(s.Certainty); ok {
			o["chance"], o["certainty"] = s.Chance, word
		}
		because := make([]any, len(s.Reasons))
		for j, r := range s.Reasons {
			liked := item(engine, r.Item)
			liked["share"] = r.Share
			because[j] = liked
		}
		o["because"] = because
		out[i] = o
	}
	return out
}

func about(a recommend.About) map[string]any {
	metrics := map[string]any{}
	for name, value := range a.Metrics {
		metrics[name] = value
	}
	return map[string]any{
		"dataset": a.Dataset, "users": a.Users, "items": a.Items, "positives": a.Positives, "trained": a.Trained,
		"program": a.Program, "preset": a.Preset, "metrics": metrics, "licence": a.Licence,
		"attribution": a.Attribution, "digest": a.Digest, "scan": a.Scan,
	}
}
