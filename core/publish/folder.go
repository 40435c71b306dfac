package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Folder is a folder that is being written.
type Folder struct {
	Target
	had     files
	release func()

	mu  sync.Mutex // guards the fields below
	now files
	put map[string]string // by name: the staged file, or "" if the file is already in place

	placed, removed []string // set by Finish
}

// Placed returns the names of the files that Finish wrote, in its order, without files that were already there.
func (f *Folder) Placed() []string { return f.placed }

// Removed returns the names of the files that Finish removed, sorted.
func (f *Folder) Removed() []string { return f.removed }

// Open checks the folder, creates it if needed, and keeps other processes out until Close. If another process is
// writing there, the error is a *durable.BusyError.
func (t Target) Open() (*Folder, error) {
	if _, err := t.look(); err != nil {
		return nil, err
	}
	f := &Folder{Target: t, release: func() {}, now: files{}, put: map[string]string{}}
	private := filepath.Join(t.Path, t.private())
	if t.FS == Disk {
		var err error
		if f.release, err = durable.Claim(private); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Path, err)
		}
	}
	open := func() (err error) {
		if err := t.FS.MakeFolder(private); err != nil {
			return err
		}
		if f.had, err = f.look(); err != nil { // again: another process may have written it before the claim
			return err
		}
		if _, err := f.others(func(string) bool { return true }); err != nil {
			return err
		}
		return durable.Sweep(t.FS, private, "*") // left by a killed run
	}
	if err := open(); err != nil {
		f.release()
		return nil, err
	}
	return f, nil
}

// Put adds a file with a slash-separated name within the folder. Its content reaches the disk here, and its place in
// Finish. Put returns an error instead of replacing a file that others wrote or changed. It is safe for concurrent use.
func (f *Folder) Put(name string, content []byte) error {
	if err := checkName(name, f.private()); err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	e := entry{name, int64(len(content)), hex.EncodeToString(sum[:])}
	f.mu.Lock()
	twice := f.now[name] != nil
	f.now.add(e)
	f.mu.Unlock()
	if twice {
		return fmt.Errorf("two files have the name %s", name)
	}
	there, err := f.inPlace(e)
	if err != nil {
		return err
	}
	staged := ""
	if !there {
		if staged, err = f.stage(content); err != nil {
			return err
		}
	}
	f.mu.Lock()
	f.put[name] = staged
	f.mu.Unlock()
	return nil
}

// inPlace reports whether the file is already there. The error names an existing file that must not be replaced.
func (f *Folder) inPlace(e entry) (bool, error) {
	for at, c := range e.Name {
		if c != '/' {
			continue
		}
		switch kind, err := f.kind(e.Name[:at]); {
		case err != nil || kind == durable.Nothing:
			return false, err
		case kind != durable.Folder:
			return false, fmt.Errorf("%s in %s is not a folder, but %s must go into it: move it away",
				e.Name[:at], f.Path, e.Name)
		}
	}
	switch kind, err := f.kind(e.Name); {
	case err != nil || kind == durable.Nothing:
		return false, err
	case kind != durable.Regular:
		return false, fmt.Errorf("%s in %s is a folder, a link or a device, but must be a file: move it away",
			e.Name, f.Path)
	}
	there, err := f.digest(e.Name)
	if err != nil {
		return false, err
	}
	if there != e && !slices.Contains(f.had[e.Name], there) {
		return false, fmt.Errorf("%s in %s has changed since this program wrote it, and would be lost: move it away, "+
			"and run this again", e.Name, f.Path)
	}
	return there == e, nil
}

// path returns the path of a file in the folder.
func (f *Folder) path(name string) string { return filepath.Join(f.Path, filepath.FromSlash(name)) }

func (f *Folder) kind(name string) (durable.Kind, error) { return f.FS.Kind(f.path(name)) }

// digest describes the file with this name on the disk.
func (f *Folder) digest(name string) (entry, error) {
	r, _, err := f.FS.Open(f.path(name))
	if err != nil {
		return entry{}, err
	}
	defer r.Close()
	h := sha256.New()
	n, err := io.Copy(h, r)
	return entry{name, n, hex.EncodeToString(h.Sum(nil))}, err
}

// stage writes a file without its final name and returns its path.
func (f *Folder) stage(content []byte) (string, error) {
	w, err := f.FS.CreateTemporary(filepath.Join(f.Path, f.private()), ".new.*.tmp")
	if err != nil {
		return "", err
	}
	_, err = w.Write(content)
	if err == nil {
		err = w.Sync()
	}
	if err = errors.Join(err, w.Close()); err != nil {
		f.FS.Remove(w.Name())
		return "", err
	}
	return w.Name(), nil
}

// Finish moves the put files into place, and removes files of earlier runs that were not put again. The files in last,
// which name others, are moved after all others, in this order. It returns the files that do not belong to this package
// and were left unchanged, sorted. After an error the folder holds the new version of some files and the old one of
// others, with everything that either names. Once the removal of old files has begun, it holds the new version.
func (f *Folder) Finish(last ...string) (others []string, err error) {
	all := maps.Clone(f.had)
	for name, of := range f.now {
		all[name] = slices.Clone(all[name])
		all.add(of[0])
	}
	if err := writeList(f.FS, f.Path, f.private(), all); err != nil {
		return nil, err
	}
	var first []string
	for _, name := range slices.Sorted(maps.Keys(f.put)) {
		if !slices.Contains(last, name) {
			first = append(first, name)
		}
	}
	for _, names := range [][]string{first, last} {
		if err := f.place(names); err != nil {
			return nil, err
		}
	}
	if err := f.removeOld(); err != nil {
		return nil, err
	}
	if err := writeList(f.FS, f.Path, f.private(), f.now); err != nil {
		return nil, err
	}
	return f.others(func(name string) bool { return f.now[name] != nil })
}

// place moves files to their final names, and returns when the names are synced to disk.
func (f *Folder) place(names []string) error {
	changed := map[string]bool{}
	for _, name := range names {
		staged := f.put[name]
		if staged == "" {
			continue
		}
		to := f.path(name)
		if err := f.FS.MakeFolder(filepath.Dir(to)); err != nil {
			return err
		}
		if err := f.FS.Rename(staged, to); err != nil {
			return err
		}
		f.put[name] = ""
		f.placed = append(f.placed, name)
		changed[path.Dir(name)] = true
	}
	return f.sync(changed)
}

// sync syncs the folders, so that new names in them survive a power failure, and the folders above them.
func (f *Folder) sync(folders map[string]bool) error {
	for folder := range maps.Clone(folders) {
		for folder != "." {
			folder = path.Dir(folder)
			folders[folder] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if err := f.FS.SyncFolder(f.path(folder)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// removeOld removes unchanged files of earlier runs, and folders that become empty.
func (f *Folder) removeOld() error {
	// If the file system ignores case, an old name may be another spelling of a new file.
	spelling := func(name string) string { return name }
	if kind, err := f.kind(strings.ToUpper(f.private())); err == nil && kind != durable.Nothing {
		spelling = strings.ToLower
	}
	kept := map[string]bool{}
	for name := range f.now {
		kept[spelling(name)] = true
	}
	changed := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(f.had)) {
		if kept[spelling(name)] || !f.unchanged(name) {
			continue
		}
		if err := f.FS.Remove(f.path(name)); err != nil {
			return err
		}
		f.removed = append(f.removed, name)
		changed[path.Dir(name)] = true
		for folder := path.Dir(name); folder != "." && f.FS.Remove(f.path(folder)) == nil; folder = path.Dir(folder) {
		}
	}
	return f.sync(changed)
}

// unchanged reports whether a file still matches the list, with no link in its path.
func (f *Folder) unchanged(name string) bool {
	for at, c := range name {
		if kind, err := f.kind(name[:at]); c == '/' && (err != nil || kind != durable.Folder) {
			return false
		}
	}
	if kind, err := f.kind(name); err != nil || kind != durable.Regular {
		return false
	}
	there, err := f.digest(name)
	return err == nil && slices.Contains(f.had[name], there)
}

// Close removes staged files that were not moved into place, and lets other processes in.
func (f *Folder) Close() {
	for _, staged := range f.put {
		if staged != "" {
			f.FS.Remove(staged)
		}
	}
	f.release()
}
