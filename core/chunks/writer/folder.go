package writer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/internal/durable"
)

// Folder writes parts to a folder. The parts of a set are in a subfolder with the set's name, which appears once all of
// them are written; the index is replaced last. So a concurrent reader finds a complete set, old or new. Older sets
// stay, for pages that have loaded their index. An existing set is not written again.
type Folder struct {
	Path  string
	Parts int   // parts put, including the index
	Bytes int64 // total size of these parts
	Index int64 // size of the index

	set     string // its name; "": no part yet
	partial string // the folder of this run's incomplete set; "": the set existed already
	folders map[string]bool
}

func (f *Folder) Put(name string, part []byte) error {
	f.Parts, f.Bytes = f.Parts+1, f.Bytes+int64(len(part))
	if name == chunks.IndexName {
		f.Index = int64(len(part))
		return f.finish(part)
	}
	set, rest, _ := strings.Cut(name, "/")
	if f.set == "" {
		if err := f.begin(set); err != nil {
			return err
		}
	}
	if f.partial == "" {
		return nil
	}
	path := filepath.Join(f.partial, filepath.FromSlash(rest))
	if folder := filepath.Dir(path); !f.folders[folder] {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		f.folders[folder] = true
	}
	return os.WriteFile(path, part, 0o666)
}

// indexBegins is the beginning of an index of any version.
const indexBegins = "pmlamc"

// begin makes a folder for the parts of a set, unless the set exists. It fails if the file with the index's name is not
// an index.
func (f *Folder) begin(set string) error {
	if err := os.MkdirAll(f.Path, 0o777); err != nil {
		return err
	}
	index := filepath.Join(f.Path, chunks.IndexName)
	if info, err := os.Lstat(index); err == nil {
		if !info.Mode().IsRegular() || !beginsWith(index, indexBegins) {
			return fmt.Errorf("%s is not an index of chunks and is not overwritten; move it away, or name another "+
				"folder", index)
		}
	}
	if _, err := os.Stat(filepath.Join(f.Path, set)); err == nil {
		f.set = set
		return nil
	}
	// Each run has a folder of its own, since another run may be writing the same set.
	partial, err := os.MkdirTemp(f.Path, "."+set+".*.tmp")
	if err != nil {
		return err
	}
	if err := os.Chmod(partial, 0o755); err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	f.set, f.partial, f.folders = set, partial, map[string]bool{}
	return nil
}

// beginsWith reports whether a file begins with a text.
func beginsWith(path, beginning string) bool {
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	b := make([]byte, len(beginning))
	_, err = io.ReadFull(r, b)
	return err == nil && string(b) == beginning
}

// finish moves the set to its place and replaces the index.
func (f *Folder) finish(index []byte) error {
	if f.partial != "" {
		to := filepath.Join(f.Path, f.set)
		if err := os.Rename(f.partial, to); err != nil {
			// Another run has finished first. The set's name is a digest, so the content is the same.
			if info, there := os.Stat(to); there != nil || !info.IsDir() {
				return err
			}
			f.Discard()
		}
		f.partial = ""
	}
	return durable.WriteFile(durable.OS, filepath.Join(f.Path, chunks.IndexName), func(w io.Writer) error {
		_, err := w.Write(index)
		return err
	})
}

// Discard removes the files of an unfinished run.
func (f *Folder) Discard() {
	if f.partial != "" {
		os.RemoveAll(f.partial)
		f.partial = ""
	}
}

// Read reads a part of a written folder.
func (f *Folder) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(f.Path, filepath.FromSlash(name)))
}
