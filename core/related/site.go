package related

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/internal/parallel"
)

// Options are the settings of Read.
type Options struct {
	Workers int      // goroutines; 0: one per CPU
	Except  []string // folders that are not read, such as the folder of the fragments
}

// Site holds the pages of a folder, by file name.
type Site struct {
	Folder  string
	Pages   []*Page
	Skipped []Skipped // .html files without a page, or too large ones

	base       string // prefix of the canonical addresses, "" if unknown
	explicit   bool   // the site's links say index.html
	extensions bool   // the site's links say .html
	byAddress  map[string]int
	views      [][]int32 // by page: its visitors, ascending; nil: none
}

// Skipped is a file that was left out.
type Skipped struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// EmptyError is the error for a folder without pages.
type EmptyError struct {
	Folder string
	Files  int // .html files
}

func (e *EmptyError) Error() string {
	if e.Files > 0 {
		return fmt.Sprintf("%s holds %d .html files, but none is a page with <html>, <body> or <title>; pass the "+
			"folder that the site generator writes", e.Folder, e.Files)
	}
	return fmt.Sprintf("%s holds no .html file; build the site first, and pass the folder that it is built into, such "+
		"as public, dist, build or _site", e.Folder)
}

// Read reads the pages of a folder. It follows no symbolic links, except that the folder itself may be one. It returns
// an *EmptyError if there are no pages, and the error of a file that cannot be read. O(bytes).
func Read(ctx context.Context, folder string, o Options) (*Site, error) {
	files, err := walk(folder, o.Except)
	if err != nil {
		return nil, err
	}
	s := &Site{Folder: folder}
	pages, skipped, failed := make([]*Page, len(files)), make([]string, len(files)), make([]error, len(files))
	err = parallel.Each(ctx, len(files), o.Workers, func() func(int) {
		return func(i int) {
			content, why, err := s.content(files[i])
			switch {
			case err != nil:
				failed[i] = err
			case why != "":
				skipped[i] = why
			default:
				if pages[i] = readPage(files[i], content); pages[i] == nil {
					skipped[i] = "not a page: it has no <html>, <body> or <title>"
				}
			}
		}
	})
	if err = cmp.Or(errors.Join(failed...), err); err != nil {
		return nil, err
	}
	for i, p := range pages {
		if p != nil {
			s.Pages = append(s.Pages, p)
		} else {
			s.Skipped = append(s.Skipped, Skipped{files[i], skipped[i]})
		}
	}
	if len(s.Pages) == 0 {
		return nil, &EmptyError{folder, len(files)}
	}
	s.connect()
	return s, nil
}

// walk returns the .html files of a folder, sorted.
func walk(folder string, except []string) ([]string, error) {
	real, err := filepath.EvalSymlinks(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such folder; pass the folder that the site generator writes, such as public, "+
			"dist, build or _site", folder)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(real); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; pass the folder that the site generator writes", folder)
	}
	var left []string
	for _, e := range except {
		if e, err := filepath.Abs(e); err == nil {
			left = append(left, e)
		}
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	entries := 0
	err = filepath.WalkDir(real, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entries++; entries > maxEntries {
			return fmt.Errorf("%s holds more than %d files; pass a smaller folder", folder, maxEntries)
		}
		local, err := filepath.Rel(real, name)
		if err != nil {
			return err
		}
		if e.IsDir() {
			hidden := strings.HasPrefix(e.Name(), ".") && local != "." || e.Name() == "node_modules"
			if hidden || slices.Contains(left, filepath.Join(absolute, local)) && local != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".html") || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		if len(files) >= maxPages {
			return fmt.Errorf("%s holds more than %d pages; pass a smaller folder", folder, maxPages)
		}
		files = append(files, filepath.ToSlash(local))
		return nil
	})
	slices.Sort(files)
	return files, err
}

// content returns the bytes of a page's file, or why the file is left out.
func (s *Site) content(file string) (content []byte, why string, err error) {
	f, size, err := durable.OpenRegular(s.path(file))
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	tooLarge := fmt.Sprintf("larger than %d MB", maxBytes>>20)
	if size > maxBytes {
		return nil, tooLarge, nil
	}
	content = make([]byte, 0, size+1)
	for len(content) <= maxBytes { // the file may grow
		if len(content) == cap(content) {
			content = slices.Grow(content, 1<<16)
		}
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if errors.Is(err, io.EOF) {
			return content, "", nil
		}
		if err != nil {
			return nil, "", err
		}
	}
	return nil, tooLarge, nil
}

func (s *Site) path(file string) string { return filepath.Join(s.Folder, filepath.FromSlash(file)) }

// connect resolves links and canonical addresses, once all pages are known.
func (s *Site) connect() {
	s.byAddress = make(map[string]int, 2*len(s.Pages))
	marked := false
	for i, p := range s.Pages {
		s.byAddress[p.File] = i
		marked = marked || p.marked
	}
	for i, p := range s.Pages {
		if p.Address != p.File {
			s.byAddress[p.Address] = i
			if bare := strings.TrimSuffix(p.Address, "/"); bare != "" {
				s.add(bare, i)
			}
		} else {
			s.add(strings.TrimSuffix(p.File, ".html"), i)
		}
	}
	s.findBase()
	directory, index, extension, bare := 0, 0, 0, 0
	for i, p := range s.Pages {
		if marked && !p.marked && p.Unlisted == "" {
			p.Unlisted = "without data-pmlam-body, which other pages have"
		}
		kept := p.Links[:0]
		for _, l := range p.Links {
			to, address, ok := s.resolve(p, l.href)
			if !ok {
				continue
			}
			switch {
			case strings.HasSuffix(address, "/index.html") || address == "index.html":
				index++
			case strings.HasSuffix(address, "/"):
				directory++
			case strings.HasSuffix(address, ".html"):
				extension++
			case address != "" && s.Pages[to].File == address+".html":
				bare++
			}
			if to != i {
				l.To = to
				kept = append(kept, l)
			}
		}
		p.Links = kept
	}
	s.explicit, s.extensions = index > directory, extension >= bare
	s.duplicates()
}

func (s *Site) add(address string, page int) {
	if _, taken := s.byAddress[address]; !taken {
		s.byAddress[address] = page
	}
}

// findBase learns the address of the site from canonical addresses: the prefix that most of them share.
func (s *Site) findBase() {
	votes := map[string]int{}
	for _, p := range s.Pages {
		if !strings.Contains(p.canonical, "//") {
			continue
		}
		for _, own := range []string{p.Address, p.File, strings.TrimSuffix(p.Address, "/"),
			strings.TrimSuffix(p.File, ".html")} {
			if before, ok := strings.CutSuffix(p.canonical, own); ok && own != "" && strings.HasSuffix(before, "/") {
				votes[before]++
				break
			}
		}
	}
	most := 0
	for base, n := range votes {
		if n > most || n == most && base < s.base {
			s.base, most = base, n
		}
	}
}

// resolve returns the page that a link on p leads to, and the link's address within the site.
func (s *Site) resolve(p *Page, href string) (to int, address string, ok bool) {
	href = strings.TrimSpace(href)
	href, _, _ = strings.Cut(href, "#")
	href, _, _ = strings.Cut(href, "?")
	if href == "" || len(href) > 2048 {
		return 0, "", false
	}
	if rest, inside := strings.CutPrefix(href, s.base); s.base != "" && inside {
		return s.at(rest)
	}
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return 0, "", false
	}
	prefix := "/"
	if s.base != "" {
		b, err := url.Parse(s.base)
		if err != nil || u.Host != "" && u.Host != b.Host {
			return 0, "", false
		}
		prefix = b.Path
	} else if u.Host != "" {
		return 0, "", false
	}
	if strings.HasPrefix(u.Path, "/") {
		if to, address, ok = s.at(strings.TrimPrefix(u.Path, prefix)); ok {
			return to, address, true
		}
		return s.at(u.Path[1:])
	}
	folder, _ := s.folderOf(p)
	address = path.Join("/", folder, u.Path)[1:]
	if address != "" && (strings.HasSuffix(u.Path, "/") || strings.HasSuffix(u.Path, "/..") || u.Path == "." ||
		u.Path == "..") {
		address += "/"
	}
	return s.at(address)
}

// at returns the page at an address within the site.
func (s *Site) at(address string) (int, string, bool) {
	if to, ok := s.byAddress[address]; ok {
		return to, address, true
	}
	if plain, err := url.PathUnescape(address); err == nil && plain != address {
		if to, ok := s.byAddress[plain]; ok {
			return to, plain, true
		}
	}
	return 0, "", false
}

// folderOf returns the folder that relative links of a page begin at, "" or ending in a slash: the page's own, or its
// <base>. It reports whether that is known.
func (s *Site) folderOf(p *Page) (string, bool) {
	folder := p.File[:strings.LastIndexByte(p.File, '/')+1]
	if p.base == "" {
		return folder, true
	}
	b, err := url.Parse(p.base)
	if err != nil {
		return folder, false
	}
	at := b.Path[:strings.LastIndexByte(b.Path, '/')+1]
	switch {
	case b.Host == "" && !strings.HasPrefix(b.Path, "/"):
		joined := path.Join("/", folder, at)[1:]
		if joined != "" {
			joined += "/"
		}
		return joined, true
	case s.base != "" && b.Host != "":
		rest, ok := strings.CutPrefix(p.base, s.base)
		return rest[:strings.LastIndexByte(rest, '/')+1], ok
	case s.base != "":
		if base, err := url.Parse(s.base); err == nil {
			rest, ok := strings.CutPrefix(at, base.Path)
			return rest, ok
		}
	}
	return strings.TrimPrefix(at, "/"), at == "/"
}

// duplicates unlists pages whose canonical address is another page, unless that is the same page for half of the site,
// which is a mistake of the template.
func (s *Site) duplicates() {
	targets, times := make([]int, len(s.Pages)), make([]int, len(s.Pages))
	for i, p := range s.Pages {
		targets[i] = i
		if p.canonical == "" {
			continue
		}
		if to, _, ok := s.resolve(p, p.canonical); ok {
			targets[i] = to
			times[to]++
		}
	}
	for i, p := range s.Pages {
		if to := targets[i]; to != i && p.Unlisted == "" && 2*times[to] <= max(len(s.Pages), 4) {
			p.Unlisted = "a copy of " + s.Pages[to].File
		}
	}
}

// Link returns the address of a page, relative to the page from, in the style of the site's own links.
func (s *Site) Link(from, to int) string {
	folder, known := s.folderOf(s.Pages[from])
	target := s.addressOf(to)
	if !known && s.base != "" {
		return s.base + escape(target)
	}
	parts, dest := strings.Split(folder, "/"), strings.Split(target, "/")
	parts, dest, last := parts[:len(parts)-1], dest[:len(dest)-1], dest[len(dest)-1]
	for len(parts) > 0 && len(dest) > 0 && parts[0] == dest[0] {
		parts, dest = parts[1:], dest[1:]
	}
	var b strings.Builder
	b.WriteString(strings.Repeat("../", len(parts)))
	for _, d := range dest {
		b.WriteString(escape(d) + "/")
	}
	b.WriteString(escape(last))
	link := b.String()
	if link == "" {
		return "./"
	}
	if colon := strings.IndexByte(link, ':'); colon >= 0 && !strings.Contains(link[:colon], "/") {
		return "./" + link // a:b would be a scheme
	}
	return link
}

// addressOf returns the address of a page in the style of the site's own links.
func (s *Site) addressOf(page int) string {
	p := s.Pages[page]
	switch {
	case s.explicit:
		return p.File
	case p.Address == p.File && !s.extensions:
		return strings.TrimSuffix(p.File, ".html")
	}
	return p.Address
}

// escape escapes a path for an address.
func escape(p string) string { return (&url.URL{Path: "/" + p}).EscapedPath()[1:] }

// group runs f for all pages and returns the first error by page.
func (s *Site) group(ctx context.Context, workers int, f func(page int) error) error {
	var mu sync.Mutex
	first, failed := -1, error(nil)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := parallel.Each(ctx, len(s.Pages), workers, func() func(int) {
		return func(i int) {
			if err := f(i); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if first < 0 || i < first {
					first, failed = i, err
				}
				stop()
			}
		}
	})
	return cmp.Or(failed, err)
}
