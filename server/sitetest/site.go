// Package sitetest serves a page to the tests of those who make one: under a sub-path, with a policy as strict as the
// site's own, and with files that are missing, damaged or slow where a test wants them so. Only tests link it.
package sitetest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
)

// Policy is the Content-Security-Policy that the tests' pages are served with, as strict as the site's own.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data: blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// Folder is the sub-path that a Site lies under: addresses that are not relative fail.
const Folder = "/some/folder/"

// Site serves a page's files under a sub-path and the strict policy. Its fields may change while it serves, under Lock.
type Site struct {
	sync.Mutex
	Files   map[string][]byte           // by address; "" is the page
	Replace map[string]http.HandlerFunc // what is answered instead
	Asked   map[string]int              // how often each address was asked for
}

// Serve starts a server for the time of the test and returns the address of the page.
func (s *Site) Serve(t testing.TB) string {
	t.Helper()
	s.Asked = map[string]int{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + Folder
}

// ByBrowser reports whether a file is asked for by the browser itself, when it likes: the manifest and its icons.
func ByBrowser(name string) bool {
	return strings.HasPrefix(name, "assets/icons/") || strings.HasSuffix(name, ".webmanifest")
}

// Total returns how many answers were asked for by the page.
func (s *Site) Total() int {
	s.Lock()
	defer s.Unlock()
	total := 0
	for name, n := range s.Asked {
		if !ByBrowser(name) {
			total += n
		}
	}
	return total
}

// Times returns how often each address was asked for so far.
func (s *Site) Times() map[string]int {
	s.Lock()
	defer s.Unlock()
	return maps.Clone(s.Asked)
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, within := strings.CutPrefix(r.URL.Path, Folder)
	if !within {
		name = r.URL.Path // such as /favicon.ico, which browsers ask for by themselves
	}
	s.Lock()
	s.Asked[name]++
	replacement, content := s.Replace[name], s.Files[name]
	s.Unlock()
	w.Header().Set("Content-Security-Policy", Policy)
	w.Header().Set("Content-Type", contentType(name))
	switch {
	case replacement != nil:
		replacement(w, r)
	case content != nil:
		w.Write(content)
	default:
		http.NotFound(w, r)
	}
}

func contentType(name string) string {
	switch path.Ext(name) {
	case "", ".html":
		return "text/html; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}
