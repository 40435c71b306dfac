package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// traversals returns addresses that try to leave the site's folder, as in a request line: every spelling of two dots
// with every spelling of a slash, from several places, and some special cases.
func traversals() (all []string) {
	dots := []string{
		"..", "%2e%2e", ".%2e", "%2E.", "%252e%252e", "..%00", "..;", "%c0%ae%c0%ae", "%ef%bc%8e%ef%bc%8e", "....",
		"%u002e%u002e",
	}
	slashes := []string{"/", "%2f", "%2F", "\\", "%5c", "%252f", "%c0%af", "//", "/./"}
	for _, from := range []string{"/demo/", "/demo/assets/", "/"} {
		for _, d := range dots {
			for _, s := range slashes {
				all = append(all, from+d+s+"secret.txt")
			}
		}
	}
	for _, depth := range []int{2, 8, 64} {
		all = append(all, "/demo/"+strings.Repeat("../", depth)+"etc/passwd",
			"/demo/assets/"+strings.Repeat("%2e%2e/", depth)+"etc/passwd",
			"/demo/"+strings.Repeat("..%5c", depth)+"windows/win.ini")
	}
	return append(all,
		"/demo/.hidden", "/demo/%2ehidden", "/demo/.git/config", "/demo/assets/.hidden", "/demo/assets/./.hidden",
		"/demo//etc/passwd", "/demo///etc/passwd", "//etc/passwd", "/etc/passwd", "/demo/file:///etc/passwd",
		"/demo/C:/secret.txt", "/demo/c$/secret.txt", "/demo/assets", "/demo/assets/", "/demo/assets/.",
		"/demo/assets/..", "/demo/assets/a.css/", "/demo/assets/a.css/..", "/demo/index.html/../../secret.txt",
		"/demo/index.html%00", "/demo/index.html%00.css", "/demo/secret.txt%00.css", "/demo/index.html%20",
		"/demo/index.html.", "/demo/INDEX.HTML", "/demo/index.html::$DATA", "/demo/leak.txt", "/demo/leak/secret.txt",
		"/demo/assets/a.css.br", "/demo/~root/", "/demo/%", "/demo/%zz", "/demo/%2", "/demo\\..\\secret.txt",
		"/demo/..", "/demo/../", "/demo/.", "/demo/./", "/demo/./index.html", "/../demo/../secret.txt", "/demo/*",
		"/demo/?../secret.txt#", "*")
}

// TestTraversals sends each of them unchanged to a server of a folder with a secret next to it and links to the secret.
// Only files of the site are served, and only under their names.
func TestTraversals(t *testing.T) {
	base := t.TempDir()
	site := filepath.Join(base, "site")
	if err := os.MkdirAll(filepath.Join(site, "assets"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"site/index.html": "<p>page", "site/assets/a.css": "style",
		"site/.hidden": "secret", "site/assets/.hidden": "secret", "secret.txt": "secret"} {
		if err := os.WriteFile(filepath.Join(base, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"leak.txt": filepath.Join(base, "secret.txt"), "leak": base} {
		if err := os.Symlink(target, filepath.Join(site, name)); err != nil {
			t.Logf("without links: %v", err)
		}
	}
	root, err := os.OpenRoot(site)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h, err := New(root.FS(), Options{Prefix: "/demo/"})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	all := traversals()
	if len(all) < 189 {
		t.Fatalf("only %d addresses", len(all))
	}
	seen := map[int]int{}
	for _, address := range all {
		status, body := raw(t, s.Listener.Addr().String(), address)
		seen[status]++
		switch {
		case strings.Contains(body, "secret") || strings.Contains(body, "root:"):
			t.Errorf("%s revealed the secret", address)
		case status == 200 && !(address == "/demo/?../secret.txt#" && body == "<p>page"):
			t.Errorf("%s is answered with %q", address, body)
		case status != 200 && status != 400 && status != 404:
			t.Errorf("%s is answered with status %d", address, status)
		}
	}
	t.Logf("%d addresses: %v", len(all), seen)
}

// raw sends a request line unchanged.
func raw(t *testing.T, server, address string) (status int, body string) {
	t.Helper()
	c, err := net.Dial("tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n", address); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return resp.StatusCode, string(b)
}
