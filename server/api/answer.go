package api

import (
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/intake"
)

// ask works out the answer to a request by a model, in its turn: something that encode can write.
type ask func(m *loaded, t *intake.Turn) (any, error)

// The answers, in the words of wasm/embed/package/pmlam.d.ts.
type (
	item struct {
		ID     string   `json:"id"`
		Title  string   `json:"title"`
		Year   *int     `json:"year"` // null where it is not known
		Genres []string `json:"genres"`

		Columns map[string]string `json:"columns"` // the catalogue's further columns, those that are empty left out
		New     bool              `json:"new"`     // nobody had rated it when the model was made
	}
	reason struct {
		item
		Share float64 `json:"share"`
	}
	suggestion struct {
		item
		Distance  float64  `json:"distance"`
		Match     float64  `json:"match"`
		Chance    *float64 `json:"chance"` // null, as certainty, where it would rest on nothing
		Spread    float64  `json:"spread"`
		Certainty *string  `json:"certainty"`
		Because   []reason `json:"because"`
		General   float64  `json:"general"` // the share of what people like in general, beside those of Because
		Pinned    bool     `json:"pinned"`  // the rules put it first
	}
	found struct {
		item
		Score float64 `json:"score"`
	}
	suggestions struct {
		Model   string       `json:"model"` // the digest of the one that answered
		Items   []suggestion `json:"items"`
		Unknown []string     `json:"unknown"` // ids of the request that it does not have
	}
	finds struct {
		Model string  `json:"model"`
		Items []found `json:"items"`
	}
)

func (m *loaded) item(i int) item {
	it := m.engine.Item(i)
	out := item{ID: it.ID, Title: it.Title, Genres: it.Genres, Columns: map[string]string{}, New: it.Count == 0}
	columns := m.engine.Columns()
	for c, value := range it.Values {
		if value != "" {
			out.Columns[columns[c]] = value
		}
	}
	if it.Year != 0 {
		out.Year = &it.Year
	}
	return out
}

func (m *loaded) suggestions(list []recommend.Suggestion) []suggestion {
	out := make([]suggestion, len(list))
	for i, s := range list {
		o := suggestion{item: m.item(s.Item), Distance: s.Distance, Match: s.Match, Spread: s.Spread,
			General: s.General, Pinned: s.Pinned}
		if word := s.Certainty.String(); word != "" {
			o.Chance, o.Certainty = &list[i].Chance, &word
		}
		for _, r := range s.Reasons {
			o.Because = append(o.Because, reason{m.item(r.Item), r.Share})
		}
		out[i] = o
	}
	return out
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
