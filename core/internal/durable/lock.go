package durable

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockName is the file in a folder by which the folder is claimed. It stays there, empty, when the claim is over: to
// remove it could take it from under another process that has just claimed it.
const lockName = ".lock"

// BusyError says that another process works in Folder, which the caller names.
type BusyError struct{ Folder string }

func (e *BusyError) Error() string {
	return "another process is at work in this folder; wait until it has ended, or give another folder"
}

// Claim makes a folder, those above it too, and claims it for this process until release is called or the process ends,
// be it by kill -9: the operating system gives the claim back then. Two processes that kept their files in one folder
// would each remove what the other still wants. The error is a *BusyError where another process has claimed the folder.
// release must be kept for as long as the claim is to last. A file system that knows no locks claims nothing and is no
// error: the work itself does not need them.
func Claim(folder string) (release func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, lockName)
	if kind, err := OS.Kind(path); err == nil && kind > Regular {
		return nil, fmt.Errorf("%s is not a regular file: remove it", path)
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
