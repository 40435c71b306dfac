//go:build js && wasm

package main

import (
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/wasm/internal/jsquery"
)

// methods are the methods of Recommender, as documented in package/pmlam.d.ts.
var methods = map[string]func(o *opened, first, second js.Value) (any, error){
	"recommend": (*opened).recommend,
	"together":  (*opened).together,
	"similar":   (*opened).similar,
	"search":    (*opened).search,
	"find":      (*opened).find,
	"item":      (*opened).named,
	"about":     func(o *opened, _, _ js.Value) (any, error) { return answer.AboutModel(o.engine).Values(), nil },
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
	best := engine.Recommend(visit, engine.Taste(visit, nil), request)
	return answer.ListValues(answer.Suggestions(o.engine, best), o.unknown(r.Unknown)), nil
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
	return answer.ListValues(answer.Together(o.engine, shared), o.unknown(r.Unknown)), nil
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
	return answer.ListValues(answer.Suggestions(o.engine, engine.Similar(i, mentioned, k)), o.unknown(r.Unknown)), nil
}

func (o *opened) search(typed, limit js.Value) (any, error) {
	words, n, err := searched(typed, limit)
	if err != nil {
		return nil, err
	}
	return answer.ListValues(answer.Search(o.engine, o.engine.Search(words, n)), nil), nil
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
	return answer.Describe(o.engine, i).Values(), nil
}

func (o *opened) named(id, _ js.Value) (any, error) {
	i, err := o.item(id)
	if err != nil {
		return nil, err
	}
	return answer.Describe(o.engine, i).Values(), nil
}
