package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// turn takes one of the turns of h until leave is called.
func turn(t *testing.T, h *Handler) (leave func()) {
	t.Helper()
	got, err := h.queue.Enter(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	return got.Leave
}

func TestTooManyQuestionsAreRefused(t *testing.T) {
	h, err := New(shipped, Options{AtOnce: 1, Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	leave := turn(t, h)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/similar/1", nil))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
	if w.Code != 200 {
		t.Errorf("healthz while busy: %d", w.Code)
	}
	leave()
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/similar/1", nil))
	if w.Code != 200 || h.queue.Working() != 0 {
		t.Errorf("afterwards: %d, %d turns taken", w.Code, h.queue.Working())
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{AtOnce: -1}, {Wait: -1}, {Prefix: "/a{b}/"}, {Origins: []string{"*"}}} {
		if _, err := New(shipped, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
