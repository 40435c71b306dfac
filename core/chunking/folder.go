package chunking

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pmlam/pmlam/core/chunked"
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
	whole   bool   // the set was there already
	folders map[string]bool
}

// partial is the folder of a set that is not whole.
func (f *Folder) partial() string { return filepath.Join(f.Path, "."+f.set+".tmp") }

// Put writes a part.
func (f *Folder) Put(name string, part []byte) error {
	f.Parts, f.Bytes = f.Parts+1, f.Bytes+int64(len(part))
	if name == chunked.IndexName {
		f.Index = int64(len(part))
		return f.finish(part)
	}
	set, rest, _ := strings.Cut(name, "/")
	if f.set == "" {
		f.set, f.folders = set, map[string]bool{}
		_, err := os.Stat(filepath.Join(f.Path, set))
		if f.whole = err == nil; !f.whole {
			if err := os.RemoveAll(f.partial()); err != nil { // of a run that was stopped
				return err
			}
		}
	}
	if f.whole {
		return nil
	}
	path := filepath.Join(f.partial(), filepath.FromSlash(rest))
	if folder := filepath.Dir(path); !f.folders[folder] {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		f.folders[folder] = true
	}
	return os.WriteFile(path, part, 0o666)
}

// finish moves the set to its place and replaces the index.
func (f *Folder) finish(index []byte) error {
	if !f.whole {
		if err := os.Rename(f.partial(), filepath.Join(f.Path, f.set)); err != nil {
			return err
		}
	}
	return durable.WriteFile(durable.OS, filepath.Join(f.Path, chunked.IndexName), func(w io.Writer) error {
		_, err := w.Write(index)
		return err
	})
}

// Discard removes what a run left that did not come to its end.
func (f *Folder) Discard() {
	if f.set != "" && !f.whole {
		os.RemoveAll(f.partial())
	}
}

// Read returns a part of a folder that was written.
func (f *Folder) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(f.Path, filepath.FromSlash(name)))
}
