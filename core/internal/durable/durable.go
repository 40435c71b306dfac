// Package durable writes files atomically, even across a crash or a power failure.
//
// A file is written under a temporary name in its final folder, synced to disk, and renamed over the old file; then the
// folder is synced too:
//
//	create .NAME.*.tmp → write → fsync → close → rename → fsync of the folder
//
// Whenever the machine stops, the path holds the complete old file or the complete new one. A killed process leaves a
// temporary file, which Sweep removes.
//
// All operations go through FS, so tests can make any single step fail, or the power (package durabletest).
package durable

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"
)

// FS holds the operations of a file system that writing and finding files needs. OS is the machine's.
type FS interface {
	// MakeFolder makes a folder and those above it. An existing folder is not an error.
	MakeFolder(path string) error
	// List returns the names in a folder, ascending, or none if there is no such folder.
	List(folder string) ([]string, error)
	// Kind returns the kind of thing at a path. It follows links within the path, but not at its end.
	Kind(path string) (Kind, error)
	// Open opens a regular file and returns its size in bytes.
	Open(path string) (io.ReadCloser, int64, error)
	// CreateTemporary makes a new, empty file of mode 0644 in the folder; * in pattern becomes a unique text.
	CreateTemporary(folder, pattern string) (File, error)
	// Rename moves a file to a path in the same folder, and replaces an existing file.
	Rename(from, to string) error
	// Remove removes a file or an empty folder.
	Remove(path string) error
	// SyncFolder makes renames and removals in a folder survive a power failure.
	SyncFolder(folder string) error
}

// File is a file that is being written.
type File interface {
	io.Writer
	Name() string // its path
	Sync() error  // makes the content survive a power failure
	Close() error
}

// Kind is the kind of thing at a path.
type Kind int

const (
	Nothing Kind = iota
	Regular
	Folder
	Other // a link, a pipe, a device
)

// buffer is the size of WriteFile's writes in bytes.
const buffer = 256 << 10

// WriteFile writes a file at path with the content from write. write gets a buffered writer and may write in small
// pieces; its error is returned unchanged. If any step fails, the old file is still at path and the temporary is
// removed. The one exception is the last step, the fsync of the folder: then the new file is in place, but a power
// failure may bring the old one back.
func WriteFile(fs FS, path string, write func(io.Writer) error) error {
	f, err := fs.CreateTemporary(filepath.Dir(path), temporary(path))
	if err != nil {
		return err
	}
	if err := fill(f, write); err != nil {
		fs.Remove(f.Name()) // the first error is the relevant one
		return err
	}
	if err := fs.Rename(f.Name(), path); err != nil {
		fs.Remove(f.Name())
		return err
	}
	return fs.SyncFolder(filepath.Dir(path))
}

// fill writes and syncs f, and closes it even after an error.
func fill(f File, write func(io.Writer) error) (err error) {
	defer func() {
		if failed := f.Close(); err == nil {
			err = failed
		}
	}()
	w := bufio.NewWriterSize(f, buffer)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Sync()
}

// temporary returns the pattern for temporaries of a path.
func temporary(path string) string { return "." + filepath.Base(path) + ".*.tmp" }

// Sweep removes the temporaries in a folder that killed calls of WriteFile left, for files whose names match
// (path.Match). No other process may write such files meanwhile. It tries all files and returns the first error.
func Sweep(fs FS, folder, match string) error {
	names, err := fs.List(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if of, ok := ofTemporary(name); ok {
			if is, _ := filepath.Match(match, of); is {
				if failed := fs.Remove(filepath.Join(folder, name)); err == nil {
					err = failed
				}
			}
		}
	}
	return err
}

// ofTemporary returns the final name of a temporary file.
func ofTemporary(name string) (string, bool) {
	name, dot := strings.CutPrefix(name, ".")
	name, tmp := strings.CutSuffix(name, ".tmp")
	at := strings.LastIndexByte(name, '.')
	if !dot || !tmp || at < 1 {
		return "", false
	}
	return name[:at], true
}
