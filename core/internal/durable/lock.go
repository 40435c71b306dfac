package durable

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockName is the file by which a folder is claimed. It stays there, empty, after the claim: removing it could take it
// away from another process that has just claimed the folder.
const lockName = ".lock"

// BusyError says that another process works in Folder, which the caller names.
type BusyError struct{ Folder string }

func (e *BusyError) Error() string {
	return "another process is at work in this folder; wait until it ends, or choose another folder"
}

// Claim makes a folder, with those above it, and claims it for this process until release is called or the process
// ends, even by kill -9: then the operating system releases the claim. Two processes that kept their files in one
// folder would each remove files of the other. If another process has claimed the folder, the error is a *BusyError.
// Keep release referenced for the duration of the claim. On a file system without locks, Claim does nothing and returns
// no error: the work itself does not need locks.
func Claim(folder string) (release func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, lockName)
	if kind, err := OS.Kind(path); err == nil && kind > Regular {
		return nil, fmt.Errorf("%s is not a regular file; remove it", path)
	}
	f := flock.New(path)
	switch taken, err := f.TryLock(); {
	case err != nil:
		return func() {}, nil
	case !taken:
		return nil, &BusyError{folder}
	}
	return func() { f.Close() }, nil
}
