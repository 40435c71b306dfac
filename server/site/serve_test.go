package site

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// The site works under any path of any static host. It is served by the standard library's file server under a path
// unknown to the builder, and by our own server, and then read address by address as a browser would.
func TestServedUnderASubPath(t *testing.T) {
	c := tree(t)
	servedUnderASubPath(t, c, mustBuild(t, c))
}

// Everything that the project's own page refers to exists and can be published. Only build outputs are replaced by
// short stand-ins.
func TestTheRealPage(t *testing.T) {
	made := tree(t).With
	c := Config{
		Tree: "../..",
		Out:  filepath.Join(t.TempDir(), "site"),
		With: map[string]string{
			"assets/app.wasm":               made["assets/app.wasm"],
			"assets/kernel.wasm":            "../../wasm/kernel/kernel.wasm",
			"assets/js/loader/wasm_exec.js": made["assets/js/wasm_exec.js"],
		},
		Quality: 1,
	}
	report := mustBuild(t, c)
	for _, role := range []string{"program", "kernel", "model"} {
		if len(report.Of(role)) != 1 {
			t.Errorf("the page has %d files in data-%s, want one", len(report.Of(role)), role)
		}
	}
	servedUnderASubPath(t, c, report)
}

func servedUnderASubPath(t *testing.T, c Config, report *Report) {
	t.Helper()
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
		// Every file is reachable from the page.
		if len(seen) != len(report.Files) {
			t.Errorf("%s: read %d addresses of a site with %d files", name, len(seen), len(report.Files))
		}
		s.Close()
	}
}

var workerOf = regexp.MustCompile(`data-worker="([^"]*)"`)

// crawl reads an address and all its references.
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
	if m := workerOf.FindSubmatch(content); kind == ".html" && m != nil {
		crawl(t, address+string(m[1]), "", seen)
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
		// Resolved by the browser's rules, not the builder's.
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
