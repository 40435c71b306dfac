package api

import (
	"fmt"
	"net/http"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

// similar answers GET /v1/similar/{id}.
func (h *Handler) similar(r *http.Request) (ask, error) {
	p, err := readParameters(r, "k")
	if err != nil {
		return nil, err
	}
	k, err := p.count("k")
	if err != nil {
		return nil, err
	}
	return similarTo(r.PathValue("id"), func(*intake.Turn) (query.JSON, error) {
		return query.JSON{V: map[string]any{"k": float64(k)}}, nil
	}), nil
}

var similarShape = query.SimilarShape()

// similarTold answers POST /v1/similar/{id}, whose body has the visitor's marks and rules.
func (h *Handler) similarTold(r *http.Request) (ask, error) {
	if err := noParameters(r); err != nil {
		return nil, err
	}
	return similarTo(r.PathValue("id"), func(t *intake.Turn) (query.JSON, error) {
		return t.Request(similarShape)
	}), nil
}

// similarTo lists the items similar to id, with the options that read returns.
func similarTo(id string, read func(*intake.Turn) (query.JSON, error)) ask {
	return func(m *loaded, t *intake.Turn) (any, error) {
		i, ok := m.engine.IDs()[id]
		if !ok {
			return nil, &problem{http.StatusNotFound, "id",
				fmt.Sprintf("the catalogue has no item %q", brief.Text(id))}
		}
		options, err := read(t)
		if err != nil {
			return nil, err
		}
		reader := m.reader()
		mentioned, k, err := reader.ReadSimilar(options)
		if err != nil {
			return nil, err
		}
		engine, err := reader.Rules(options.Field("rules"))
		if err != nil {
			return nil, err
		}
		return m.suggestions(engine.Similar(i, mentioned, k), reader.Unknown), nil
	}
}
