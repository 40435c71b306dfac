package batch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/dataset"
)

// shardRow is a row of a shard's interactions.
type shardRow struct {
	User   string   `parquet:"user,dict,zstd"`
	Item   string   `parquet:"item,dict,zstd"`
	Rating *float32 `parquet:"rating,optional,zstd"`
	Time   *int64   `parquet:"time,optional,zstd"`
}

// writeParquet writes rows to a file.
func writeParquet[T any](path string, rows []T) error {
	return writeFile(path, func(w io.Writer) error {
		p := parquet.NewGenericWriter[T](w, parquet.CreatedBy("pmlam-batch", "", ""))
		for chunk := range slices.Chunk(rows, 1024) {
			if _, err := p.Write(chunk); err != nil {
				return err
			}
		}
		return p.Close()
	})
}

// fillUp writes empty files for shards without data, of n.
func fillUp[T any](folder string, name func(i, n int) string, n int) error {
	for i := range n {
		path := filepath.Join(folder, name(i, n))
		if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
			err = writeParquet[T](path, nil)
			if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
	}
	return nil
}

func writeShard(path string, rows []shardRow) error { return writeParquet(path, rows) }

// readShard reads a file written by writeShard.
func readShard(path string) (rows []shardRow, err error) {
	bad := func(err error) error { return fmt.Errorf("cannot read %s; write the shards again: %w", path, err) }
	defer func() {
		if p := recover(); p != nil { // the library panics on some damaged files
			err = bad(fmt.Errorf("%v", p))
		}
	}()
	if rows, err = parquet.ReadFile[shardRow](path); err != nil {
		return nil, bad(err)
	}
	return rows, nil
}

// Folder is a folder of shards.
type Folder struct {
	Path     string
	Manifest *dataset.Manifest
}

// openFolder reads the manifest of a folder of shards.
func openFolder(path string) (*Folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	m, err := dataset.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	return &Folder{path, m}, nil
}

// split reports whether the folder has a training and a test part.
func (f *Folder) split() bool { return len(f.Manifest.Of(f.Path, "train")) > 0 }

// shards returns the number of user shards.
func (f *Folder) shards() int { return len(f.Manifest.Of(f.Path, "users")) }

// files returns the files of one kind, one per shard.
func (f *Folder) files(kind string) []string { return f.Manifest.Of(f.Path, kind) }

// training returns the files of the training interactions.
func (f *Folder) training() []string {
	if f.split() {
		return f.files("train")
	}
	return f.files("interactions")
}

// items returns the ids of the items by number.
func (f *Folder) items() ([]string, error) {
	var all []string
	for _, path := range f.files("items") {
		ids, err := readList(path)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// readList reads a file written by writeList.
func readList(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var ids []string
	for len(text) > 0 {
		end := slices.Index(text, '\n')
		if end < 0 {
			return nil, fmt.Errorf("the last line of %s is incomplete; write the shards again", path)
		}
		ids = append(ids, string(text[:end]))
		text = text[end+1:]
	}
	return ids, nil
}

// part holds the interactions of one shard, U' users × I items.
type part struct {
	users []string
	rows  [][]shardRow // by user, ordered by item number
	cols  [][]int32    // the item numbers of rows
}

// readPart reads one shard: its list of users, and one of its files of interactions.
func readPart(users, interactions string, items map[string]int32) (*part, error) {
	ids, err := readList(users)
	if err != nil {
		return nil, err
	}
	rows, err := readShard(interactions)
	if err != nil {
		return nil, err
	}
	p := &part{users: ids, rows: make([][]shardRow, len(ids)), cols: make([][]int32, len(ids))}
	u := 0
	for _, r := range rows {
		for u < len(ids) && ids[u] != r.User {
			u++
		}
		item, ok := items[r.Item]
		if u == len(ids) || !ok {
			return nil, fmt.Errorf("%s has the user %q and the item %q in another order than %s; write the shards "+
				"again", interactions, r.User, r.Item, users)
		}
		p.rows[u], p.cols[u] = append(p.rows[u], r), append(p.cols[u], item)
	}
	return p, nil
}

// liked reports whether a row is a positive.
func liked(m *dataset.Manifest, r *shardRow) bool {
	return !m.Ratings || r.Rating != nil && *r.Rating >= float32(m.MinRating)
}

// positives returns the matrix of the positives.
func (p *part) positives(m *dataset.Manifest, items int) *dataset.Matrix {
	out := &dataset.Matrix{Cols: items, Offsets: make([]int, 1, len(p.users)+1)}
	for u, row := range p.rows {
		for i := range row {
			if liked(m, &row[i]) {
				out.Indices = append(out.Indices, p.cols[u][i])
			}
		}
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}

// writeManifest writes the manifest of a folder in progress, including its files.
func writeManifest(folder string, m *dataset.Manifest) error {
	m.Version, m.Files = 1, nil
	for _, kind := range []string{"users", "items", "interactions", "train", "test"} {
		names, err := filepath.Glob(filepath.Join(folder, kind+"-*-of-*"))
		if err != nil {
			return err
		}
		slices.Sort(names)
		for _, path := range names {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			m.Files = append(m.Files, dataset.ShardFile{Name: filepath.Base(path), Bytes: info.Size()})
		}
	}
	return writeJSON(filepath.Join(folder, dataset.ManifestName), m)
}
