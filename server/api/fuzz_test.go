package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// For any body the answer is JSON: a list or an error, never a failure.
func FuzzRecommend(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `{"likes":["1",6,{"id":"50"}],"k":3,"mode":"hidden-gems","where":{"imdbId":"1"}}`,
		`{"seed":1e400}`, `{"likes":[[]]}`, `{"k":-0}`, "{\"likes\":[\"\xff\"]}", `{"fromYear":1e3,"diversity":1,"instead":[1]}`,
		strings.Repeat("[", 2000), `{"likes":[1e300,-1e-9,0.1]}`, `{"where":{"a":null}}`,
	} {
		f.Add(s)
	}
	h := shared(f)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/v1/recommend", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		check(t, h, r)
	})
}

// The same for addresses.
func FuzzParameters(f *testing.F) {
	for _, s := range []string{"", "q=heat", "q=heat&limit=3", "k=0x1", "q=%ff%fe", "q=a;b", "limit=1e3&q=1", "k=+5"} {
		f.Add("1", s)
	}
	h := shared(f)
	f.Fuzz(func(t *testing.T, id, query string) {
		for _, path := range []string{"/v1/search", "/v1/similar/" + id} {
			r := httptest.NewRequest("GET", "/", nil)
			r.URL.Path, r.URL.RawQuery = path, query
			check(t, h, r)
		}
	})
}

func check(t *testing.T, h *Handler, r *http.Request) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code >= 300 && w.Code < 400 {
		return // an address that is not in canonical form
	}
	if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
		t.Fatalf("%s %q: %d %s", r.URL, r.URL.RawQuery, w.Code, w.Body)
	}
}
