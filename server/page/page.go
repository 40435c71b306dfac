// Package page carries the built page within the command pmlam: index.html and the files it refers to, the browser's
// program, and the package for other pages. So `pmlam site` needs no Go, no make and no clone.
//
// `make pmlam` packs the files into build/page.zip, which go build -overlay embeds as built/page.zip. Programs are
// stored with brotli, so a site copies these bytes without compressing them again. The archive contains no times, and
// the same files give the same bytes.
//
// Data flow: mkpage → page.zip → pmlam → site.Config → server/site.
package page

import (
	"archive/zip"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/pmlam/pmlam/server/site"
)

//go:embed built
var built embed.FS

// archive is the embedded file.
const archive = "built/page.zip"

// ErrNone reports that the command was compiled without the page.
var ErrNone = errors.New("this pmlam was built without the page: use a released one, or build it with make pmlam")

// Folders of the archive. Other files of it are published at the root of the site, such as LICENSE.
const (
	treeFolder  = "tree/"  // index.html and assets/
	embedFolder = "embed/" // the package for other pages
)

// most bounds the unpacked page, in bytes: ten times its size.
const most = 200 << 20

// Config unpacks the embedded page into folder, which must exist, and returns the settings that build a site from it:
// Tree, Copy, With, Cache and Quality are set; the model (With) and Out are the caller's. quality is brotli's, 0 to
// 11. The error is ErrNone if no page is embedded.
func Config(folder string, quality int) (site.Config, error) {
	packed, err := built.ReadFile(archive)
	if errors.Is(err, fs.ErrNotExist) {
		return site.Config{}, ErrNone
	}
	if err != nil {
		return site.Config{}, err
	}
	return unpack(packed, folder, quality)
}

// Open is Config for an archive in a file.
func Open(file, folder string, quality int) (site.Config, error) {
	packed, err := os.ReadFile(file)
	if err != nil {
		return site.Config{}, err
	}
	return unpack(packed, folder, quality)
}

func unpack(packed []byte, folder string, quality int) (site.Config, error) {
	c := site.Config{
		Tree: filepath.Join(folder, "tree"), Cache: filepath.Join(folder, "cache"), Quality: quality,
		With: map[string]string{}, Copy: map[string]string{},
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return site.Config{}, fmt.Errorf("the page within this program: %w", err)
	}
	stored, err := strconv.Atoi(z.Comment)
	if err != nil {
		return site.Config{}, fmt.Errorf("the page within this program: its quality: %w", err)
	}
	left := int64(most)
	for _, f := range z.File {
		content, err := contentOf(f, &left)
		if err != nil {
			return site.Config{}, fmt.Errorf("%s of the page within this program: %w", f.Name, err)
		}
		name := strings.TrimSuffix(f.Name, ".br")
		if name != f.Name {
			plain, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(content)), left))
			if err != nil {
				return site.Config{}, fmt.Errorf("%s of the page within this program: %w", f.Name, err)
			}
			left -= int64(len(plain))
			if stored >= quality {
				if err := put(filepath.Join(c.Cache, site.CacheName(plain, quality)), content); err != nil {
					return site.Config{}, err
				}
			}
			content = plain
		}
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := put(file, content); err != nil {
			return site.Config{}, err
		}
		if !strings.HasPrefix(name, treeFolder) {
			c.Copy[name] = file
		}
	}
	return c, nil
}

func contentOf(f *zip.File, left *int64) ([]byte, error) {
	if !fs.ValidPath(f.Name) {
		return nil, errors.New("its name points outside the page")
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := io.ReadAll(io.LimitReader(r, *left))
	*left -= int64(len(content))
	if err == nil && *left <= 0 {
		err = fmt.Errorf("the page has more than %d bytes", most)
	}
	return content, err
}

func put(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

// Sources are the files that Pack packs.
type Sources struct {
	Root     string // the repository
	Program  string // the page's program, app.wasm
	WasmExec string // wasm_exec.js of the Go installation that compiled it
	Package  string // the folder of the package for other pages
	Quality  int    // of brotli, for programs: 0 to 11. A site reuses them unless it needs a higher one
	Cache    string // folder of cached compressed files, or ""
}

// Pack writes the archive of the sources. Compressing the programs takes some twenty seconds at quality 11.
func Pack(w io.Writer, s Sources) error {
	files, err := s.list()
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, f := range files {
		content, err := os.ReadFile(f.disk)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		if path.Ext(f.name) == ".wasm" {
			h.Name, h.Method = f.name+".br", zip.Store
			if content, err = site.Brotli(content, s.Quality, s.Cache); err != nil {
				return err
			}
		}
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(content); err != nil {
			return err
		}
	}
	if err := z.SetComment(strconv.Itoa(s.Quality)); err != nil {
		return err
	}
	return z.Close()
}

type source struct{ name, disk string }

// list returns the files in the order of the archive.
func (s Sources) list() (files []source, err error) {
	root := os.DirFS(s.Root)
	err = fs.WalkDir(root, "assets", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == "assets/data" || name == "assets/models": // owners have their own
			return fs.SkipDir
		case !d.IsDir() && !strings.HasPrefix(d.Name(), "."):
			files = append(files, source{treeFolder + name, filepath.Join(s.Root, filepath.FromSlash(name))})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	files = append(files,
		source{treeFolder + page, filepath.Join(s.Root, page)},
		source{treeFolder + "assets/app.wasm", s.Program},
		source{treeFolder + "assets/kernel.wasm", filepath.Join(s.Root, "wasm", "kernel", "kernel.wasm")},
		source{treeFolder + "assets/js/loader/wasm_exec.js", s.WasmExec},
		source{"LICENSE", filepath.Join(s.Root, "LICENSE")},
		source{"NOTICE", filepath.Join(s.Root, "NOTICE")})
	if s.Package == "" {
		return files, nil
	}
	entries, err := os.ReadDir(s.Package)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, source{embedFolder + e.Name(), filepath.Join(s.Package, e.Name())})
		}
	}
	return files, nil
}

const page = "index.html"
