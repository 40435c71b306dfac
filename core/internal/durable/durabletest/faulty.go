// Package durabletest has file systems for tests: one that fails on request, and one in memory that can lose its power.
package durabletest

import (
	"errors"
	"fmt"
	"io"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Op is a kind of operation of a file system.
type Op string

const (
	MakeFolder Op = "make folder"
	List       Op = "list"
	Look       Op = "look"
	Open       Op = "open"
	Read       Op = "read"
	Create     Op = "create"
	Write      Op = "write"
	Sync       Op = "sync"
	Close      Op = "close"
	Rename     Op = "rename"
	Remove     Op = "remove"
	SyncFolder Op = "sync folder"
)

// ErrFault is wrapped by all errors that Faulty makes.
var ErrFault = errors.New("injected fault")

// Faulty is a file system some of whose operations fail. A failing operation has no effect, except that a write writes
// the first half of its bytes, as on a full disk, and a close does close the file. It is not safe for concurrent use.
type Faulty struct {
	durable.FS
	Fails func(n int, op Op) bool // asked before every operation; n counts them from 0
	Count int                     // operations so far
}

func (f *Faulty) fails(op Op) error {
	n := f.Count
	f.Count++
	if f.Fails != nil && f.Fails(n, op) {
		return fmt.Errorf("%s, operation %d: %w", op, n, ErrFault)
	}
	return nil
}

// MakeFolder, and so on: see durable.FS.
func (f *Faulty) MakeFolder(path string) error {
	if err := f.fails(MakeFolder); err != nil {
		return err
	}
	return f.FS.MakeFolder(path)
}

func (f *Faulty) List(folder string) ([]string, error) {
	if err := f.fails(List); err != nil {
		return nil, err
	}
	return f.FS.List(folder)
}

func (f *Faulty) Kind(path string) (durable.Kind, error) {
	if err := f.fails(Look); err != nil {
		return durable.Nothing, err
	}
	return f.FS.Kind(path)
}

func (f *Faulty) Open(path string) (io.ReadCloser, int64, error) {
	if err := f.fails(Open); err != nil {
		return nil, 0, err
	}
	r, size, err := f.FS.Open(path)
	return faultySource{r, f}, size, err
}

func (f *Faulty) CreateTemporary(folder, pattern string) (durable.File, error) {
	if err := f.fails(Create); err != nil {
		return nil, err
	}
	file, err := f.FS.CreateTemporary(folder, pattern)
	if err != nil {
		return nil, err
	}
	return faultyFile{file, f}, nil
}

func (f *Faulty) Rename(from, to string) error {
	if err := f.fails(Rename); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}

func (f *Faulty) Remove(path string) error {
	if err := f.fails(Remove); err != nil {
		return err
	}
	return f.FS.Remove(path)
}

func (f *Faulty) SyncFolder(folder string) error {
	if err := f.fails(SyncFolder); err != nil {
		return err
	}
	return f.FS.SyncFolder(folder)
}

type faultyFile struct {
	durable.File
	f *Faulty
}

func (w faultyFile) Write(b []byte) (int, error) {
	if err := w.f.fails(Write); err != nil {
		n, _ := w.File.Write(b[:len(b)/2])
		return n, err
	}
	return w.File.Write(b)
}

func (w faultyFile) Sync() error {
	if err := w.f.fails(Sync); err != nil {
		return err
	}
	return w.File.Sync()
}

func (w faultyFile) Close() error {
	err := w.f.fails(Close)
	if closed := w.File.Close(); err == nil {
		err = closed
	}
	return err
}

type faultySource struct {
	io.ReadCloser
	f *Faulty
}

func (r faultySource) Read(b []byte) (int, error) {
	if err := r.f.fails(Read); err != nil {
		return 0, err
	}
	return r.ReadCloser.Read(b)
}
