package api

import (
	"net/http"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// recommend answers POST /v1/recommend.
func (h *Handler) recommend(r *http.Request) (ask, error) {
	if err := noParameters(r); err != nil {
		return nil, err
	}
	body, err := readJSON(r)
	if err != nil {
		return nil, err
	}
	return func(m *loaded) (any, error) {
		reader := query.Reader{
			Results: MaxResults, Marks: MaxMarks, Columns: m.engine.Columns(), IDs: m.byID,
		}
		visit, request, err := reader.Read("recommend", body)
		if err != nil {
			return nil, err
		}
		list := m.engine.Recommend(visit, m.engine.Taste(visit, nil), request)
		return suggestions{m.digest, m.suggestions(list), reader.Unknown}, nil
	}, nil
}
