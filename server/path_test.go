package server

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzPath requests arbitrary addresses, raw and as decoded paths, of a folder on disk next to a secret. Only files of
// the folder are served, and only under their names.
func FuzzPath(f *testing.F) {
	base := f.TempDir()
	site := filepath.Join(base, "site")
	if err := os.MkdirAll(filepath.Join(site, "assets"), 0o700); err != nil {
		f.Fatal(err)
	}
	files := map[string]string{
		"site/index.html": "page", "site/assets/a.css": "style", "site/.hidden": "secret",
		"secret.txt": "secret",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(base, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	root, err := os.OpenRoot(site)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { root.Close() })
	h, err := New(root.FS(), Options{Prefix: "/demo/"})
	if err != nil {
		f.Fatal(err)
	}
	want := map[string]string{"/demo/": "page", "/demo/index.html": "page", "/demo/assets/a.css": "style"}

	for _, seed := range []string{"/demo/", "/demo", "/", "", "/demo/../secret.txt", "/demo/%2e%2e/%2e%2e/secret.txt",
		"/demo/..\\..\\secret.txt",
		"/demo/assets/", "/demo/./index.html", "//demo/index.html", "/demo/index.html/", "/demo/index.html%00.css",
		"/demo/.hidden",
		"/demo/assets/..%2f..%2fsecret.txt", "/demo/C:/secret.txt", "/demo/\xff\xfe",
		"http://elsewhere/demo/index.html", "/demo/index.html?x=/../"} {
		f.Add(seed)
	}
	for _, begin := range []string{"/demo/", "/", "/demo/assets/"} {
		for _, up := range []string{"../", "..\\", "%2e%2e/", "..%2f", "%2e%2e%5c", "%252e%252e%252f", "....//",
			"..;/", "%c0%ae%c0%ae/"} {
			for depth := 1; depth <= 4; depth++ {
				for _, end := range []string{"secret.txt", "site/.hidden", "etc/passwd"} {
					f.Add(begin + strings.Repeat(up, depth) + end)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, address string) {
		ask := func(u *url.URL) {
			r := &http.Request{
				Method:     "GET",
				URL:        u,
				Header:     http.Header{},
				Proto:      "HTTP/1.1",
				ProtoMajor: 1,
				ProtoMinor: 1,
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			body := w.Body.String()
			switch {
			case w.Code == 200:
				if text, ok := want[u.Path]; !ok || body != text {
					t.Fatalf("%q (path %q) answered with %q", address, u.Path, body)
				}
			case w.Code == 308:
				if u.Path != "/demo" || w.Header().Get("Location") != "/demo/" {
					t.Fatalf("%q redirects to %q", address, w.Header().Get("Location"))
				}
			case w.Code != 404:
				t.Fatalf("%q is answered with status %d", address, w.Code)
			}
			if strings.Contains(body, "secret") {
				t.Fatalf("%q revealed the secret", address)
			}
		}
		ask(&url.URL{Path: address})
		if u, err := url.ParseRequestURI(address); err == nil {
			ask(u)
		}
	})
}
