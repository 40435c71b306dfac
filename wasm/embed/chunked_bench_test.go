//go:build !js

package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// fourG is Fast 4G in Chromium's developer tools: 9 Mbit/s less 10%, and 165 ms until a response begins.
var fourG = network.Conditions{Latency: 165, DownloadThroughput: 9e6 / 8 * 0.9, UploadThroughput: 1.5e6 / 8 * 0.9}

// gzipped compresses the responses of a handler.
func gzipped(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Range")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Cache-Control", "no-store")
		z := gzip.NewWriter(w)
		defer z.Close()
		h.ServeHTTP(&gzipWriter{w, z}, r)
	})
}

type gzipWriter struct {
	http.ResponseWriter
	z io.Writer
}

func (w *gzipWriter) WriteHeader(code int) {
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(code)
}

func (w *gzipWriter) Write(b []byte) (int, error) { return w.z.Write(b) }

var (
	chunked  = flag.String("chunks", "", "BenchmarkFirstList: folder written by pmlam chunk")
	likedIDs = flag.String("likes", "", "BenchmarkFirstList: ids of the visitor's likes")
)

// BenchmarkFirstList measures the first list of a visitor from a model in chunks, in Chromium on simulated 4G, by HTTP/2:
//
//	go test ./wasm/embed -run '^$' -bench FirstList -chunks folder -likes "id id id"
//
// The clock starts with the program running and nothing of the model loaded. It reports the KB fetched (gzip, without
// headers), the ms until the list is complete and the MB of WebAssembly memory then. "With the program" starts from an
// empty page.
func BenchmarkFirstList(b *testing.B) {
	if *chunked == "" {
		b.Skip("SKIPPED: -chunks is empty; set it to a folder written by pmlam chunk")
	}
	files := http.NewServeMux()
	files.Handle("/chunks/", http.StripPrefix("/chunks/", http.FileServer(http.Dir(*chunked))))
	files.Handle("/embed/", http.StripPrefix("/embed/", http.FileServer(http.Dir(built(b)))))
	files.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><title></title><link rel="icon" href="data:,">`)
	})
	server := httptest.NewUnstartedServer(gzipped(files))
	server.EnableHTTP2 = true
	server.StartTLS()
	b.Cleanup(server.Close)
	likes, err := json.Marshal(strings.Fields(*likedIDs))
	if err != nil {
		b.Fatal(err)
	}
	list := `(async () => {
		const fetched = () => performance.getEntriesByType("resource").filter((e) => e.name.includes("/chunks/"));
		const before = fetched().length, started = performance.now();
		const { openChunked } = await import("/embed/pmlam.js");
		const model = await openChunked("/chunks");
		const { items } = await model.recommend({ likes: ` + string(likes) + ` });
		const ms = performance.now() - started, parts = fetched().slice(before);
		return { ms, items: items.length, files: parts.length, memory: programs.at(-1)._inst.exports.mem.buffer.byteLength,
			bytes: parts.reduce((sum, e) => sum + e.encodedBodySize, 0) };
	})()`
	// A second open model keeps the program running.
	warm := `(async () => {
		globalThis.kept = await (await import("/embed/pmlam.js")).openChunked("/chunks");
		return {};
	})()`
	ask := func(tab context.Context, expression string) (out answer) {
		out, err := chromedp.Run(tab, chromedp.Evaluate[answer](expression, chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		return out
	}
	tab := func() context.Context {
		tab := jstest.Chromium(b, 5*time.Minute)
		_, err := chromedp.Call(tab, security.SetIgnoreCertificateErrors,
			security.SetIgnoreCertificateErrorsParams{Ignore: true})
		if err == nil {
			err = chromedp.Do(tab, chromedp.Navigate(server.URL))
		}
		if err != nil {
			b.Fatal(err)
		}
		ask(tab, `(async () => {
			await import("/embed/wasm_exec.js");
			globalThis.programs = [];
			globalThis.Go = class extends globalThis.Go { constructor() { super(); programs.push(this); } };
			return {};
		})()`)
		return tab
	}
	slow := func(tab context.Context) {
		_, err := chromedp.Call(tab, network.EmulateNetworkConditionsByRule,
			network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{&fourG}})
		if err != nil {
			b.Fatal(err)
		}
	}
	var running, cold answer
	n := 0
	for b.Loop() {
		t := tab()
		ask(t, warm)
		slow(t)
		got := ask(t, list)
		running.MS, running.Bytes, running.Memory = running.MS+got.MS, running.Bytes+got.Bytes, max(running.Memory, got.Memory)
		running.Files, running.Items = got.Files, got.Items
		t = tab()
		slow(t)
		cold.MS += ask(t, list).MS
		n++
	}
	if running.Items != 10 {
		b.Errorf("%d items are listed", running.Items)
	}
	b.ReportMetric(running.MS/float64(n), "ms/list")
	b.ReportMetric(cold.MS/float64(n), "ms/list-with-program")
	b.ReportMetric(running.Bytes/float64(n)/1e3, "KB/list")
	b.ReportMetric(float64(running.Files), "files/list")
	b.ReportMetric(running.Memory/1e6, "MB")
}

type answer struct {
	MS, Memory, Bytes float64
	Items, Files      int
}
