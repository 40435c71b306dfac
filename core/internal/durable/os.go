package durable

import (
	"errors"
	"fmt"
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
	// Only regular files are opened: opening a pipe would block until a writer comes.
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func (machine) CreateTemporary(folder, pattern string) (File, error) {
	f, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, err
	}
	// Windows has no such modes; there it is the folder that says who may read.
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
	// Some network file systems know no fsync of a folder. They can promise no more than they do.
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
