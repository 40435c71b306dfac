package durabletest

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Memory is a file system in memory that can lose its power. Unsynced content is lost then; the caller chooses whether
// unsynced names are lost, since disks may do either. Folders exist as soon as they are named. The zero value is empty.
// It is not safe for concurrent use.
type Memory struct {
	names, synced map[string]*content // by path: the present state, and the state after a power failure
	made          int
}

type content struct {
	data   []byte
	synced []byte // the part of data that survives
}

// PowerLoss simulates a power failure and a restart. If lucky, names that were made, changed and removed without a sync
// of their folder survive; unsynced content never does.
func (m *Memory) PowerLoss(lucky bool) {
	left := m.synced
	if lucky {
		left = m.names
	}
	m.names, m.synced = map[string]*content{}, map[string]*content{}
	for path, c := range left {
		after := &content{slices.Clone(c.synced), slices.Clone(c.synced)}
		m.names[path], m.synced[path] = after, after
	}
}

// MakeFolder, and so on: see durable.FS.
func (m *Memory) MakeFolder(string) error { return nil }

func (m *Memory) List(folder string) (names []string, _ error) {
	above := filepath.Clean(folder) + string(filepath.Separator)
	for path := range m.names {
		if rest, ok := strings.CutPrefix(path, above); ok {
			name, _, _ := strings.Cut(rest, string(filepath.Separator))
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (m *Memory) Kind(path string) (durable.Kind, error) {
	if m.names[filepath.Clean(path)] != nil {
		return durable.Regular, nil
	}
	if within, _ := m.List(path); len(within) > 0 {
		return durable.Folder, nil
	}
	return durable.Nothing, nil
}

func (m *Memory) Open(path string) (io.ReadCloser, int64, error) {
	c := m.names[filepath.Clean(path)]
	if c == nil {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return io.NopCloser(bytes.NewReader(c.data)), int64(len(c.data)), nil
}

func (m *Memory) CreateTemporary(folder, pattern string) (durable.File, error) {
	m.made++
	path := filepath.Join(folder, strings.Replace(pattern, "*", fmt.Sprint(m.made), 1))
	c := &content{}
	if m.names == nil {
		m.names, m.synced = map[string]*content{}, map[string]*content{}
	}
	m.names[path] = c
	return memoryFile{c, path}, nil
}

func (m *Memory) Rename(from, to string) error {
	c := m.names[filepath.Clean(from)]
	if c == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	delete(m.names, filepath.Clean(from))
	m.names[filepath.Clean(to)] = c
	return nil
}

func (m *Memory) Remove(path string) error {
	if m.names[filepath.Clean(path)] == nil {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	delete(m.names, filepath.Clean(path))
	return nil
}

func (m *Memory) SyncFolder(folder string) error {
	folder = filepath.Clean(folder)
	for path := range m.synced {
		if filepath.Dir(path) == folder && m.names[path] == nil {
			delete(m.synced, path)
		}
	}
	for path, c := range m.names {
		if filepath.Dir(path) == folder {
			m.synced[path] = c
		}
	}
	return nil
}

type memoryFile struct {
	c    *content
	path string
}

func (f memoryFile) Name() string { return f.path }
func (f memoryFile) Close() error { return nil }
func (f memoryFile) Sync() error  { f.c.synced = slices.Clone(f.c.data); return nil }
func (f memoryFile) Write(b []byte) (int, error) {
	f.c.data = append(f.c.data, b...)
	return len(b), nil
}
