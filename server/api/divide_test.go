package api

import (
	"context"
	"log/slog"
	"strings"
	"testing"
)

// signal tells of each message of a log.
type signal struct {
	slog.Handler
	said chan string
}

func (s signal) Handle(_ context.Context, r slog.Record) error {
	s.said <- r.Message
	return nil
}

// A large model is divided into cells while it answers, and so is the next; one that was replaced meanwhile is not used
// again.
func TestLargeModelsAreDivided(t *testing.T) {
	defer func(n int) { divided = n }(divided)
	divided = 1
	said := make(chan string, 64)
	file := modelFile(t, other(t, "The first"))
	h, err := New(file, Options{Log: slog.New(signal{slog.NewTextHandler(&strings.Builder{}, nil), said})})
	if err != nil {
		t.Fatal(err)
	}
	digest := h.model.Load().digest
	wait := func() {
		t.Helper()
		for message := range said {
			if strings.HasPrefix(message, "lists come from cells") {
				return
			}
		}
	}
	wait()
	first := h.model.Load()
	if first.digest != digest {
		t.Error("the model was replaced by another")
	}
	if status, body := post(h, `{"likes": ["1"], "k": 3}`); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	place(t, file, other(t, "The second"))
	if err := h.Reload(); err != nil {
		t.Fatal(err)
	}
	h.divide(t.Context(), first) // ends too late
	wait()
	if h.model.Load().digest == digest {
		t.Error("a replaced model is back")
	}
}
