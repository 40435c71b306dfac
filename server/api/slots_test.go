package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestTooManyQuestionsAreRefused(t *testing.T) {
	h, err := New(shipped, Options{AtOnce: 1, Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	h.slots.free <- struct{}{}
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
	<-h.slots.free
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/similar/1", nil))
	if w.Code != 200 || len(h.slots.free) != 0 {
		t.Errorf("afterwards: %d, %d turns taken", w.Code, len(h.slots.free))
	}
}

// A client that has gone waits no longer.
func TestWhoHasGoneDoesNotWait(t *testing.T) {
	s := slots{free: make(chan struct{}, 1), wait: time.Hour}
	if err := s.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.take(ctx); err == nil {
		t.Error("two turns of one")
	}
	if s.giveBack(); s.waiting.Load() != 0 || len(s.free) != 0 {
		t.Error("a turn or a place in the queue is lost")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{AtOnce: -1}, {Wait: -1}, {Prefix: "/a{b}/"}, {Origins: []string{"*"}}} {
		if _, err := New(shipped, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
