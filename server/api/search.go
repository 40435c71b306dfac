package api

import (
	"fmt"
	"net/http"

	"github.com/pmlam/pmlam/server/intake"
)

// search answers GET /v1/search.
func (h *Handler) search(r *http.Request) (ask, error) {
	p, err := readParameters(r, "q", "limit")
	if err != nil {
		return nil, err
	}
	text, ok := p["q"]
	if !ok {
		return nil, badField("q", "search takes a text: /v1/search?q=heat")
	}
	if len(text) > MaxQuery {
		return nil, badField("q", fmt.Sprintf("q is longer than %d bytes", MaxQuery))
	}
	limit, err := p.count("limit")
	if err != nil {
		return nil, err
	}
	return func(m *loaded, _ *intake.Turn) (any, error) {
		hits := m.engine.Search(text, limit)
		out := finds{m.digest, make([]found, len(hits))}
		for i, hit := range hits {
			out.Items[i] = found{m.item(hit.Item), hit.Score}
		}
		return out, nil
	}, nil
}
