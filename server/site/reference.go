package site

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// reference is an address in a file, at the bytes [start, end).
type reference struct {
	start, end int
	address    string // as written
	link       bool   // the visitor can follow it (<a href>), but it loads nothing
	attribute  string // the page's attribute with the address; "" in other files
	bundle     bool   // a script to publish as one file with its imports
}

// scanner finds the references in one kind of file. It returns a *mistake for content that it must reject.
type scanner func(content []byte) ([]reference, error)

// scanners by extension. Other files have no references.
var scanners = map[string]scanner{
	".html":        scanHTML,
	".js":          scanJS,
	".mjs":         scanJS,
	".css":         scanCSS,
	".webmanifest": scanManifest,
}

// mistake is an error at a position of a file.
type mistake struct {
	offset int
	text   string
}

func (m *mistake) Error() string { return m.text }

func mistakef(offset int, format string, args ...any) error {
	return &mistake{offset, fmt.Sprintf(format, args...)}
}

// line returns the 1-based line of an offset.
func line(content []byte, offset int) int { return 1 + bytes.Count(content[:offset], []byte("\n")) }

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// target resolves the reference relative to its file and returns a name in the tree. It returns "" for an address
// outside of the site's files: a fragment of the same page, a data: URL, a link to another site.
func (r reference) target(from string) (string, error) {
	a := r.address
	switch {
	case a == "", a[0] == '#', a[0] == '?', strings.HasPrefix(a, "data:"):
		return "", nil
	case strings.HasPrefix(a, "//") || scheme.MatchString(a):
		if r.link {
			return "", nil
		}
		return "", mistakef(r.start,
			"%q is loaded from another site, but the page can only load its own files: copy it to assets/", a)
	case a[0] == '/':
		return "", mistakef(r.start,
			"the address %q begins with a slash and would fail under a sub-path: make it relative to this file", a)
	}
	if !utf8.ValidString(a) {
		return "", mistakef(r.start, "the address %q is not UTF-8: save the file as UTF-8", a)
	}
	a, _ = splitSuffix(a)
	to := path.Join(path.Dir(from), a)
	switch {
	case to == ".": // the page's own folder
		return "", nil
	case to == ".." || strings.HasPrefix(to, "../"):
		return "", mistakef(r.start, "%q points outside the site", r.address)
	case to == "assets/data" || strings.HasPrefix(to, "assets/data/"):
		return "", mistakef(r.start, "%q is training data; assets/data is never published", r.address)
	}
	return to, nil
}

// splitSuffix cuts an address before its query or fragment.
func splitSuffix(address string) (path, suffix string) {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		return address[:i], address[i:]
	}
	return address, ""
}

// renamed returns the address with its last element replaced by the base of name.
func (r reference) renamed(name string) string {
	a, suffix := splitSuffix(r.address)
	return a[:strings.LastIndexByte(a, '/')+1] + path.Base(name) + suffix
}

// edit replaces the bytes [start, end) of a file.
type edit struct {
	start, end int
	text       string
}

// apply makes the edits, which must be in order and must not overlap.
func apply(content []byte, edits []edit) []byte {
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(content[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(content[at:])
	return b.Bytes()
}
