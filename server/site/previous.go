package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"

	"github.com/andybalholm/brotli"

	"github.com/pmlam/pmlam/core/delta"
	"github.com/pmlam/pmlam/core/publish"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// Returning visitors already have most files: files with the same content are reused, and for the others the site holds
// deltas (core/delta), each from one published content of a file to the next. A visitor of yesterday downloads one of
// them, a visitor of last week seven. A file whose result lacks the digest listed in the worker is downloaded whole.

// deltas is the site's folder for them. Visitors' offline copies do not include it.
const deltas = "deltas/"

// mostSteps is the number of deltas of a file that a site keeps. worth is the share of the whole file that they may
// cost together, all compressed; beyond that, visitors with the oldest content download the file whole.
const (
	mostSteps = 30
	worth     = 0.5
)

// mostWorker bounds the size in bytes of an older site's service worker.
const mostWorker = 16 << 20

// workerStep is a delta of a file, as listed in the worker.
type workerStep struct {
	From    workerBase `json:"from"`
	Address string     `json:"address"` // of the delta, relative to the page
	Size    int        `json:"size"`    // bytes of the delta before compression
	Digest  string     `json:"digest"`  // of the delta
}

// workerBase identifies the source of a delta: a file of an older version.
type workerBase struct {
	Address string `json:"address"`
	Digest  string `json:"digest"`
}

// previous is an older site.
type previous struct {
	folder string
	worker string                // its worker's digest; "" without a site
	files  map[string]workerFile // by name without fingerprint
}

var (
	siteLine = regexp.MustCompile(`(?m)^const site = (\{.*\});( //.*)?$`)
	hashed   = regexp.MustCompile(fmt.Sprintf(`\.[0-9a-f]{%d}(\.|$)`, fingerprint.Length))
	fullSum  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// stem returns a file's name without its fingerprint, which is the same in every version.
func stem(name string) string { return hashed.ReplaceAllString(name, "$1") }

// openPrevious reads an older site's list of files. It is empty if the folder does not exist, or if its first build did
// not finish.
func openPrevious(folder, worker string) (*previous, error) {
	p := &previous{folder: folder, files: map[string]workerFile{}}
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the previous site: %w", err)
	}
	defer root.Close()
	content, err := readAtMost(root, worker, mostWorker)
	if errors.Is(err, fs.ErrNotExist) {
		names, err := fs.ReadDir(root.FS(), ".")
		if err == nil && (len(names) == 0 || publish.HasList(folder, kind)) {
			return p, nil
		}
		return nil, fmt.Errorf("%s, the previous site, has no %s: name a folder written by this program", folder,
			worker)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the previous site: %w", err)
	}
	var list struct{ Files []workerFile }
	found := siteLine.FindSubmatch(content)
	if found == nil {
		return nil, fmt.Errorf("%s of the previous site, %s, does not list its files: name a folder written by this "+
			"program", worker, folder)
	}
	if err := json.Unmarshal(found[1], &list); err != nil {
		return nil, fmt.Errorf("cannot read the list of files in %s of the previous site, %s: %w", worker, folder, err)
	}
	p.worker = fingerprint.Sum(content)
	for _, f := range list.Files {
		p.files[stem(nameOf(f.Address))] = f
	}
	return p, nil
}

// nameOf returns the name of the file at an address, or "" for an invalid address.
func nameOf(address string) string {
	name, err := url.PathUnescape(address)
	if err != nil || !fs.ValidPath(name) {
		return ""
	}
	return name
}

// read returns a file of the older site and checks its digest. It reads nothing outside of the folder.
func (p *previous) read(address, digest string) ([]byte, error) {
	name := nameOf(address)
	if name == "" {
		return nil, fmt.Errorf("%q is not a file of the site", address)
	}
	root, err := os.OpenRoot(p.folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	content, err := readAtMost(root, name, delta.MaxSize)
	if err == nil && fingerprint.Sum(content) != digest {
		err = fmt.Errorf("%s differs from the published file", name)
	}
	return content, err
}

// allSteps returns the steps to the files with these digests, by name; none without a previous site.
func (b *builder) allSteps(worker string, digests map[string]string) (map[string][]workerStep, error) {
	if b.Previous == "" {
		return nil, nil
	}
	var err error
	if b.older, err = openPrevious(b.Previous, worker); err != nil {
		return nil, err
	}
	files := map[string]*built{}
	for _, f := range b.done {
		files[f.name] = f
	}
	all := map[string][]workerStep{}
	for _, name := range sortedKeys(digests) {
		if all[name], err = b.steps(files[name], digests[name]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// steps returns the deltas that lead to a file, oldest first, and publishes them: those of the older site and, if the
// content has changed, a new one if it is small enough. It uses nothing of an older site that was modified, and notes
// why.
func (b *builder) steps(f *built, digest string) ([]workerStep, error) {
	p := b.older
	before, ok := p.files[stem(f.name)]
	if !ok {
		return nil, nil
	}
	steps := slices.Clone(before.Steps[max(len(before.Steps)-mostSteps, 0):])
	content := map[string][]byte{} // address → delta
	for i, s := range steps {
		d, err := p.delta(f.name, s)
		if err != nil {
			b.distrust(f, err)
			steps = nil
			break
		}
		content[s.Address], steps[i].Size = d, len(d)
	}
	if before.Digest != digest {
		base, err := p.read(before.Address, before.Digest)
		if err != nil {
			b.distrust(f, err)
			return nil, nil
		}
		d := delta.Make(base, f.content)
		if made, err := delta.Apply(base, d); err != nil || !bytes.Equal(made, f.content) {
			return nil, fmt.Errorf("the delta of %s from the previous site gives another file: %v", f.name,
				err)
		}
		address := deltaAddress(f.name, d)
		content[address] = d
		steps = append(steps, workerStep{workerBase{before.Address, before.Digest}, address, len(d),
			fingerprint.Sum(d)})
	}
	whole, err := packedSize(f.content)
	if err != nil {
		return nil, err
	}
	first, left := len(steps), worth*float64(whole)
	for first > 0 && len(steps)-first < mostSteps {
		size, err := packedSize(content[steps[first-1].Address])
		if err != nil {
			return nil, err
		}
		if left -= float64(size); left < 0 {
			if first == len(steps) && before.Digest != digest {
				b.unworthy[f.name] = size
			}
			break
		}
		first--
	}
	for _, s := range steps[first:] {
		name := nameOf(s.Address)
		b.done[name] = &built{source: name, name: name, content: content[s.Address]}
	}
	return steps[first:], nil
}

// deltaAddress returns the address of a delta to the file of this name.
func deltaAddress(name string, d []byte) string {
	return (&url.URL{Path: fingerprint.Name(deltas+path.Base(stem(name))+".delta", d)}).EscapedPath()
}

// delta returns the delta of a step to the file of this name, after checking that this package wrote it.
func (p *previous) delta(name string, s workerStep) ([]byte, error) {
	d, err := p.read(s.Address, s.Digest)
	if err == nil {
		err = delta.Check(d)
	}
	if err == nil && (s.Address != deltaAddress(name, d) || stem(nameOf(s.From.Address)) != stem(name) ||
		!fullSum.MatchString(s.From.Digest)) {
		err = fmt.Errorf("%q is not a delta of this file", s.Address)
	}
	return d, err
}

// distrust notes why visitors download a file whole.
func (b *builder) distrust(f *built, err error) {
	b.notes = append(b.notes, fmt.Sprintf("Visitors of the previous site, %s, download all of %s, because it is "+
		"damaged there: %v", b.Previous, f.name, err))
}

// packedSize approximates the transfer size of content; a low quality suffices for comparisons.
func packedSize(content []byte) (int, error) {
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, 5)
	if _, err := w.Write(content); err != nil {
		return 0, err
	}
	err := w.Close()
	return packed.Len(), err
}
