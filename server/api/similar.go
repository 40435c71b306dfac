package api

import (
	"fmt"
	"net/http"

	"github.com/pmlam/pmlam/core/recommend/query"
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
	return similarTo(r.PathValue("id"), query.JSON{V: map[string]any{"k": float64(k)}}), nil
}

// similarTold answers POST /v1/similar/{id}, whose body has what the visitor has mentioned, and rules.
func (h *Handler) similarTold(r *http.Request) (ask, error) {
	if err := noParameters(r); err != nil {
		return nil, err
	}
	body, err := readJSON(r)
	if err != nil {
		return nil, err
	}
	return similarTo(r.PathValue("id"), body), nil
}

// similarTo lists what is like the item of the id.
func similarTo(id string, options query.JSON) ask {
	return func(m *loaded) (any, error) {
		i, ok := m.engine.IDs()[id]
		if !ok {
			return nil, &problem{http.StatusNotFound, "id", fmt.Sprintf("the catalogue has no item %q", id)}
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
		return suggestions{m.digest, m.suggestions(engine.Similar(i, mentioned, k)), reader.Unknown}, nil
	}
}
