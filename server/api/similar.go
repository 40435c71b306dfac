package api

import (
	"fmt"
	"net/http"
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
	id := r.PathValue("id")
	return func(m *loaded) (any, error) {
		i, ok := m.byID[id]
		if !ok {
			return nil, &problem{http.StatusNotFound, "id", fmt.Sprintf("the catalogue has no item %q", id)}
		}
		return suggestions{m.digest, m.suggestions(m.engine.Similar(i, k)), nil}, nil
	}, nil
}
