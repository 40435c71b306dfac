package api

import (
	"fmt"
	"net/http"

	"github.com/pmlam/pmlam/core/recommend/answer"
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
		return nil, badField("q", "search needs a text: /v1/search?q=heat")
	}
	if len(text) > MaxQuery {
		return nil, badField("q", fmt.Sprintf("q is longer than %d bytes", MaxQuery))
	}
	limit, err := p.count("limit")
	if err != nil {
		return nil, err
	}
	return func(m *loaded, _ *intake.Turn) (any, error) {
		return finds{Model: m.digest, Items: answer.Search(m.engine, m.engine.Search(text, limit))}, nil
	}, nil
}
