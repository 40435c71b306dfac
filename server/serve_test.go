package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPortTaken(t *testing.T) {
	first, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, err = Listen(first.Addr().String())
	var taken *PortTakenError
	if !errors.As(err, &taken) {
		t.Fatalf("want a PortTakenError, got %v", err)
	}
	if port := first.Addr().(*net.TCPAddr).Port; taken.Port != port {
		t.Errorf("the error has port %d, want %d", taken.Port, port)
	}
	if e := (&PortTakenError{"localhost:8080", 8080}).Error(); !strings.HasPrefix(e,
		"Port 8080 is already in use. Set PORT to another, for example: PORT=8081 make run") {
		t.Error(e)
	}
	if e := (&PortTakenError{"localhost:65535", 65535}).Error(); strings.Contains(e, "65536") {
		t.Error(e)
	}
}

func TestListenErrors(t *testing.T) {
	for _, address := range []string{"127.0.0.1:99999", "127.0.0.1:http-not", "no colon"} {
		l, err := Listen(address)
		if err == nil {
			l.Close()
			t.Errorf("listening on %q succeeded", address)
		} else if !strings.Contains(err.Error(), address) {
			t.Errorf("the error lacks %q: %v", address, err)
		}
	}
}

// An answer in progress at the stop is finished; afterwards nothing listens.
func TestGracefulShutdown(t *testing.T) {
	started, release := make(chan bool), make(chan bool)
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(started)
		<-release
		_, _ = io.WriteString(w, "whole")
	})
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, l, slow, Limits{}, slog.New(slog.DiscardHandler)) }()
	type answer struct {
		body string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		resp, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			got <- answer{"", err}
			return
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		got <- answer{string(body), err}
	}()
	<-started
	stop()
	select {
	case err := <-done:
		t.Fatalf("Serve returned (%v) while an answer was in progress", err)
	default:
	}
	close(release)
	if a := <-got; a.body != "whole" || a.err != nil {
		t.Errorf("the answer in progress was %q, %v", a.body, a.err)
	}
	if err := <-done; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("the port still accepts connections after the shutdown")
	}
}

func TestServeReportsALostListener(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := Serve(t.Context(), l, http.NotFoundHandler(), Limits{}, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("no error although the listener was closed")
	}
}

// The log describes requests, but not visitors.
func TestLogHasNoPersonalData(t *testing.T) {
	h, err := New(testSite(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	logged := Logged(h, slog.New(slog.NewTextHandler(&lines, nil)))
	r := httptest.NewRequest("GET", "/index.html?token=SECRET", nil)
	r.Header.Set("User-Agent", "SECRET")
	r.Header.Set("Referer", "http://SECRET/")
	r.Header.Set("Cookie", "SECRET")
	r.Header.Set("Accept-Encoding", "br")
	r.RemoteAddr = "192.0.2.7:1234"
	logged.ServeHTTP(httptest.NewRecorder(), r)
	logged.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/"+strings.Repeat("x", 5000), nil))
	text := lines.String()
	for _, must := range []string{"method=GET", "path=/index.html", "status=200", "encoding=br", "status=404"} {
		if !strings.Contains(text, must) {
			t.Errorf("the log lacks %s:\n%s", must, text)
		}
	}
	if strings.Contains(text, "SECRET") || strings.Contains(text, "192.0.2.7") {
		t.Errorf("the log contains personal data:\n%s", text)
	}
	if len(text) > 1000 {
		t.Errorf("a long address makes the log long: %d bytes", len(text))
	}
}

func TestPanicIsLoggedAndAnswered(t *testing.T) {
	var lines bytes.Buffer
	h := Logged(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a mistake") }),
		slog.New(slog.NewTextHandler(&lines, nil)))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 500 || !strings.Contains(lines.String(), "a mistake") {
		t.Errorf("status %d, log:\n%s", w.Code, lines.String())
	}
}
