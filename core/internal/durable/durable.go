// Package durable writes files that are there whole or not at all, also after a crash or a power failure.
//
// A file is written under a temporary name in the folder where it is to stand, brought to the disk, renamed over what
// was there, and the folder is brought to the disk too:
//
//	create .NAME.*.tmp → write → fsync → close → rename → fsync of the folder
//
// Whenever the machine stops, the path holds the file that was there before or the new one, never a part. What a
// killed process leaves is a temporary, which Sweep removes.
//
// All of it goes through FS, so that tests can let any single step fail, or the power (package durabletest).
package durable

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"
)

// FS is what writing and finding files needs of a file system. OS is the machine's.
type FS interface {
	// MakeFolder makes a folder and those above it. It is no error if it is there.
	MakeFolder(path string) error
	// List returns the names in a folder, ascending; none where there is no such folder.
	List(folder string) ([]string, error)
	// Kind tells what is at a path. It follows links in the path, and none at its end.
	Kind(path string) (Kind, error)
	// Open opens a regular file and tells its size in bytes.
	Open(path string) (io.ReadCloser, int64, error)
	// CreateTemporary makes a new, empty file of mode 0644 in the folder; * in pattern becomes something unique.
	CreateTemporary(folder, pattern string) (File, error)
	// Rename moves a file to a path in the same folder, over what is there.
	Rename(from, to string) error
	// Remove removes a file or an empty folder.
	Remove(path string) error
	// SyncFolder makes the names in a folder survive a power failure: what was renamed and removed in it.
	SyncFolder(folder string) error
}

// File is a file that is being written.
type File interface {
	io.Writer
	Name() string // its path
	Sync() error  // makes what was written survive a power failure
	Close() error
}

// Kind is a kind of thing at a path.
type Kind int

// The kinds.
const (
	Nothing Kind = iota
	Regular
	Folder
	Other // a link, a pipe, a device
)

// buffer is what WriteFile writes at once, in bytes.
const buffer = 256 << 10

// WriteFile writes what write gives under path. write gets a buffered writer and may write in small pieces; its error
// comes back as it is. Where anything fails, what stood at path is still there and the temporary is removed; with one
// exception: if the very last step fails, the fsync of the folder, the new file is in its place but may be gone after
// a power failure, and the one before with it back.
func WriteFile(fs FS, path string, write func(io.Writer) error) error {
	f, err := fs.CreateTemporary(filepath.Dir(path), temporary(path))
	if err != nil {
		return err
	}
	if err := fill(f, write); err != nil {
		fs.Remove(f.Name()) // the first error is the one that tells
		return err
	}
	if err := fs.Rename(f.Name(), path); err != nil {
		fs.Remove(f.Name())
		return err
	}
	return fs.SyncFolder(filepath.Dir(path))
}

// fill writes, syncs and closes f; it is closed in any case.
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

// temporary returns the pattern of the temporaries of a path.
func temporary(path string) string { return "." + filepath.Base(path) + ".*.tmp" }

// Sweep removes the temporaries that WriteFile left in a folder, of files whose names match (path.Match), when its
// process was killed. No other process may write such files meanwhile. It returns the first error, after it has tried
// all files.
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

// ofTemporary returns the name of the file that a temporary was to become.
func ofTemporary(name string) (string, bool) {
	name, dot := strings.CutPrefix(name, ".")
	name, tmp := strings.CutSuffix(name, ".tmp")
	at := strings.LastIndexByte(name, '.')
	if !dot || !tmp || at < 1 {
		return "", false
	}
	return name[:at], true
}
