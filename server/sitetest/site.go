// Package sitetest serves a page to tests: under a sub-path, with a policy as strict as the site's, and with missing,
// damaged or slow files on demand. Only tests link it.
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

// Policy is the Content-Security-Policy of the tests' pages, as strict as the site's own.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data: blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// Folder is the sub-path of a Site: addresses that are not relative fail.
const Folder = "/some/folder/"

// Site serves a page's files under a sub-path with the strict policy. Its fields may change while it serves, under
// Lock.
type Site struct {
	sync.Mutex
	Files   map[string][]byte           // by address; "" is the page
	Replace map[string]http.HandlerFunc // handlers that replace files
	Asked   map[string]int              // number of requests by address
}

// Serve starts a server for the duration of the test and returns the address of the page.
func (s *Site) Serve(t testing.TB) string {
	t.Helper()
	s.Asked = map[string]int{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + Folder
}

// ByBrowser reports whether browsers request this file on their own, at any time: the manifest and its icons.
func ByBrowser(name string) bool {
	return strings.HasPrefix(name, "assets/icons/") || strings.HasSuffix(name, ".webmanifest")
}

// Total returns the number of the page's own requests.
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

// Times returns the number of requests so far, by address.
func (s *Site) Times() map[string]int {
	s.Lock()
	defer s.Unlock()
	return maps.Clone(s.Asked)
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, within := strings.CutPrefix(r.URL.Path, Folder)
	if !within {
		name = r.URL.Path // such as /favicon.ico, which browsers request on their own
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
