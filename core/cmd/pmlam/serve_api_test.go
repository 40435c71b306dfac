package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lines is a log whose lines tests wait for.
type lines struct{ scanner *bufio.Scanner }

// until returns the next line that contains part.
func (l lines) until(t *testing.T, part string) string {
	t.Helper()
	for l.scanner.Scan() {
		if strings.Contains(l.scanner.Text(), part) {
			return l.scanner.Text()
		}
	}
	t.Fatalf("no log line with %q", part)
	return ""
}

// The command with a site and a model: both answer, SIGHUP reloads the model, requests are not in the log, and a stop
// is clean.
func TestAPIBesideTheSite(t *testing.T) {
	folder := testFolder(t)
	good, err := os.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "m.msgpack")
	if err := os.WriteFile(model, good, 0o600); err != nil {
		t.Fatal(err)
	}
	c := serveProcess(t, "--folder", folder, "--model", model, "--prefix", "/demo", "--address", "127.0.0.1:0")
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errors, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var kept bytes.Buffer
	log := lines{bufio.NewScanner(io.TeeReader(errors, &kept))}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(2*time.Minute, func() { _ = c.Process.Kill() })
	defer late.Stop()
	out := bufio.NewReader(pipe)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`http://127.0.0.1:\d+/demo/`).FindString(line)
	get := func(path, part string) {
		t.Helper()
		resp, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), part) {
			t.Errorf("%s: %v %.200s, want %q", path, err, body, part)
		}
	}
	get("", "<p>page")
	get("readyz", "ready")
	get("v1/similar/318?k=3", `"items":[{"id"`)
	get("v1/search?q=SECRET", `"items":[`)
	get("v1/similar/SECRET", `no item`)
	resp, err := http.Post(address+"v1/recommend", "application/json", strings.NewReader(`{"likes": ["SECRET", "1"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), `"unknown":["SECRET"]`) {
		t.Errorf("%v %.200s", err, body)
	}
	resp.Body.Close()

	hangup := func() {
		if err := c.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	hangup()
	log.until(t, "the same as before")
	if err := os.WriteFile(model, good[:1000], 0o600); err != nil {
		t.Fatal(err)
	}
	hangup()
	log.until(t, "the old one continues")
	get("v1/similar/318?k=3", `"items":[{"id"`)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for log.scanner.Scan() {
	}
	rest, _ := io.ReadAll(out)
	if err := c.Wait(); err != nil || !strings.Contains(string(rest), "Stopped.") {
		t.Errorf("%v, printed %q", err, rest)
	}
	text := kept.String()
	for _, asked := range []string{"SECRET", "similar/318", "?k=", "127.0.0.1"} { // 318 alone could be a time
		if strings.Contains(text, asked) {
			t.Errorf("the log contains %q:\n%s", asked, text)
		}
	}
	if !strings.Contains(text, "path=/demo/v1/similar/{id}") {
		t.Errorf("the log is:\n%s", text)
	}
}
