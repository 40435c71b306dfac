package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// OS is the machine's file system.
var OS FS = machine{}

type machine struct{}

func (machine) MakeFolder(path string) error { return os.MkdirAll(path, 0o755) }

func (machine) List(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder) // ascending
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (machine) Kind(path string) (Kind, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Nothing, nil
	case err != nil:
		return Nothing, err
	case info.Mode().IsRegular():
		return Regular, nil
	case info.IsDir():
		return Folder, nil
	}
	return Other, nil
}

func (machine) Open(path string) (io.ReadCloser, int64, error) {
	f, size, err := OpenRegular(path)
	if err != nil {
		return nil, 0, err // not f, which would be a non-nil interface
	}
	return f, size, nil
}

// ErrNotRegular says that a path is a folder, a pipe, a socket or a device.
var ErrNotRegular = errors.New("not a regular file")

// OpenRegular opens a regular file and returns its size in bytes. For anything else it returns ErrNotRegular, wrapped
// with the path, without opening it: opening a pipe would block until a writer comes, and opening a device may have any
// effect.
func OpenRegular(path string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		if f, err = os.Open(path); err == nil {
			return f, info.Size(), nil
		}
	}
	if err == nil {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return nil, 0, err
}

func (machine) CreateTemporary(folder, pattern string) (File, error) {
	f, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, err
	}
	// Windows has no such modes; its folders control who may read.
	if err := f.Chmod(0o644); err != nil && runtime.GOOS != "windows" {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return f, nil
}

func (machine) Rename(from, to string) error { return os.Rename(from, to) }
func (machine) Remove(path string) error     { return os.Remove(path) }

func (machine) SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder cannot be opened there; NTFS journals its names
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	// Some network file systems do not support fsync of a folder, so they cannot guarantee more.
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
