package site

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// The site works under any path of any static host: it is served by the standard library's plain file server, which
// knows nothing of this project, below a path that nobody told the builder, and by our own; then it is read as a
// browser reads it, address by address.
func TestServedUnderASubPath(t *testing.T) {
	c := tree(t)
	report := mustBuild(t, c)
	ours, err := server.New(os.DirFS(c.Out), server.Options{Prefix: "/people/me/demo/"})
	if err != nil {
		t.Fatal(err)
	}
	for name, handler := range map[string]http.Handler{
		"plain": http.StripPrefix("/people/me/demo/", http.FileServer(http.Dir(c.Out))),
		"ours":  ours,
	} {
		s := httptest.NewServer(handler)
		seen := map[string]bool{}
		crawl(t, s.URL+"/people/me/demo/", ".html", seen)
		// Every file can be reached from the page.
		if len(seen) != len(report.Files) {
			t.Errorf("%s: %d addresses were read, and the site has %d files", name, len(seen), len(report.Files))
		}
		s.Close()
	}
}

// crawl reads an address and everything that it refers to.
func crawl(t *testing.T, address, kind string, seen map[string]bool) {
	t.Helper()
	if seen[address] {
		return
	}
	seen[address] = true
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("%s: %s %v", address, resp.Status, err)
		return
	}
	scan := scanners[kind]
	if scan == nil {
		return
	}
	refs, err := scan(content)
	if err != nil {
		t.Fatal(err)
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refs {
		// A browser's own rule for addresses, not the builder's.
		to, err := base.Parse(r.address)
		if err != nil {
			t.Fatal(err)
		}
		to.Fragment, to.RawQuery = "", ""
		if to.Host == base.Host {
			crawl(t, to.String(), path.Ext(to.Path), seen)
		}
	}
}
