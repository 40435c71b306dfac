package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/brief"
)

// Handler answers requests for the files of one site. It is made by New, never changes, and is safe for any number of
// requests at once.
type Handler struct {
	prefix  string // begins and ends with "/"
	files   map[string]*file
	skipped []string
	policy  string
}

// Options of a Handler. The zero value serves the site at the root of the host.
type Options struct {
	Prefix string // the path the site lives under: "/demo/"; "" and "/" are the root
}

// New reads the folder and returns its handler. The folder must hold index.html, at most MaxSite bytes altogether,
// and compressed forms that belong to their originals. O(bytes of the folder).
func New(folder fs.FS, o Options) (*Handler, error) {
	prefix, err := CleanPrefix(o.Prefix)
	if err != nil {
		return nil, err
	}
	files, skipped, err := snapshot(folder)
	if err != nil {
		return nil, err
	}
	if files["index.html"] == nil {
		return nil, errors.New("the site folder holds no index.html: build the site first (make site)")
	}
	policy := policyOf(files["index.html"].identity().data)
	return &Handler{prefix: prefix, files: files, skipped: skipped, policy: policy}, nil
}

// Prefix returns the path the site lives under. It begins and ends with "/".
func (h *Handler) Prefix() string { return h.prefix }

// Len returns the number of addresses that lead to a file.
func (h *Handler) Len() int { return len(h.files) }

// Skipped lists what lies in the folder and is not served because it is neither a file nor a folder: symbolic links,
// sockets and the like.
func (h *Handler) Skipped() []string { return h.skipped }

// CleanPrefix brings a prefix into the form "/a/b/", "/" for the root.
func CleanPrefix(prefix string) (string, error) {
	trimmed := strings.Trim(prefix, "/")
	if trimmed == "" {
		return "/", nil
	}
	for part := range strings.SplitSeq(trimmed, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "?#%\\") ||
			strings.ContainsFunc(part, isControl) {
			return "", fmt.Errorf("the prefix %q is not a path: write it as /demo/ or /a/b/, in plain characters",
				brief.Text(prefix))
		}
	}
	return "/" + trimmed + "/", nil
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setSecurity(w.Header())
	w.Header().Set("Content-Security-Policy", h.policy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		sendPage(w, http.StatusMethodNotAllowed, "This address can only be read",
			"It answers GET and HEAD, nothing else.", h.prefix)
		return
	}
	name, ok := strings.CutPrefix(r.URL.Path, h.prefix)
	if !ok && r.URL.Path+"/" == h.prefix {
		// Without its last slash the page's relative addresses would point beside the site.
		w.Header().Set("Location", h.prefix)
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	if ok && name == "" {
		name = "index.html"
	}
	f := h.files[name]
	if !ok || f == nil {
		sendPage(w, http.StatusNotFound, "There is no page here",
			"The address may have been mistyped, or the page has moved.", h.prefix)
		return
	}
	h.serveFile(w, r, f)
}

func (h *Handler) serveFile(w http.ResponseWriter, r *http.Request, f *file) {
	header := w.Header()
	if len(f.bodies) > 1 {
		header.Set("Vary", "Accept-Encoding")
	}
	i := choose(r.Header.Values("Accept-Encoding"), f.codings)
	if i < 0 {
		sendPage(w, http.StatusNotAcceptable, "No form of this file suits the request",
			"Its Accept-Encoding refuses every form there is, the plain one included.", h.prefix)
		return
	}
	b := &f.bodies[i]
	if part := rangeOf(r, len(f.identity().data)); part != r.Header.Get("Range") || len(r.Header.Values("Range")) > 1 {
		r = r.Clone(r.Context())
		if r.Header.Del("Range"); part != "" {
			r.Header.Set("Range", part)
		}
	}
	if r.Header.Get("Range") != "" && choose(r.Header.Values("Accept-Encoding"), []string{identity}) == 0 {
		b = f.identity() // a part of a file means a part of the file as it is, never of a compressed form
	}
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", b.etag)
	if b.coding != identity {
		header.Set("Content-Encoding", b.coding)
		r = r.Clone(r.Context())
		r.Header.Del("Range")
		w = sized{w, len(b.data)}
	}
	// ServeContent does If-Match, If-None-Match, If-Range, ranges and HEAD. Without a time it sends no Last-Modified:
	// the hash says all, and says the same on every machine.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.data))
}

// sized adds the Content-Length that ServeContent leaves out where there is a Content-Encoding.
type sized struct {
	http.ResponseWriter
	length int
}

func (s sized) WriteHeader(status int) {
	if status == http.StatusOK {
		s.Header().Set("Content-Length", strconv.Itoa(s.length))
	}
	s.ResponseWriter.WriteHeader(status)
}
