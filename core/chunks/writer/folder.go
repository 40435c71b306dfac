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

// Folder is a folder that parts are written to. The parts of a set lie in a folder of its name, which appears when all
// of them are there, and the index is replaced last: whoever reads meanwhile finds the old set or the new one, whole.
// Older sets stay, for pages that hold their index, and a set that is there already is left as it is.
type Folder struct {
	Path  string
	Parts int   // that were put, the index among them
	Bytes int64 // of them
	Index int64 // bytes of the index alone

	set     string // its name; "": nothing was put
	partial string // the folder of a set that is not whole, which this run has made; "": the set was there already
	folders map[string]bool
}

// Put writes a part.
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

// indexBegins is what an index of any version begins with.
const indexBegins = "pmlamc"

// begin makes a folder for the parts of a set, unless that is there. Another file in the index's place is an error.
func (f *Folder) begin(set string) error {
	if err := os.MkdirAll(f.Path, 0o777); err != nil {
		return err
	}
	index := filepath.Join(f.Path, chunks.IndexName)
	if info, err := os.Lstat(index); err == nil {
		if !info.Mode().IsRegular() || !beginsWith(index, indexBegins) {
			return fmt.Errorf("%s is not an index of chunks and is not overwritten: move it away, or name another "+
				"folder", index)
		}
	}
	if _, err := os.Stat(filepath.Join(f.Path, set)); err == nil {
		f.set = set
		return nil
	}
	// A folder of its own for each run: another run may write the same set now.
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

// beginsWith reports whether a file has this beginning.
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
			// Another run was quicker: the name says what is in it.
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

// Discard removes what this run wrote where it did not come to its end.
func (f *Folder) Discard() {
	if f.partial != "" {
		os.RemoveAll(f.partial)
		f.partial = ""
	}
}

// Read returns a part of a folder that was written.
func (f *Folder) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(f.Path, filepath.FromSlash(name)))
}
