//go:build !js

package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/brief"
)

// Handler serves the files of one site. It is created by New, immutable, and safe for concurrent use.
type Handler struct {
	prefix  string // begins and ends with "/"
	files   map[string]*file
	skipped []string
	policy  string
}

// Options of a Handler. The zero value serves the site at the root of the host.
type Options struct {
	Prefix string // the path of the site: "/demo/"; "" and "/" are the root
}

// New reads the folder and returns its handler. The folder must contain index.html, hold at most MaxSite bytes, and
// have compressed forms that match their originals. O(bytes of the folder).
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
		return nil, errors.New("the site folder has no index.html: build the site first (make site)")
	}
	policy := policyOf(files["index.html"].identity().data)
	return &Handler{prefix: prefix, files: files, skipped: skipped, policy: policy}, nil
}

// Prefix returns the path of the site. It begins and ends with "/".
func (h *Handler) Prefix() string { return h.prefix }

// Len returns the number of addresses with a file.
func (h *Handler) Len() int { return len(h.files) }

// Skipped lists entries of the folder that are neither files nor folders and are not served: symbolic links, sockets
// and the like.
func (h *Handler) Skipped() []string { return h.skipped }

// CleanPrefix normalises a prefix to "/a/b/", or "/" for the root.
func CleanPrefix(prefix string) (string, error) {
	trimmed := strings.Trim(prefix, "/")
	if trimmed == "" {
		return "/", nil
	}
	for part := range strings.SplitSeq(trimmed, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "?#%\\") ||
			strings.ContainsFunc(part, isControl) {
			return "", fmt.Errorf("the prefix %q is not a path: write it as /demo/ or /a/b/, in ASCII letters",
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
			"It supports only GET and HEAD.", h.prefix)
		return
	}
	name, ok := strings.CutPrefix(r.URL.Path, h.prefix)
	if !ok && r.URL.Path+"/" == h.prefix {
		// Without the trailing slash the page's relative addresses would point outside of the site.
		w.Header().Set("Location", h.prefix)
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	if ok && name == "" {
		name = "index.html"
	}
	f := h.files[name]
	if ok && f == nil && strings.HasSuffix(name, "/") {
		f = h.files[name+"index.html"]
	}
	if ok && f == nil && h.files[name+"/index.html"] != nil {
		w.Header().Set("Location", (&url.URL{Path: h.prefix + name + "/"}).EscapedPath())
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	if !ok || f == nil {
		sendPage(w, http.StatusNotFound, "There is no page here",
			"The address may be mistyped, or the page has moved.", h.prefix)
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
		sendPage(w, http.StatusNotAcceptable, "This file has no acceptable form",
			"The request's Accept-Encoding refuses every available form, including the uncompressed one.", h.prefix)
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
		b = f.identity() // ranges always refer to the uncompressed file
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
	// ServeContent handles If-Match, If-None-Match, If-Range, ranges and HEAD. Without a time it sends no
	// Last-Modified: the ETag suffices, and is the same on every machine.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.data))
}

// sized adds the Content-Length that ServeContent omits if there is a Content-Encoding.
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

func setSecurity(h http.Header) {
	for _, s := range security {
		h.Set(s[0], s[1])
	}
}
