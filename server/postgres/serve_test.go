package postgres

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	shape "github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/server/intake"
)

// post sends a request to a handler and returns the status and the body.
func post(h http.Handler, body string) (int, string) {
	r := httptest.NewRequest("POST", "/v1/recommend", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Over HTTP the lists equal the exact scan's, for visitors of every kind.
func TestHandlerMatchesTheExactScan(t *testing.T) {
	url := database(t)
	m, schema := movielens(t), schemaOf(t, connect(t, url))
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), connect(t, url), schema, m); err != nil {
		t.Fatal(err)
	}
	h := Handler(open(t, url, schema), slog.New(slog.DiscardHandler))
	same, all := 0, 0
	for _, q := range questions(m, r, 10) {
		v := byID(m, q.visit)
		body, err := json.Marshal(map[string]any{
			"likes": list(v.Likes), "dislikes": list(v.Dislikes), "seen": list(v.Seen), "k": 7,
			"genres": list(q.filter.Genres), "fromYear": q.filter.FromYear, "toYear": q.filter.ToYear,
			"recent": list(v.Recent), "again": v.Again,
		})
		if err != nil {
			t.Fatal(err)
		}
		status, got := post(h, string(body))
		var a answers
		if err := json.Unmarshal([]byte(got), &a); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %.200s, %v", q.name, status, got, err)
		}
		if a.Model != m.Digest || len(a.Unknown) > 0 {
			t.Errorf("%s: model %s, unknown %v", q.name, a.Model, a.Unknown)
		}
		taste := r.Taste(q.visit, nil)
		want := r.Recommend(q.visit, taste, recommend.Request{K: 7, Filter: q.filter, Bare: true})
		all++
		if slices.EqualFunc(a.Items, want, func(i shape.Nearest, w recommend.Suggestion) bool {
			it := m.Catalogue.Items[w.Item]
			return i.ID == it.ID && i.Title == it.Title
		}) {
			same++
		}
	}
	if same*100 < 95*all {
		t.Errorf("only %d of %d lists equal the exact scan's", same, all)
	}
}

// Errors in a request are sentences that name the field, and unknown ids are reported.
func TestHandlerRejects(t *testing.T) {
	url := database(t)
	schema := schemaOf(t, connect(t, url))
	if _, err := Export(t.Context(), connect(t, url), schema, small(t, 60, "digest")); err != nil {
		t.Fatal(err)
	}
	h := Handler(open(t, url, schema), slog.New(slog.DiscardHandler))
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"likes": ["none", "1", "none", "other"], "k": 2}`, 200, `"unknown":["none","other"]`},
		{`{}`, 200, `"model":"digest"`},
		{`{"mode": "surprise"}`, 400, `"field":"mode"`},
		{`{"likes": [1, {"id": "260"}], "seen": null}`, 200, `"unknown":[]`}, // ids as in the server
		{`{"likes": "1"}`, 400, `likes must be an array of ids`},
		{`{"likes": [null]}`, 400, `"field":"likes"`},
		{`{"likes": ["1"], "likes": ["2"]}`, 400, `a duplicate`},
		{`{"b": 1, "a": 1}`, 400, `"field":"b"`},
		{`{"likes": ["a\u0000b"]}`, 400, `a zero byte`},
		{`{"k": 0}`, 400, `"field":"k"`},
		{`{"k": 1.5}`, 400, `"field":"k"`},
		{`{"fromYear": 123456789012}`, 400, `"field":"fromYear"`},
		{`{"genres": ["Dramma"]}`, 400, `no item has the genre \"Dramma\"`},
		{`{"where": {"colour": "red"}}`, 400, `no item has the column \"colour\"`},
		{`{"where": {"colour": []}}`, 400, `"field":"where"`},
		{`{"seen": [` + strings.Repeat(`"1",`, intake.MaxMarks) + `"1"]}`, 400, `at most 4096`},
		{`{"again": 1}`, 400, `"field":"again"`},
		{`[]`, 400, `must be a JSON object`},
		{`{"likes": [`, 400, `not JSON`},
		{`null`, 400, `must be a JSON object`},
		{`{"likes": ["` + strings.Repeat("x", intake.MaxBody) + `"]}`, 413, `longer than 1048576 bytes`},
	} {
		if status, got := post(h, c.body); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%.60s: %d %.200s, want %d %s", c.body, status, got, c.status, c.want)
		}
	}
	for _, c := range []struct {
		method, path, kind string
		status             int
	}{
		{"GET", "/v1/recommend", "", 405}, {"POST", "/v1/recommend", "text/plain", 415},
		{"POST", "/v1/recommend?k=3", "application/json", 400}, {"POST", "/v1/other", "application/json", 404},
		{"GET", "/healthz", "", 200}, {"GET", "/readyz", "", 200},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader("{}"))
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.status {
			t.Errorf("%s %s: %d %s, want %d", c.method, c.path, w.Code, w.Body, c.status)
		}
	}
}

// While the database is unavailable, questions get 503 and their content is not logged; once it is back, they are
// answered.
func TestHandlerWithoutDatabase(t *testing.T) {
	folder := t.TempDir()
	first, err := startServer(folder, "")
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	conn := connect(t, first.url())
	if _, err := Export(t.Context(), conn, "pmlam", small(t, 60, "digest")); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	var log bytes.Buffer
	h := Handler(open(t, first.url(), "pmlam"), slog.New(slog.NewTextHandler(&log, nil)))
	const asked = `{"likes": ["1", "SECRET"]}`
	status, before := post(h, asked)
	if status != 200 {
		t.Fatalf("%d %s", status, before)
	}
	first.stop()
	if status, got := post(h, asked); status != 503 || !strings.Contains(got, "ask again") {
		t.Errorf("while unavailable: %d %s", status, got)
	}
	r := httptest.NewRecorder()
	if h.ServeHTTP(r, httptest.NewRequest("GET", "/readyz", nil)); r.Code != 503 || r.Header().Get("Retry-After") == "" {
		t.Errorf("readyz while unavailable: %d %v", r.Code, r.Header())
	}
	second, err := startServer(folder, first.port)
	if err != nil {
		t.Fatal(err)
	}
	defer second.kill()
	if status, after := post(h, asked); status != 200 || after != before {
		t.Errorf("once back: %d %s, want %s", status, after, before)
	}
	if log.Len() == 0 || strings.Contains(log.String(), "SECRET") {
		t.Errorf("the log is %q", log.String())
	}
}
