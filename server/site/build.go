package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/publish"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// page is the entry point; it keeps its name.
const page = "index.html"

// Config holds the options of Build.
type Config struct {
	Tree    string              // the folder with index.html and assets/
	Out     string              // the site folder to write (package publish); replaces an older site
	With    map[string]string   // address in the tree → the file on disk to use instead
	Copy    map[string]string   // address in the site → a file to publish there unchanged, such as a licence
	Quality int                 // of brotli, 0 to 11: 11 to publish, 5 for a quick look; gzip always uses 9
	Project *siteconfig.Project // the owner's settings; nil builds the tree as it is
	Cache   string              // a folder that caches compressed files between runs; "" for none

	// An older site, which may be Out. Its visitors then download only the changes; with "", or if it does not exist
	// yet, they download whole files.
	Previous string

	disk publish.FS // nil: the machine's; tests make it fail
}

// Build writes the site and reports its content. Afterwards Out holds the new site and any other files it had. After an
// error or a kill it holds the older or the newer site, complete. Compression takes seconds at quality 11 the first
// time, and almost no time from the cache.
func Build(c Config) (*Report, error) {
	if c.Quality < 0 || c.Quality > 11 {
		return nil, fmt.Errorf("the brotli quality is %d; it must be from 0 to 11", c.Quality)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	for _, m := range []map[string]string{c.With, c.Copy} {
		for _, address := range sortedKeys(m) {
			if !fs.ValidPath(address) || strings.Contains(address, "\\") {
				return nil, fmt.Errorf("%q is not an address in the site: write it like assets/app.wasm", address)
			}
		}
	}
	if err := c.checkSecrets(); err != nil {
		return nil, err
	}
	b := &builder{Config: c, done: map[string]*built{}, joined: map[string]bool{}, unworthy: map[string]int{}}
	if _, err := b.build(page, true); err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(c.Copy) {
		if _, err := b.build(name, false); err != nil {
			return nil, err
		}
	}
	if err := b.addWorker(); err != nil {
		return nil, err
	}
	files := make([]*built, 0, len(b.done))
	for _, name := range sortedKeys(b.done) {
		files = append(files, b.done[name])
	}
	unused, err := b.unused()
	if err != nil {
		return nil, err
	}
	if err := compressAll(files, c.Quality, c.Cache); err != nil {
		return nil, err
	}
	if c.Project != nil {
		more, err := b.extraFiles(files)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	worker := ""
	if b.worker != "" {
		worker = b.done[b.worker].name
	}
	report := newReport(files, unused)
	report.Notes = b.notes
	if err := c.write(files, worker, report); err != nil {
		return nil, err
	}
	report.Returning = b.returning()
	return report, nil
}

// built is a finished file of the site.
type built struct {
	source   string // its address in the tree
	name     string // its address in the site
	content  []byte
	br, gz   []byte // nil if they save nothing
	load     bool   // part of the first load
	roles    []string
	children []*built
}

type builder struct {
	Config
	done   map[string]*built // by address in the tree
	path   []string          // the files being built, outermost first: detects cycles
	worker string            // address of the page's service worker, or ""
	parts  []string          // addresses of the scripts merged into the worker or a bundle
	joined map[string]bool   // addresses of modules that are published with their imports

	files    []workerFile   // the files listed in the worker
	older    *previous      // nil without Previous
	unworthy map[string]int // name → size of a delta that is too large
	notes    []string       // sentences for the owner
}

// build finishes the file at this address of the tree and all files that it refers to.
func (b *builder) build(address string, load bool) (*built, error) {
	if f, ok := b.done[address]; ok {
		if load {
			f.markLoaded()
		}
		return f, nil
	}
	if i := slices.Index(b.path, address); i >= 0 {
		return nil, fmt.Errorf("%s refer to one another in a circle, so their names cannot contain a hash: "+
			"move the shared code to another file", strings.Join(append(b.path[i:], address), " → "))
	}
	b.path = append(b.path, address)
	defer func() { b.path = b.path[:len(b.path)-1] }()

	f, err := b.read(address)
	if err != nil {
		return nil, err
	}
	f.load = load
	if b.joined[address] {
		if f.content, err = b.bundled(address); err != nil {
			return nil, err
		}
	}
	disk, content := b.disk(address), f.content
	_, asItIs := b.Copy[address]
	if scan := scanners[strings.ToLower(path.Ext(address))]; scan != nil && !asItIs {
		refs, err := scan(content)
		if err != nil {
			return nil, place(disk, content, err)
		}
		if f.content, err = b.rewrite(f, refs); err != nil {
			return nil, place(disk, content, err)
		}
	}
	switch {
	case asItIs:
		f.name = address
	case address == page:
		f.name = address
		if err := b.withStarters(f); err != nil {
			return nil, place(disk, content, err)
		}
		var origins []string
		if b.Project != nil {
			origins = b.Project.Site.PictureOrigins
		}
		if f.content, err = withPolicy(f.content, origins, b.Copy[studioFolder+page] != ""); err != nil {
			return nil, place(disk, content, err)
		}
	default:
		// A replacement is named after its own file: shop.msgpack, not movielens.msgpack.
		f.name = fingerprint.Name(path.Join(path.Dir(address), filepath.Base(disk)), f.content)
	}
	b.done[address] = f
	return f, nil
}

// read reads the file at this address of the tree, but not its references.
func (b *builder) read(address string) (*built, error) {
	content, err := os.ReadFile(b.disk(address))
	if err != nil {
		return nil, err
	}
	if b.Project != nil {
		own, err := branded(b.Project, address, content)
		if err != nil {
			return nil, place(b.disk(address), content, err)
		}
		content = own
	}
	return &built{source: address, content: content}, nil
}

// rewrite builds the references of f and returns its content with the site's addresses. In the page, it adds
// data-x-size to an attribute data-x: the size before compression, which the loader needs for its progress bar and
// cannot learn from a compressed response.
func (b *builder) rewrite(f *built, refs []reference) ([]byte, error) {
	var edits []edit
	for _, r := range refs {
		to, err := r.target(f.source)
		if err != nil {
			return nil, err
		}
		if to == "" {
			continue
		}
		if r.attribute == workerAttribute {
			if err := b.nameWorker(f.content, r, to); err != nil {
				return nil, err
			}
			edits = append(edits, edit{r.start, r.end, path.Base(to)})
			continue
		}
		if r.bundle || b.joined[f.source] && path.Ext(to) == ".js" {
			b.joined[to] = true
		}
		child, err := b.build(to, f.load && !r.link)
		var unread *fs.PathError // of the child itself; errors below it already name their place
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, mistakef(r.start, "%s does not exist; expected at %s", r.address,
				b.disk(to))
		case errors.As(err, &unread):
			return nil, mistakef(r.start, "cannot read %s: %v", r.address, err)
		case err != nil:
			return nil, err
		}
		f.children = append(f.children, child)
		edits = append(edits, edit{r.start, r.end, r.renamed(child.name)})
		if name, ok := strings.CutPrefix(r.attribute, "data-"); ok {
			child.roles = append(child.roles, name)
			// The edit is inserted before the closing quote, so it closes the attribute and leaves its own last quote
			// open.
			quote := string(f.content[r.end])
			if quote != `"` && quote != `'` {
				return nil, mistakef(r.start, "the value of %s needs quotes", r.attribute)
			}
			edits = append(edits,
				edit{r.end, r.end, quote + " " + r.attribute + "-size=" + quote + fmt.Sprint(len(child.content))})
		}
	}
	return apply(f.content, edits), nil
}

// disk returns the file on disk for an address of the tree.
func (b *builder) disk(address string) string {
	if file, ok := b.With[address]; ok {
		return file
	}
	if file, ok := b.Copy[address]; ok {
		return file
	}
	return filepath.Join(b.Tree, filepath.FromSlash(address))
}

// place adds file and line to a mistake. Errors that have them are returned unchanged.
func place(disk string, content []byte, err error) error {
	var m *mistake
	if errors.As(err, &m) {
		return fmt.Errorf("%s:%d: %s", disk, line(content, m.offset), m.text)
	}
	return err
}

func (f *built) markLoaded() {
	if f.load {
		return
	}
	f.load = true
	for _, c := range f.children {
		c.markLoaded()
	}
}

// unused lists the files under assets/ without references, except the training data and the parts of
// the worker and of bundles.
func (b *builder) unused() ([]string, error) {
	var unused []string
	err := fs.WalkDir(os.DirFS(b.Tree), "assets", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case name == "assets/data":
			return fs.SkipDir
		case d.IsDir() || b.done[name] != nil || slices.Contains(b.parts, name) ||
			strings.HasPrefix(path.Base(name), "."):
			return nil
		}
		unused = append(unused, name)
		return nil
	})
	return unused, err
}
