package api

import (
	"net/http"

	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

var requestShape = query.RequestShape()

// recommend answers POST /v1/recommend.
func (h *Handler) recommend(r *http.Request) (ask, error) {
	if err := noParameters(r); err != nil {
		return nil, err
	}
	return func(m *loaded, t *intake.Turn) (any, error) {
		body, err := t.Request(requestShape)
		if err != nil {
			return nil, err
		}
		reader := m.reader()
		visit, request, err := reader.Read("recommend", body)
		if err != nil {
			return nil, err
		}
		engine, err := reader.Rules(body.Field("rules"))
		if err != nil {
			return nil, err
		}
		list := engine.Recommend(visit, engine.Taste(visit, nil), request)
		return m.suggestions(list, reader.Unknown), nil
	}, nil
}
