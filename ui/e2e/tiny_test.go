//go:build !js

package e2e

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/server/site"
)

// Tiny sites replace the real one in tests with hundreds of visits: made by the same builder, with the same worker and
// offline.js, and with the release's stamp in every file.

// tinySite is a site in testdata/tiny.
type tinySite struct {
	page  string   // source of index.html
	files []string // other stamped files, except the worker and offline.js
}

var (
	// wholeSite has a file of each kind that a page can refer to.
	wholeSite = tinySite{"index.html", []string{"app.js", "part.js", "style.css", "more.css", "model.bin", "lazy.bin",
		"icon.svg", "app.webmanifest"}}
	// smallSite has the page, its scripts and a model. All files except the page are alike to the worker, and a request
	// takes 15 ms of CPU time: with it, the storage faults take 72 and 78 s of CPU time instead of 105 and 151 s.
	smallSite = tinySite{"small.html", []string{"app.js", "part.js", "model.bin"}}
)

//go:embed testdata/trials.js
var trialsScript string

// stampsOf returns the page's report on its files in this release. Two style sheets show one stamp.
func (s tinySite) stampsOf(release string) string {
	n := 1 + len(s.files)
	if slices.Contains(s.files, "more.css") {
		n--
	}
	return strings.TrimSpace(strings.Repeat(release+" ", n))
}

// says returns the reports of these releases' pages, for the script.
func (s tinySite) says(releases ...string) string {
	all := map[string]string{}
	for _, r := range releases {
		all[r] = s.stampsOf(r)
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// release builds the site with this stamp and returns its files.
func (s tinySite) release(t testing.TB, stamp string) map[string][]byte {
	t.Helper()
	files, _ := s.releaseOver(t, stamp, "", nil)
	return files
}

// releaseOver is release with a previous site. It also returns the site's folder. rest follows the model's stamp.
func (s tinySite) releaseOver(t testing.TB, stamp, previous string, rest []byte) (files map[string][]byte, out string) {
	t.Helper()
	tree := t.TempDir()
	out = filepath.Join(t.TempDir(), "site")
	put := func(name string, content []byte) {
		name = filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stamped := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("testdata/tiny", name))
		if err != nil {
			t.Fatal(err)
		}
		return bytes.ReplaceAll(b, []byte("STAMP"), []byte(stamp))
	}
	put("index.html", stamped(s.page))
	put("LICENSE", stamped("LICENSE"))
	for _, name := range s.files {
		b := stamped(name)
		if name == "model.bin" {
			b = append(b, rest...)
		}
		put(filepath.Join("assets", name), b)
	}
	scripts, err := filepath.Glob(filepath.Join(root, "assets/js/worker/*.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(scripts, filepath.Join(root, "assets/js/page/offline.js")) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put(filepath.Join("assets", filepath.Base(name)), append(b, "// "+stamp+"\n"...))
	}
	if _, err := site.Build(site.Config{Tree: tree, Out: out, Previous: previous,
		Copy: map[string]string{"LICENSE": filepath.Join(tree, "LICENSE")}}); err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	err = filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".pmlam-site" { // of the builder
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || slices.Contains([]string{".br", ".gz"}, path.Ext(name)) {
			return err
		}
		b, err := os.ReadFile(name)
		within, _ := filepath.Rel(out, name)
		files[filepath.ToSlash(within)] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, out
}

// faults are the ways in which a host can fail to send a file.
var faults = []string{"status 500", "status 404", "wrong byte", "cut off", "too short", "reset", "another page",
	"elsewhere", "login", "empty", "without end"}

// published is the content of one place of the tiny host, and its fault.
type published struct {
	Release string // stamp
	Fault   string // one of faults, or ""
	File    string // pattern (path.Match) of the files at fault; "" for all files
	Down    bool   // the host is unreachable
	NoStore bool   // bypass the browser's own cache
}

// meant tells whether a file is at fault; the worker never is.
func (p published) meant(name string) bool {
	ok, err := path.Match(cmp.Or(p.File, "*"), path.Base(name))
	if err != nil {
		panic(err)
	}
	return ok && name != "service-worker.js"
}

// tinyHost serves tiny sites, one at each place /name/. GET /control?place=…&to=JSON changes the content of a place.
type tinyHost struct {
	server   *httptest.Server
	other    *httptest.Server // another origin that allows all requests
	releases map[string]map[string][]byte
	oldest   string // the release whose page is sent as "another page"

	sync.Mutex
	places map[string]published
	sent   map[string][]string    // by place: names of files sent since the last /sent?place=…
	stall  map[string]chan<- bool // by place: receives when a stalled file is requested
}

func newTinyHost(t testing.TB, site tinySite, stamps ...string) *tinyHost {
	t.Helper()
	h := &tinyHost{releases: map[string]map[string][]byte{}, oldest: stamps[0], places: map[string]published{},
		sent: map[string][]string{}, stall: map[string]chan<- bool{}}
	for _, s := range stamps {
		h.releases[s] = site.release(t, s)
	}
	h.server = httptest.NewServer(h)
	h.other = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "anything")
	}))
	t.Cleanup(h.other.Close)
	t.Cleanup(func() {
		h.server.CloseClientConnections() // else a stalled file would be waited for
		h.server.Close()
	})
	return h
}

// publish changes the content of a place.
func (h *tinyHost) publish(place string, p published) {
	h.Lock()
	defer h.Unlock()
	h.places[place] = p
}

// stalls makes files at fault stall, and signals each to c; nil ends it.
func (h *tinyHost) stalls(place string, c chan<- bool) {
	h.Lock()
	defer h.Unlock()
	h.stall[place] = c
}

func (h *tinyHost) address(place string) string { return h.server.URL + "/" + place + "/" }

func (h *tinyHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	place, name, within := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case place == "control":
		var p published
		if err := json.Unmarshal([]byte(r.FormValue("to")), &p); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		h.publish(r.FormValue("place"), p)
		return
	case place == "sent":
		h.Lock()
		defer h.Unlock()
		fmt.Fprint(w, list(h.sent[r.FormValue("place")]))
		delete(h.sent, r.FormValue("place"))
		return
	case !within:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>trials</title><link rel=icon href=data:,>")
		return
	}
	if name == "" {
		name = "index.html"
	}
	h.Lock()
	p, stall := h.places[place], h.stall[place]
	h.sent[place] = append(h.sent[place], name)
	h.Unlock()
	content, ok := h.releases[p.Release][name]
	if p.Down {
		panic(http.ErrAbortHandler)
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	if stall != nil && p.meant(name) {
		stall <- true
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css",
		".svg": "image/svg+xml"}[path.Ext(name)])
	w.Header().Set("Cache-Control", "max-age=600") // as some hosts send for everything, including errors
	if p.NoStore {
		w.Header().Set("Cache-Control", "no-store")
	}
	if p.Fault != "" && p.meant(name) {
		h.fail(w, r, p, content)
		return
	}
	w.Write(content)
}

func (h *tinyHost) fail(w http.ResponseWriter, r *http.Request, p published, content []byte) {
	switch p.Fault {
	case "status 500":
		http.Error(w, "out of order", 500)
	case "status 404":
		http.Error(w, "gone", 404)
	case "wrong byte":
		wrong := slices.Clone(content)
		wrong[len(wrong)/2] ^= 1
		w.Write(wrong)
	case "cut off":
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:len(content)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case "too short":
		w.Write(content[:len(content)/2])
	case "reset":
		panic(http.ErrAbortHandler)
	case "another page":
		w.Header().Set("Content-Type", "text/html")
		w.Write(h.releases[h.oldest]["index.html"])
	case "empty":
	case "without end": // a few bytes that decompress to more than the memory
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		for zeros := make([]byte, 1<<20); r.Context().Err() == nil; {
			if _, err := packed.Write(zeros); err != nil {
				return
			}
		}
	case "elsewhere":
		http.Redirect(w, r, h.other.URL, http.StatusFound)
	case "login":
		http.Redirect(w, r, "/login", http.StatusFound)
	default:
		panic("unknown fault " + p.Fault)
	}
}

// driver returns a tab with the trials' script, which opens tiny sites in frames.
func (h *tinyHost) driver(t testing.TB) *visitor {
	t.Helper()
	v := newTab(t, persona{Limit: 40 * time.Minute}) // hundreds of visits
	v.do(chromedp.Navigate(h.server.URL + "/"))
	see[bool](v, trialsScript+"; true")
	return v
}

// list formats texts as a script literal.
func list(texts []string) string {
	b, err := json.Marshal(texts)
	if err != nil {
		panic(err)
	}
	return string(b)
}
