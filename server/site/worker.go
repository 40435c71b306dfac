package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// workerAttribute is the attribute in which the page names its service worker: <script src="assets/js/page/offline.js"
// data-worker="assets/js/worker/service-worker.js">. The worker is published next to the page under its own name,
// because a worker controls the folder that it is in, and browsers update it at a fixed address.
const workerAttribute = "data-worker"

// placeholder is the worker's line that is replaced by the site's version and files.
const placeholder = `const site = { version: "", files: [] };`

// part matches a line of the worker that loads another script of its folder. The script replaces the line, so that
// browsers download, compare and keep one file.
var part = regexp.MustCompile(`(?m)^importScripts\("([\w-]+\.js)"\);$`)

// embed is the folder for other pages (wasm/embed/package). The page does not need it, so the worker does not download
// it.
const embed = "embed/"

// studioFolder is the folder of the studio (ui/studio), which has a worker of its own.
const studioFolder = "studio/"

// workerFile is a file as listed in the worker.
type workerFile struct {
	Address string `json:"address"` // relative to the page
	Size    int    `json:"size"`    // bytes of the content before compression
	Digest  string `json:"digest"`  // SHA-256 of the content before compression, in hexadecimal digits
	Type    string `json:"type"`    // media type

	Steps []workerStep `json:"steps,omitempty"` // deltas from older versions to this one, oldest first
}

// nameWorker records the worker at this address of the tree, which the page's reference r names.
func (b *builder) nameWorker(content []byte, r reference, to string) error {
	if b.worker != "" {
		return mistakef(r.start, "the page has a second service worker, %s; remove one", r.address)
	}
	if r.end == len(content) || content[r.end] != '"' {
		return mistakef(r.start, "the value of %s needs double quotes", workerAttribute)
	}
	if _, err := os.Stat(b.disk(to)); err != nil {
		return mistakef(r.start, "%s does not exist; expected at %s", r.address, b.disk(to))
	}
	b.worker = to
	return nil
}

// addWorker publishes the page's worker, if it has one, with the list of all other files except those in embed, and
// adds the version to the page as data-version after data-worker. It is called last.
//
// The version is a digest of names and contents, so it changes if and only if a file does.
func (b *builder) addWorker() error {
	if b.worker == "" {
		return nil
	}
	disk := b.disk(b.worker)
	f, err := b.readWorker()
	if err != nil {
		return err
	}
	if bytes.Count(f.content, []byte(placeholder)) != 1 {
		return fmt.Errorf("%s must contain the line %q once, for the site builder to fill in: restore it", disk,
			placeholder)
	}
	f.name, f.load = path.Base(b.worker), true
	for _, other := range b.done {
		if other.name == f.name {
			return fmt.Errorf("%s and %s would both be published as %s: rename one", b.worker, other.source, f.name)
		}
	}

	digests, sizes := map[string]string{}, map[string]int{}
	for _, other := range b.done {
		if strings.HasPrefix(other.name, embed) || strings.HasPrefix(other.name, studioFolder) {
			continue
		}
		digests[other.name], sizes[other.name] = fingerprint.Sum(other.content), len(other.content)
	}
	var all strings.Builder
	for _, name := range sortedKeys(digests) {
		fmt.Fprintf(&all, "%q %s\n", name, digests[name])
	}
	version := fingerprint.Sum([]byte(all.String()))[:16]

	first := b.done[page]
	named := []byte(workerAttribute + `="` + f.name + `"`)
	first.content = bytes.Replace(first.content, named, slices.Concat(named, []byte(` data-version="`+version+`"`)), 1)
	digests[first.name], sizes[first.name] = fingerprint.Sum(first.content), len(first.content)

	steps, err := b.allSteps(f.name, digests)
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(digests) {
		address := (&url.URL{Path: name}).EscapedPath()
		b.files = append(b.files,
			workerFile{address, sizes[name], digests[name], server.ContentType(name), steps[name]})
	}
	filled, err := json.Marshal(map[string]any{"version": version, "files": b.files})
	if err != nil {
		return err
	}
	f.content = bytes.Replace(f.content, []byte(placeholder), []byte("const site = "+string(filled)+";"), 1)
	b.done[b.worker] = f
	return nil
}

// readWorker reads the worker, with its parts inserted for the lines that load them.
func (b *builder) readWorker() (*built, error) {
	f, err := b.read(b.worker)
	if err != nil {
		return nil, err
	}
	f.content = part.ReplaceAllFunc(f.content, func(line []byte) []byte {
		name := path.Join(path.Dir(b.worker), string(part.FindSubmatch(line)[1]))
		b.parts = append(b.parts, name)
		script, readErr := b.read(name)
		if readErr != nil {
			err = errors.Join(err, fmt.Errorf("%s loads %s: %w", b.disk(b.worker), name, readErr))
			return nil
		}
		return bytes.TrimRight(script.content, "\n")
	})
	return f, err
}
