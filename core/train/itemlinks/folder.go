package itemlinks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/model"
)

// ManifestName is the name of the manifest in a folder of links, which is written last.
const ManifestName = "pmlam-links.json"

// maxManifest is the maximum size of a manifest in bytes.
const maxManifest = 16 << 20

// Row is a row of the files of a folder of links, links-00000-of-00016.parquet and so on.
type Row struct {
	Item   string  `parquet:"item,dict,zstd"` // the target
	Source string  `parquet:"source,dict,zstd"`
	Weight float32 `parquet:"weight,zstd"`
}

// FileName returns the name of file i of n.
func FileName(i, n int) string { return fmt.Sprintf("links-%05d-of-%05d.parquet", i, n) }

// Manifest describes a folder of links.
type Manifest struct {
	Version int                 `json:"version"` // 1
	Recipe  Recipe              `json:"recipe"`
	Items   int                 `json:"items"` // of the interactions that the links were built from
	Likes   int                 `json:"likes"` // of these interactions
	Files   []dataset.ShardFile `json:"files"`
}

// Write adds the n files of a folder to the manifest, and writes it.
func (m *Manifest) Write(folder string, n int) error {
	m.Version, m.Files = 1, nil
	for i := range n {
		info, err := os.Stat(filepath.Join(folder, FileName(i, n)))
		if err != nil {
			return err
		}
		m.Files = append(m.Files, dataset.ShardFile{Name: FileName(i, n), Bytes: info.Size()})
	}
	return durable.WriteFile(durable.OS, filepath.Join(folder, ManifestName), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(m)
	})
}

// ReadFolder reads a folder of links built elsewhere, for example by server/batch, from the same interactions: the
// items ids and the given number of likes. They must match the recipe. γ is 1. Errors are *dataset.FileError. O(I +
// links).
func ReadFolder(folder string, ids *dataset.IDs, likes int, recipe Recipe) (*model.ItemLinks, error) {
	m, err := readManifest(folder)
	if err != nil {
		return nil, err
	}
	bad := func(format string, args ...any) (*model.ItemLinks, error) {
		return nil, &dataset.FileError{Path: filepath.Join(folder, ManifestName), Reason: fmt.Sprintf(format, args...)}
	}
	same := m.Recipe
	if same.Pool = recipe.Pool; same.Sources() != m.Recipe.Sources() { // a pool of Top is the same as none
		same.Pool = m.Recipe.Pool
	}
	switch {
	case same != recipe:
		return bad("holds links by %v, but the settings ask for %v", m.Recipe, recipe)
	case m.Items != ids.Len() || m.Likes != likes:
		return bad("holds links from %d likes of %d items; the data have %d likes of %d items",
			m.Likes, m.Items, likes, ids.Len())
	}
	p := &model.ItemLinks{Gamma: 1, Offsets: make([]int32, 1, ids.Len()+1)}
	for _, f := range m.Files {
		path := filepath.Join(folder, f.Name)
		if err := readRows(path, ids, p); err != nil {
			return nil, &dataset.FileError{Path: path, Reason: "cannot be read; write it or copy it again", Err: err}
		}
	}
	for p.Len() < ids.Len() {
		p.Offsets = append(p.Offsets, int32(p.Links()))
	}
	if err := p.Check(ids.Len()); err != nil {
		return bad("holds invalid links: %v; write them again", err)
	}
	return p, nil
}

// readManifest reads a manifest and checks that all files are complete.
func readManifest(folder string) (*Manifest, error) {
	path := filepath.Join(folder, ManifestName)
	bad := func(reason string, err error) (*Manifest, error) {
		return nil, &dataset.FileError{Path: path, Reason: reason, Err: err}
	}
	f, _, err := durable.OpenRegular(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &dataset.FileError{Path: folder, Reason: "has no " + ManifestName + ": not a folder of links, or " +
			"incomplete; write or copy it again", Err: os.ErrNotExist}
	} else if err != nil {
		return bad("cannot be opened", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil || len(text) > maxManifest {
		return bad("cannot be read or is too long; write the links again", err)
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return bad("is damaged; write the links again", err)
	}
	if m.Version != 1 {
		return bad(fmt.Sprintf("is of version %d; this program reads version 1", m.Version), nil)
	}
	for i, file := range m.Files {
		if file.Name != FileName(i, len(m.Files)) {
			return bad(fmt.Sprintf("names the unexpected file %q; write the links again",
				brief.Text(file.Name)), nil)
		}
		info, err := os.Stat(filepath.Join(folder, file.Name))
		switch {
		case err != nil:
			return bad("names a file that is missing; write or copy the links again", err)
		case info.Size() != file.Bytes || !info.Mode().IsRegular():
			return nil, &dataset.FileError{Path: filepath.Join(folder, file.Name), Reason: fmt.Sprintf(
				"has %d bytes, but the manifest says %d; write or copy it again", info.Size(), file.Bytes)}
		}
	}
	return m, nil
}

// readRows appends the rows of a file, continuing after the previous file, to a set of links. It checks the order of
// the ids; the caller checks the rest at the end.
func readRows(path string, ids *dataset.IDs, p *model.ItemLinks) (err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics on some damage
			err = fmt.Errorf("%v", r)
		}
	}()
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := parquet.NewGenericReader[Row](f)
	defer r.Close()
	rows := make([]Row, 1024)
	for {
		n, err := r.Read(rows)
		for _, row := range rows[:n] {
			target, ok := ids.Index(row.Item)
			source, also := ids.Index(row.Source)
			if !ok || !also || target < p.Len()-1 {
				return fmt.Errorf("the item %q or its source %q is unknown or out of order", row.Item,
					row.Source)
			}
			for p.Len() <= target {
				p.Offsets = append(p.Offsets, int32(p.Links()))
			}
			p.Sources, p.Weights = append(p.Sources, int32(source)), append(p.Weights, row.Weight)
			p.Offsets[target+1] = int32(p.Links())
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
