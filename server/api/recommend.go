package api

import "net/http"

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
		return suggestions{m.digest, m.suggestions(list), reader.Unknown}, nil
	}, nil
}
