//go:build !js

package main

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// The page of the site, as far as the loader goes.
const html = `<!doctype html><title>test</title><link rel="icon" href="data:,">
<div id="loading"><progress id="loading-bar"></progress><p id="loading-text">…</p></div>
<script type="module" src="assets/js/loader/loader.js" data-program="assets/app.wasm" data-kernel="assets/kernel.wasm"
 data-model="assets/model.msgpack" data-program-size="%d" data-model-size="%d"></script>`

// answers serves the content.
func answers(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content) }
}

// hangsUp closes the connection in the middle of the response.
func hangsUp(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	w.Write([]byte("stands"))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// endless serves a prefix followed by endless zeros, compressed into a few bytes.
func endless(begin string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		packed.Write([]byte(begin))
		for zeros := make([]byte, 1<<20); r.Context().Err() == nil; {
			if _, err := packed.Write(zeros); err != nil {
				return
			}
		}
	}
}

func TestLoader(t *testing.T) {
	files := map[string][]byte{
		"assets/app.wasm": jstest.ReadFile(
			t,
			jstest.Program(t, "github.com/pmlam/pmlam/wasm/internal/trial"),
		),
		"assets/kernel.wasm":            jstest.Read(t, "wasm/kernel/kernel.wasm"),
		"assets/model.msgpack":          []byte("stands\n" + strings.Repeat("model", 30_000)),
		"assets/js/loader/wasm_exec.js": jstest.WasmExec(t),
	}
	for _, name := range []string{
		"loader/loader.js", "loader/ahead.js", "loader/compile.js", "loader/download.js", "loader/instantiate.js",
		"page/offline.js", "page/render.js", "page/words.js", "worker/compile-worker.js",
	} {
		files["assets/js/"+name] = jstest.Read(t, "assets/js/"+name)
	}
	files[""] = fmt.Appendf(nil, html, len(files["assets/app.wasm"]), len(files["assets/model.msgpack"]))
	browser := jstest.Chromium(t, 2*time.Minute)

	none := map[string]http.HandlerFunc{}
	model := func(content string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"assets/model.msgpack": answers(content)}
	}
	for _, test := range []struct {
		name    string
		replace map[string]http.HandlerFunc
		before  string // script that runs first in the page
		state   string // of #loading
		title   string // of the page
		text    string // part of the message
		button  bool
	}{
		{name: "stands", replace: none, state: "done", title: "stands with simd"},
		{name: "engine without SIMD", replace: none, before: "WebAssembly.validate = () => false", state: "done",
			title: "stands with go"},
		{name: "engine without streaming", replace: none, before: "delete WebAssembly.instantiateStreaming",
			state: "done", title: "stands with simd"},
		{name: "engine without workers", replace: none, before: "delete globalThis.Worker", state: "done",
			title: "stands with simd"},
		{name: "worker missing", replace: map[string]http.HandlerFunc{"assets/js/worker/compile-worker.js": http.NotFound},
			state: "done", title: "stands with simd"},
		{name: "kernel missing", replace: map[string]http.HandlerFunc{"assets/kernel.wasm": http.NotFound},
			state: "done", title: "stands with go"},
		{name: "kernel damaged", replace: map[string]http.HandlerFunc{
			"assets/kernel.wasm": answers("\x00asm\x01\x00\x00\x00\x03\x02\x01\x00"),
		}, state: "done", title: "stands with go"},
		{name: "wrong type", replace: map[string]http.HandlerFunc{
			"assets/app.wasm": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/octet-stream")
				w.Write(files["assets/app.wasm"])
			}}, state: "done", title: "stands with simd"},
		{name: "engine without WebAssembly", replace: none, before: "delete globalThis.WebAssembly", state: "failed",
			text: "needs WebAssembly"},
		{name: "model missing", replace: map[string]http.HandlerFunc{"assets/model.msgpack": http.NotFound},
			state: "failed",
			text:  "assets/model.msgpack could not be loaded: the server answered 404", button: true},
		{name: "program damaged", replace: map[string]http.HandlerFunc{
			"assets/app.wasm": answers("\x00asm\x01\x00\x00\x00\x63"),
		}, state: "failed", text: "cannot start the page’s program (CompileError", button: true},
		{name: "model without end", replace: map[string]http.HandlerFunc{"assets/model.msgpack": endless("stands\n")},
			state: "failed", text: "is longer than 150007 bytes", button: true},
		{name: "program without end", replace: map[string]http.HandlerFunc{
			"assets/app.wasm": endless("\x00asm\x01\x00\x00\x00\x00\xff\xff\xff\xff\x07\x01a"), // a section without end
		}, state: "failed", text: "cannot start the page’s program (", button: true},
		{name: "kernel without end", replace: map[string]http.HandlerFunc{"assets/kernel.wasm": endless("")},
			state: "done", title: "stands with go"},
		{name: "model of another version", replace: model("refuses"), state: "failed",
			text: "The model is of tomorrow.", button: true},
		{name: "program stops", replace: model("breaks"), state: "failed", text: "The page has stopped", button: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			site := &sitetest.Site{Files: files, Replace: test.replace}
			address := site.Serve(t)
			tab, closeTab := chromedp.NewContext(browser)
			defer closeTab()
			if test.before != "" {
				if _, err := chromedp.Call(tab, page.AddScriptToEvaluateOnNewDocument,
					page.AddScriptToEvaluateOnNewDocumentParams{Source: test.before}); err != nil {
					t.Fatal(err)
				}
			}
			if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
				t.Fatal(err)
			}
			p := waitFor(t, tab, test.state)
			if test.title != "" && p.Title != test.title {
				t.Errorf("the title is %q, want %q", p.Title, test.title)
			}
			if p.Hidden != (test.state == "done") {
				t.Errorf("#loading is hidden: %v", p.Hidden)
			}
			if test.state == "failed" && (!strings.Contains(p.Text, test.text) ||
				!strings.Contains(p.Text, "What you liked is kept")) {
				t.Errorf("the message %q lacks %q", p.Text, test.text)
			}
			if p.Button != test.button {
				t.Errorf("retry button: %v, want %v", p.Button, test.button)
			}
			if test.name == "stands" {
				want := float64(len(files["assets/app.wasm"]) + len(files["assets/model.msgpack"]))
				if p.Value != want || p.Max != want {
					t.Errorf("the progress bar ended at %v of %v bytes, want %v", p.Value, p.Max, want)
				}
				// The worker that compiles the program imports these again.
				inWorker := []string{
					"assets/js/loader/wasm_exec.js",
					"assets/js/loader/download.js",
					"assets/js/loader/instantiate.js",
				}
				for name, n := range site.Times() {
					if n != 1 && !(n == 2 && slices.Contains(inWorker, name)) {
						t.Errorf("%q was fetched %d times", name, n)
					}
				}
			}
		})
	}

	t.Run("connection comes back", func(t *testing.T) {
		site := &sitetest.Site{Files: files, Replace: map[string]http.HandlerFunc{"assets/model.msgpack": hangsUp}}
		address := site.Serve(t)
		tab, closeTab := chromedp.NewContext(browser)
		defer closeTab()
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		if p := waitFor(t, tab, "failed"); !strings.Contains(p.Text, "Check the connection") || !p.Button {
			t.Fatalf("after a broken connection the message is %q, retry button: %v", p.Text, p.Button)
		}
		site.Lock()
		site.Replace = nil
		site.Unlock()
		if err := chromedp.Do(tab, chromedp.Click(chromedp.CSS("#loading-retry"))); err != nil {
			t.Fatal(err)
		}
		if p := waitFor(t, tab, "done"); p.Title != "stands with simd" || p.Button {
			t.Errorf("after a retry the title is %q, retry button: %v", p.Title, p.Button)
		}
	})
}
