package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Rejections repeat only a short part of the request.
func TestRejectionsAreShort(t *testing.T) {
	h := shared(t)
	long := strings.Repeat("x", 100_000)
	in := strings.Repeat("y", 4_000) // the maximum length of an id
	bodies := []string{
		`{"%s": 1}`, `{"mode": "%s"}`, `{"order": "%s"}`, `{"where": {"%s": "1"}}`, `{"where": {"%s": []}}`,
		`{"likes": [{"%s": 1}]}`, `{"genres": [{"%s": 1}]}`, `{"k": "%s"}`, `{"rules": {"%s": 1}}`, `{"rules": {"inStock": "%s"}}`,
		`{"rules": {"boost": [{"%s": 1}]}}`, `{"rules": {"boost": [{"column": "%s", "weight": 1}]}}`,
		`{"rules": {"boost": [{"column": "%s", "weight": 1000}]}}`, `{"rules": {"boost": [{"column": "a", "value": "%s"}]}}`,
		`{"rules": {"atMost": {"%s": 1}}}`, `{"rules": {"atMost": {"n": 1, "column": "%s"}}}`, `{"%s": nul`, `{"%s": {"`, `"%s`, `%s`,
		`{"likes": [{"%s": [{"a": "\x"}]}]}`, `{"where": {"%[1]s": "1", "%[1]s": "2"}}`,
	}
	asked := 0
	for _, text := range []string{long, in} {
		for _, target := range []string{"/v1/recommend", "/v1/similar/1"} {
			for _, body := range bodies {
				r := httptest.NewRequest("POST", target, strings.NewReader(fmt.Sprintf(body, text)))
				r.Header.Set("Content-Type", "application/json")
				refusedBriefly(t, h, r, body)
				asked++
			}
		}
		for _, target := range []string{
			"/v1/search?q=%s", "/v1/search?%s=1", "/v1/search?q=a&limit=%s", "/v1/similar/1?%s", "/v1/similar/1?k=%s",
			"/v1/recommend?%s=1", "/v1/similar/%s", "/v1/%s", "/v1/openapi.json/%s",
		} {
			refusedBriefly(t, h, httptest.NewRequest("GET", fmt.Sprintf(target, text), nil), target)
			asked++
		}
	}
	r := httptest.NewRequest("POST", "/v1/similar/"+url.PathEscape(strings.Repeat("é", 5000)), strings.NewReader("{}"))
	r.Header.Set("Content-Type", "application/json; "+long)
	refusedBriefly(t, h, r, "an id")
	t.Logf("%d requests", asked+1)
}

func refusedBriefly(t *testing.T, h *Handler, r *http.Request, name string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code < 400 || w.Code >= 500 || w.Body.Len() > 700 {
		t.Errorf("%s: %d, %d bytes: %.300s", name, w.Code, w.Body.Len(), w.Body)
	}
}
