package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server"
)

// start serves h as the command does, and returns its address and a function that stops it.
func start(t *testing.T, h http.Handler) (address string, stop func() error) {
	t.Helper()
	l, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l, h, server.Limits{}, slog.New(slog.DiscardHandler)) }()
	return "http://" + l.Addr().String(), sync.OnceValue(func() error { cancel(); return <-done })
}

// While clients send requests without a pause, the model is swapped repeatedly, with broken files in between. Every
// request is answered, each by one model, and in the end by the newest.
func TestSwapUnderLoadDropsNoRequest(t *testing.T) {
	contents := [][]byte{other(t, "The first"), other(t, "The second")}
	file := modelFile(t, contents[0])
	h, err := New(file, Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	titles := map[string]string{h.model.Load().digest: "The first"}
	id := h.model.Load().engine.Item(0).ID
	address, stop := start(t, h)
	defer func() { _ = stop() }()

	var mu sync.Mutex
	seen := map[string]int{}
	answered := make(chan bool, 1024)
	end := make(chan bool)
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			// The reasons name the like, whose title identifies the catalogue that answered.
			for {
				select {
				case <-end:
					return
				default:
				}
				resp, err := http.Post(address+"/v1/recommend", "application/json",
					strings.NewReader(`{"likes": ["`+id+`"], "k": 3}`))
				if err != nil {
					t.Error(err)
					return
				}
				data, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != 200 {
					t.Errorf("%d %v %s", resp.StatusCode, err, data)
					return
				}
				got := decode[suggestions](t, data)
				because := ""
				for _, s := range got.Items {
					for _, r := range s.Because {
						because = r.Title
					}
				}
				mu.Lock()
				if want, ok := titles[got.Model]; !ok || because != "" && because != want {
					t.Errorf("model %s (want a known one) has the title %q, want %q", got.Model, because, want)
				}
				if because != "" {
					seen[got.Model]++
				}
				mu.Unlock()
				answered <- true
			}
		})
	}
	for swap := range 6 {
		if swap%2 == 1 {
			place(t, file, contents[swap/2%2][:5000+swap])
			if err := h.Reload(); err == nil {
				t.Error("a broken file was accepted")
			}
		} else {
			at := (swap/2 + 1) % 2
			title := []string{"The first", "The second"}[at]
			place(t, file, contents[at])
			before := h.model.Load()
			// Its digest must be known before the first client sees it.
			m, _, err := load(file, recommend.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			titles[m.digest] = title
			mu.Unlock()
			if err := h.Reload(); err != nil || h.model.Load() == before {
				t.Errorf("swap %d: %v, still the old model", swap, err)
			}
		}
		for range 20 {
			select {
			case <-answered:
			case <-time.After(time.Minute):
				t.Fatal("the answers stopped")
			}
		}
	}
	close(end)
	go func() {
		for range answered {
		}
	}()
	clients.Wait()
	close(answered)
	if len(titles) != 2 || len(seen) != 2 {
		t.Errorf("there were %d models and %d answered, want 2", len(titles), len(seen))
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// An unusable file leaves the old model in place and is logged.
func TestBrokenModelKeepsTheOldOne(t *testing.T) {
	good, err := os.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	file := modelFile(t, good)
	var log bytes.Buffer
	h, err := New(file, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	old := h.model.Load()
	for name, content := range map[string][]byte{
		"cut off": good[:len(good)-1], "empty": {}, "damaged": flipped, "another file": []byte("<html>"),
	} {
		log.Reset()
		place(t, file, content)
		if err := h.Reload(); err == nil || h.model.Load() != old || !strings.Contains(log.String(), "the old one continues") {
			t.Errorf("%s: %v, log %s", name, err, log.String())
		}
		if _, err := New(file, Options{}); err == nil {
			t.Errorf("%s: New accepted it", name)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := h.Reload(); !errors.Is(err, os.ErrNotExist) || h.model.Load() != old {
		t.Errorf("without a file: %v", err)
	}
	place(t, file, good)
	if err := h.Reload(); err != nil || h.model.Load() != old || !strings.Contains(log.String(), "the same as before") {
		t.Errorf("the same file: %v, log %s", err, log.String())
	}
	if got := h.metrics.failed.Get(); got != 5 {
		t.Errorf("counted %d rejected loads, want 5", got)
	}
}

func TestWatchTakesANewFile(t *testing.T) {
	file := modelFile(t, other(t, "The first"))
	h, err := New(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	first := h.model.Load()
	ticks, done := make(chan time.Time), make(chan bool)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { h.Watch(ctx, ticks); close(done) }()
	// Receiving the second of two ticks means that the first was handled.
	look := func() { ticks <- time.Time{}; ticks <- time.Time{} }
	look()
	if h.model.Load() != first {
		t.Error("an unchanged file was loaded")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	look()
	place(t, file, []byte("half of it"))
	look()
	if h.model.Load() != first {
		t.Error("a broken file was accepted")
	}
	place(t, file, other(t, "The second"))
	look()
	if h.model.Load() == first || h.model.Load().engine.Item(0).Title != "The second" {
		t.Error("the new file was not accepted")
	}
	cancel()
	<-done
}

// A stop lets questions in progress finish.
func TestStopFinishesQuestions(t *testing.T) {
	h, err := New(shipped, Options{AtOnce: 1, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	address, stop := start(t, h)
	leave := turn(t, h) // the only turn
	type reply struct {
		code int
		err  error
	}
	got := make(chan reply, 1)
	go func() {
		resp, err := http.Get(address + "/v1/similar/1")
		if err != nil {
			got <- reply{0, err}
			return
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		got <- reply{resp.StatusCode, err}
	}()
	for h.queue.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	leave()
	if r := <-got; r.code != 200 || r.err != nil {
		t.Errorf("the question in progress: %+v", r)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(address + "/healthz"); err == nil {
		t.Error("it still answers after the stop")
	}
}
