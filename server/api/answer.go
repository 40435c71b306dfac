package api

import (
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/server/intake"
)

// ask works out the answer to a request by a model, in its turn: something that encode can write.
type ask func(m *loaded, t *intake.Turn) (any, error)

// What questions are answered with, see wasm/embed/package/pmlam.d.ts too.
type (
	suggestions = answer.Served[answer.Suggestion]
	finds       = answer.Finds
)

func (m *loaded) suggestions(list []recommend.Suggestion, unknown []string) suggestions {
	return suggestions{Model: m.digest,
		List: answer.List[answer.Suggestion]{Items: answer.Suggestions(m.engine, list), Unknown: unknown}}
}

// encode writes an answer as JSON; lists that are nil as [], and what is not UTF-8, such as a parameter that an error
// names, with U+FFFD in its place.
func encode(v any) ([]byte, error) {
	return json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
}

// setHeaders sets what goes with every answer. None is kept anywhere: it is one visitor's.
func setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}

// send sends JSON and returns the status.
func (h *Handler) send(w http.ResponseWriter, status int, body []byte) int {
	w.Header().Set("Content-Type", "application/json")
	h.queue.Send(w, status, body)
	return status
}
