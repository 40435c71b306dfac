package site

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// The report lists a returning visitor's downloads: deltas, and whole files with a reason. The sizes match the files of
// the site.
func TestReturningVisitors(t *testing.T) {
	c := offline(t)
	put(t, c.Tree, "assets/js/service-worker.js", placeholder+" // filled in\n")
	says := func(r *Report) string {
		t.Helper()
		var b bytes.Buffer
		if err := r.Print(&b, false); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "Visitors of the previous site, "+c.Previous+", ")
		return text
	}
	days := models(2)
	put(t, c.Tree, "built/shop.msgpack", string(days[0]))
	r := mustBuild(t, c)
	if r.Returning != nil || says(r) != "" {
		t.Errorf("without a previous site: %+v", r.Returning)
	}

	c.Previous = filepath.Join(t.TempDir(), "none")
	if text := says(mustBuild(t, c)); text != "download whole files: that folder has no site yet\n" {
		t.Errorf("with an empty previous folder: %q", text)
	}

	c.Previous = c.Out
	r = mustBuild(t, c)
	if len(r.Returning.Fetched) > 0 || !strings.HasPrefix(says(r), "download 0 of ") {
		t.Errorf("without changes: %+v", r.Returning)
	}

	put(t, c.Tree, "built/shop.msgpack", string(days[1]))
	put(t, c.Tree, "new.txt", "not there before")
	c.Copy["new.txt"] = filepath.Join(c.Tree, "new.txt")
	r = mustBuild(t, c)
	site := contents(t, c.Out)
	served := func(name string) int {
		if packed, ok := site[name+".br"]; ok {
			return len(packed)
		}
		return len(site[name])
	}
	_, files := listed(t, site)
	model := fileOf(t, files, "shop.")
	whole := served("service-worker.js")
	for _, f := range files {
		whole += served(nameOf(f.Address))
	}
	if r.Returning.Whole != whole {
		t.Errorf("a first visit downloads %d bytes, but the report says %d", whole, r.Returning.Whole)
	}
	want := map[string]Fetched{
		nameOf(model.Address): {Size: served(model.Steps[0].Address), Whole: served(nameOf(model.Address))},
		"new.txt":             {Size: 16, Whole: 16, Why: "the previous site has no file of this name"},
		"service-worker.js": {Size: served("service-worker.js"), Whole: served("service-worker.js"),
			Why: "browsers always download the service worker whole"},
	}
	for _, f := range r.Returning.Fetched {
		w, ok := want[f.Name]
		if f.Name = ""; ok && f != w {
			t.Errorf("%+v, want %+v", f, w)
		}
		delete(want, f.Name)
	}
	if n := len(r.Returning.Fetched); n < 3 || n > 4 { // including the page, which refers to the model
		t.Errorf("%d files are downloaded: %+v", n, r.Returning.Fetched)
	}
	if text := says(r); !strings.Contains(text, "as a delta\n") || !strings.Contains(text, "new.txt, whole: the previous site has no file of this name\n") {
		t.Errorf("it says\n%s", text)
	}

	put(t, c.Tree, "built/shop.msgpack", strings.Repeat("something else ", 10))
	r = mustBuild(t, c)
	found := false
	for _, f := range r.Returning.Fetched {
		found = found || strings.Contains(f.Name, "shop.") && f.Size == f.Whole &&
			strings.HasPrefix(f.Why, "a delta has ") && strings.HasSuffix(f.Why, " bytes, more than half of it")
	}
	if !found {
		t.Errorf("an entirely new model: %+v", r.Returning.Fetched)
	}

	// Without a service worker browsers keep nothing to start from.
	bare := tree(t)
	bare.Previous = c.Out
	c.Previous = c.Out
	if text := says(mustBuild(t, bare)); !strings.HasPrefix(text, "download whole files: the page has no service worker") {
		t.Errorf("without a worker: %q", text)
	}
}

// Of many files the largest are listed.
func TestManyFetchedFiles(t *testing.T) {
	r := &Returning{Previous: "public", Whole: 1000}
	for range mostFetched + 2 {
		r.Fetched = append(r.Fetched, Fetched{"a.svg", 10, 10, "the previous site has no file of this name"})
	}
	var b bytes.Buffer
	if err := r.print(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "\n") != mostFetched+2 ||
		!strings.HasPrefix(text, "Visitors of the previous site, public, download 120 of 1,000 bytes, 12.0%\n") ||
		!strings.HasSuffix(text, "and 2 smaller files\n") {
		t.Errorf("it says\n%s", text)
	}
}
