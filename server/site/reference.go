package site

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// reference is an address found in a file: the bytes [start, end) of its text.
type reference struct {
	start, end int
	address    string // as written
	link       bool   // the visitor may follow it (<a href>), but nothing is loaded from it by itself
	attribute  string // the page's attribute that holds it, "" outside the page
}

// scanner finds the references of one kind of file. It returns a *mistake for what it must refuse.
type scanner func(content []byte) ([]reference, error)

// scanners by extension. Files of other kinds refer to nothing.
var scanners = map[string]scanner{
	".html":        scanHTML,
	".js":          scanJS,
	".mjs":         scanJS,
	".css":         scanCSS,
	".webmanifest": scanManifest,
}

// mistake is something wrong at one place of a file.
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

// target resolves the reference from the file it stands in, to a name within the tree. It returns "" for an address
// that leads to no file of the site: a place on the same page, data within the address, another site's page.
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
			"%q is loaded from another site; the page may only load its own files: put it under assets/", a)
	case a[0] == '/':
		return "", mistakef(r.start,
			"the address %q begins with a slash and would break under a sub-path: write it relative to this file", a)
	}
	if !utf8.ValidString(a) {
		return "", mistakef(r.start, "the address %q is not UTF-8, so it can name no file: write the file in UTF-8", a)
	}
	a, _ = splitSuffix(a)
	to := path.Join(path.Dir(from), a)
	switch {
	case to == ".": // the page's own folder
		return "", nil
	case to == ".." || strings.HasPrefix(to, "../"):
		return "", mistakef(r.start, "%q leads out of the site", r.address)
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
