package api

import (
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/server/intake"
)

// ask computes the answer to a request with a model, during its turn. The answer can be encoded as JSON.
type ask func(m *loaded, t *intake.Turn) (any, error)

// The answers; see also wasm/embed/package/pmlam.d.ts.
type (
	suggestions = answer.Served[answer.Suggestion]
	finds       = answer.Finds
)

func (m *loaded) suggestions(list []recommend.Suggestion, unknown []string) suggestions {
	return suggestions{Model: m.digest,
		List: answer.List[answer.Suggestion]{Items: answer.Suggestions(m.engine, list), Unknown: unknown}}
}

// encode writes an answer as JSON: nil lists as [], and invalid UTF-8, such as in a parameter that an error repeats, as
// U+FFFD.
func encode(v any) ([]byte, error) {
	return json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
}

// setHeaders sets the headers of every answer. Answers are never cached, because they belong to one visitor.
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
