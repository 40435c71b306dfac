package server

import (
	"bytes"
	stdgzip "compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	stdbrotli "github.com/andybalholm/brotli"

	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// program is a large file: compressible, and long enough for ranges.
var program = bytes.Repeat([]byte("\x00asm the same words again "), 400)

var programName = fingerprint.Name("assets/app.wasm", program)

// testSite returns a small site with every kind of file.
func testSite() fstest.MapFS {
	page := []byte("<!doctype html><title>Ellipsis</title>" + strings.Repeat("<p>Pick three you love", 50))
	site := fstest.MapFS{
		"index.html":                      {Data: page},
		"index.html.br":                   {Data: packed(brotli, page)},
		"index.html.gz":                   {Data: packed(gzip, page)},
		programName:                       {Data: program},
		programName + ".br":               {Data: packed(brotli, program)},
		programName + ".gz":               {Data: packed(gzip, program)},
		"assets/app.0123456789ab.wasm":    {Data: program}, // contains a hash, but not its own
		"assets/css/page.css":             {Data: []byte("body{}")},
		"assets/icons/dot.svg":            {Data: []byte("<svg/>")},
		"assets/models/movielens.msgpack": {Data: []byte{0x80}},
		"assets/site.webmanifest":         {Data: []byte("{}")},
		"assets/backup.gz":                {Data: []byte{0x1f, 0x8b}}, // a separate file: "assets/backup" does not exist
		"assets/strange.xyz":              {Data: []byte("?")},
		"LICENSE":                         {Data: []byte("Apache")},
		".nojekyll":                       {},
		".git/config":                     {Data: []byte("secret")},
		"assets/link.txt":                 {Data: []byte("elsewhere"), Mode: fs.ModeSymlink | 0o777},
	}
	return site
}

func packed(coding string, data []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser = stdgzip.NewWriter(&b)
	if coding == brotli {
		w = stdbrotli.NewWriterLevel(&b, 5)
	}
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// listen serves the site on a real port and returns a function that sends requests. The client neither asks for
// compression by itself nor follows redirects.
func listen(t *testing.T, o Options) func(method, path string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	h, err := New(testSite(), o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(client.CloseIdleConnections)
	return func(method, path string, headers ...string) (*http.Response, []byte) {
		t.Helper()
		r, err := http.NewRequest(method, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, body
	}
}

func TestRequests(t *testing.T) {
	ask := listen(t, Options{})
	for _, c := range []struct {
		method, path string
		send         []string
		status       int
		want         []string // response headers; "" means absent
	}{
		{"GET", "/", nil, 200, []string{"Content-Type", "text/html; charset=utf-8", "Cache-Control", "no-cache",
			"Content-Encoding", "", "Vary", "Accept-Encoding"}},
		{"GET", "/?who=me", nil, 200, []string{"Content-Type", "text/html; charset=utf-8"}},
		{"GET", "/index.html", nil, 200, []string{"Content-Type", "text/html; charset=utf-8"}},
		{"GET", "/" + programName, nil, 200, []string{"Content-Type", "application/wasm", "Cache-Control",
			"public, max-age=31536000, immutable", "Accept-Ranges", "bytes"}},
		{"GET", "/assets/app.0123456789ab.wasm", nil, 200, []string{"Cache-Control", "no-cache", "Vary", ""}},
		{"GET", "/" + programName, []string{"Accept-Encoding", "gzip, deflate, br"}, 200, []string{"Content-Encoding",
			"br", "Content-Type", "application/wasm"}},
		{"GET", "/" + programName, []string{"Accept-Encoding", "gzip"}, 200, []string{"Content-Encoding", "gzip"}},
		{"GET", "/" + programName, []string{"Accept-Encoding", "br;q=0.1, gzip"}, 200, []string{"Content-Encoding",
			"gzip"}},
		{"GET", "/assets/css/page.css", []string{"Accept-Encoding", "br"}, 200, []string{"Content-Encoding", "",
			"Content-Type", "text/css; charset=utf-8"}},
		{"GET", "/" + programName, []string{"Accept-Encoding", "*;q=0"}, 406, []string{"Vary", "Accept-Encoding"}},
		{"GET", "/assets/icons/dot.svg", nil, 200, []string{"Content-Type", "image/svg+xml"}},
		{"GET", "/assets/models/movielens.msgpack", nil, 200, []string{"Content-Type", "application/vnd.msgpack"}},
		{"GET", "/assets/site.webmanifest", nil, 200, []string{"Content-Type", "application/manifest+json"}},
		{"GET", "/assets/backup.gz", nil, 200, []string{"Content-Type", "application/gzip", "Content-Encoding", ""}},
		{"GET", "/assets/strange.xyz", nil, 200, []string{"Content-Type", "application/octet-stream"}},
		{"GET", "/LICENSE", nil, 200, []string{"Content-Type", "text/plain; charset=utf-8"}},
		// Compressed forms, folders, hidden files and links have no addresses.
		{"GET", "/" + programName + ".br", nil, 404, nil},
		{"GET", "/assets", nil, 404, nil},
		{"GET", "/assets/", nil, 404, nil},
		{"GET", "/.nojekyll", nil, 404, nil},
		{"GET", "/.git/config", nil, 404, nil},
		{"GET", "/assets/link.txt", nil, 404, nil},
		{"GET", "/nowhere", nil, 404, []string{"Content-Type", "text/html; charset=utf-8", "Cache-Control",
			"no-cache"}},
		{"GET", "//index.html", nil, 404, nil},
		{"GET", "/assets/../index.html", nil, 404, nil},
		{"GET", "/assets/%2e%2e/index.html", nil, 404, nil},
		{"GET", "/..%2findex.html", nil, 404, nil},
		{"GET", "/..%5cindex.html", nil, 404, nil},
		{"GET", "/index.html%00", nil, 404, nil},
		{"POST", "/", nil, 405, []string{"Allow", "GET, HEAD"}},
		{"PUT", "/nowhere", nil, 405, []string{"Allow", "GET, HEAD"}},
		{"DELETE", "/index.html", nil, 405, []string{"Allow", "GET, HEAD"}},
		{"OPTIONS", "/", nil, 405, []string{"Allow", "GET, HEAD"}},
		// Ranges refer to the uncompressed file, whatever else the client accepts.
		{"GET", "/" + programName, []string{"Range", "bytes=0-3"}, 206, []string{"Content-Range", "bytes 0-3/10400",
			"Content-Length", "4"}},
		{"GET", "/" + programName, []string{"Range", "bytes=-5", "Accept-Encoding", "br, gzip"}, 206,
			[]string{"Content-Encoding", "", "Content-Length", "5"}},
		{"GET", "/" + programName, []string{"Range", "bytes=99999-"}, 416, []string{"Content-Range", "bytes */10400"}},
		{"GET", "/" + programName, []string{"Range", "bytes=0-3", "If-Range", `"another build"`}, 200,
			[]string{"Content-Length", "10400"}},
		{"GET", "/" + programName, []string{"Range", "bytes=0-3", "Accept-Encoding", "br, identity;q=0"}, 200,
			[]string{"Content-Encoding", "br"}},
		{"GET", "/" + programName, []string{"If-Match", `"another build"`, "Accept-Encoding", "br"}, 412, nil},
	} {
		resp, body := ask(c.method, c.path, c.send...)
		what := c.method + " " + c.path + " " + strings.Join(c.send, ": ")
		if resp.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d", what, resp.StatusCode, c.status)
		}
		for i := 0; i < len(c.want); i += 2 {
			if got := resp.Header.Get(c.want[i]); got != c.want[i+1] {
				t.Errorf("%s: %s is %q, want %q", what, c.want[i], got, c.want[i+1])
			}
		}
		if resp.StatusCode >= 404 && resp.StatusCode <= 406 && !bytes.Contains(body, []byte(`<a href="/">`)) {
			t.Errorf("%s: the page has no link to the start page:\n%s", what, body)
		}
		checkSecurity(t, what, resp.Header)
	}
}

func checkSecurity(t *testing.T, what string, h http.Header) {
	t.Helper()
	policy := h.Get("Content-Security-Policy")
	for _, must := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
		"base-uri 'none'",
		"form-action 'none'", "frame-ancestors 'none'", "connect-src 'self'"} {
		if !strings.Contains(policy, must) {
			t.Errorf("%s: the policy lacks %s", what, must)
		}
	}
	if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'unsafe-eval'") {
		t.Errorf("%s: the policy is too wide: %s", what, policy)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %s is %q, want %q", what, name, got, want)
		}
	}
	if h.Get("Permissions-Policy") == "" {
		t.Errorf("%s: no Permissions-Policy", what)
	}
	for _, name := range []string{"Set-Cookie", "Server", "Last-Modified"} {
		if h.Get(name) != "" {
			t.Errorf("%s: %s is sent: %q", what, name, h.Get(name))
		}
	}
}

// Every coding has the same content and its own strong ETag, and answers 304 only to that ETag.
func TestCodingsAndTags(t *testing.T) {
	ask := listen(t, Options{})
	tags := map[string]string{}
	for _, coding := range []string{"identity", "gzip", "br"} {
		resp, body := ask("GET", "/"+programName, "Accept-Encoding", coding)
		tag := resp.Header.Get("ETag")
		if len(tag) < 10 || tag[0] != '"' || tags[tag] != "" {
			t.Errorf("%s: the ETag %s is weak or also used for %s", coding, tag, tags[tag])
		}
		tags[tag] = coding
		if resp.ContentLength != int64(len(body)) {
			t.Errorf("%s: Content-Length %d for %d bytes", coding, resp.ContentLength, len(body))
		}
		if coding != "identity" && !UnpacksTo(coding, body, program) {
			t.Errorf("%s: the body does not decompress to the file", coding)
		}
		if coding == "identity" && !bytes.Equal(body, program) {
			t.Error("identity: not the file")
		}
		head, headBody := ask("HEAD", "/"+programName, "Accept-Encoding", coding)
		if len(headBody) != 0 || head.ContentLength != resp.ContentLength || head.Header.Get("ETag") != tag {
			t.Errorf("%s: HEAD differs from GET: %d bytes of body, length %d, ETag %s", coding, len(headBody),
				head.ContentLength, head.Header.Get("ETag"))
		}
	}
	for tag, of := range tags {
		for _, coding := range []string{"identity", "gzip", "br"} {
			resp, body := ask("GET", "/"+programName, "Accept-Encoding", coding, "If-None-Match", `"x", `+tag)
			want := 200
			if of == coding {
				want = 304
			}
			if resp.StatusCode != want {
				t.Errorf("If-None-Match with the ETag of %s, asking for %s: %d, want %d", of, coding, resp.StatusCode,
					want)
			}
			if want == 304 &&
				(len(body) > 0 || resp.Header.Get("ETag") != tag || resp.Header.Get("Cache-Control") == "" ||
					resp.Header.Get("Vary") == "") {
				t.Errorf("304 for %s lacks what a cache needs: %v", coding, resp.Header)
			}
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, prefix := range []string{"/demo/", "demo", "/demo", "//demo//"} {
		ask := listen(t, Options{Prefix: prefix})
		for path, want := range map[string]int{"/demo/": 200, "/demo/" + programName: 200, "/demo": 308, "/": 404,
			"/index.html": 404,
			"/demox":      404, "/demo//": 404, "/demo/../index.html": 404, "/other/": 404} {
			resp, body := ask("GET", path)
			if resp.StatusCode != want {
				t.Errorf("prefix %q: GET %s is %d, want %d", prefix, path, resp.StatusCode, want)
			}
			if want == 308 && resp.Header.Get("Location") != "/demo/" {
				t.Errorf("prefix %q: %s redirects to %q", prefix, path, resp.Header.Get("Location"))
			}
			if want == 404 && !bytes.Contains(body, []byte(`href="/demo/"`)) {
				t.Errorf("prefix %q: the page for %s has no link to the site", prefix, path)
			}
		}
	}
	for _, prefix := range []string{"/a//b/", "/../", "/a?b/", "/a\nb/", `\\host\share`, "/%2e/"} {
		if _, err := New(testSite(), Options{Prefix: prefix}); err == nil {
			t.Errorf("prefix %q is accepted", prefix)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	noPage := testSite()
	delete(noPage, "index.html")
	stale := testSite()
	stale["index.html.br"] = &fstest.MapFile{Data: packed(brotli, []byte("<p>an older build"))}
	damaged := testSite()
	damaged["index.html.gz"] = &fstest.MapFile{Data: []byte("not gzip")}
	cut := testSite()
	whole := cut[programName+".br"].Data
	cut[programName+".br"] = &fstest.MapFile{Data: whole[:len(whole)-4]}
	for want, site := range map[string]fs.FS{"make site": noPage, "index.html.br": stale, "index.html.gz": damaged,
		programName + ".br": cut} {
		if _, err := New(site, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error about %s, got %v", want, err)
		}
	}
}

// A folder on a disk, opened as the command opens it, with links that point outside and inside.
func TestSymbolicLinksAreNotFollowed(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.txt"), "secret")
	write(filepath.Join(inside, "index.html"), "<p>page")
	for name, target := range map[string]string{"leak.txt": filepath.Join(outside, "secret.txt"), "leak": outside,
		"again.html": "index.html"} {
		if err := os.Symlink(target, filepath.Join(inside, name)); err != nil {
			t.Skip("SKIPPED: this file system has no symbolic links: ", err)
		}
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h, err := New(root.FS(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Skipped()) != 3 || h.Len() != 1 {
		t.Errorf("skipped %q and serves %d files; want the three links skipped and one file served", h.Skipped(), h.Len())
	}
	for _, path := range []string{"/leak.txt", "/leak/secret.txt", "/again.html"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 404 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("GET %s: %d %s", path, w.Code, w.Body)
		}
	}
}
