//go:build !js

package server

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// file is an address of the site: the same content in one or more codings, preferred first.
type file struct {
	contentType string
	cache       string
	codings     []string // of bodies; the last is identity
	bodies      []body
}

type body struct {
	coding string
	etag   string // strong: a hash of data, so each coding has its own
	data   []byte
}

// identity returns the uncompressed file.
func (f *file) identity() *body { return &f.bodies[len(f.bodies)-1] }

// suffixes of the compressed forms, in order of preference.
var suffixes = []struct{ coding, suffix string }{{brotli, ".br"}, {gzip, ".gz"}}

// snapshot reads every regular file of fsys. Names that begin with a dot, at any level, are skipped, as is everything
// that is not a regular file, which skipped lists. A file x.br or x.gz next to x becomes a coding of x and loses its
// own address.
func snapshot(fsys fs.FS) (files map[string]*file, skipped []string, err error) {
	contents := map[string][]byte{}
	var names []string
	left := int64(MaxSite)
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("reading %s in the site folder: %w", name, err)
		}
		if name != "." && strings.HasPrefix(path.Base(name), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if !d.Type().IsRegular() {
			skipped = append(skipped, name)
			return nil
		}
		data, err := readAtMost(fsys, name, left)
		if err != nil {
			return err
		}
		left -= int64(len(data))
		contents[name] = data
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	files = make(map[string]*file, len(names))
	forms := map[string]bool{} // names of codings of other files
	for _, name := range names {
		for _, s := range suffixes {
			if _, ok := contents[strings.TrimSuffix(name, s.suffix)]; ok && strings.HasSuffix(name, s.suffix) {
				forms[name] = true
			}
		}
	}
	for _, name := range names {
		if forms[name] {
			continue
		}
		if files[name], err = newFile(name, contents); err != nil {
			return nil, nil, err
		}
	}
	return files, skipped, nil
}

func readAtMost(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening %s in the site folder: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s in the site folder: %w", name, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("the site folder has more than %d MiB (reached at %s): this server keeps it in "+
			"memory; publish a smaller model, or use another static host (docs/deploy.md)", MaxSite>>20, name)
	}
	return data, nil
}

// newFile collects the forms of a file and checks that each compressed one matches.
func newFile(name string, contents map[string][]byte) (*file, error) {
	data := contents[name]
	sum := fingerprint.Sum(data)
	f := &file{contentType: ContentType(name), cache: cacheRevalidate}
	if fingerprint.Matches(name, sum) {
		f.cache = cacheForever
	}
	for _, s := range suffixes {
		packed, ok := contents[name+s.suffix]
		if !ok || len(packed) >= len(data) {
			continue // useless: it saves nothing
		}
		if !UnpacksTo(s.coding, packed, data) {
			return nil, fmt.Errorf("%s is not the compressed form of %s, so the folder mixes two builds; "+
				"build the site again", name+s.suffix, name)
		}
		f.add(s.coding, packed, fingerprint.Sum(packed))
	}
	f.add(identity, data, sum)
	return f, nil
}

func (f *file) add(coding string, data []byte, sum string) {
	f.bodies = append(f.bodies, body{coding, `"` + sum[:32] + `"`, data})
	f.codings = append(f.codings, coding)
}
