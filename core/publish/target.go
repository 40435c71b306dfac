package publish

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// FS is a file system.
type FS = durable.FS

// Disk is the machine's file system.
var Disk FS = durable.OS

// Target describes the folder to write.
type Target struct {
	Path      string      // the folder; created if needed
	Kind      string      // the kind of program that writes it, "site"; a folder of another kind is refused
	Protected []Protected // must not be within the folder
	FS        FS          // nil: Disk; tests inject failures
}

// Protected is a file or folder that must not be overwritten.
type Protected struct{ What, Path string } // "the model", "shop/model.msgpack"

// private is the name of this package's subfolder in the target.
func (t *Target) private() string { return ".pmlam-" + t.Kind }

// Check returns an error if writing the folder could lose data. It changes nothing.
func (t Target) Check() error {
	_, err := t.look()
	return err
}

// look returns the listed files of a folder that may be written. It replaces t.Path by the folder that links lead to.
func (t *Target) look() (had files, err error) {
	if t.FS == nil {
		t.FS = Disk
	}
	if t.Path == "" {
		return nil, errors.New("the folder to write has no name")
	}
	if real, err := filepath.EvalSymlinks(t.Path); err == nil {
		t.Path = real
	}
	if err := t.checkProtected(); err != nil {
		return nil, err
	}
	switch kind, err := t.FS.Kind(t.Path); {
	case err != nil:
		return nil, err
	case kind == durable.Nothing:
		return files{}, nil
	case kind != durable.Folder:
		return nil, fmt.Errorf("%s is not a folder", t.Path)
	}
	names, err := t.FS.List(t.Path)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if isRepository(name) {
			return nil, t.repository(name)
		}
	}
	had, err = readList(t.FS, t.Path, t.private())
	if !errors.Is(err, errNoList) {
		return had, err
	}
	kind, err := t.FS.Kind(filepath.Join(t.Path, t.private()))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		// A run that was stopped early leaves a folder without a list.
		if name == t.private() && kind == durable.Folder {
			continue
		}
		return nil, &UnlistedError{t.Path, name, filepath.Join(t.private(), listName)}
	}
	return files{}, nil
}

// UnlistedError is the error for a folder with files but without a list.
type UnlistedError struct{ Folder, File, List string }

func (e *UnlistedError) Error() string {
	return fmt.Sprintf("%s holds %s, and no list of the files that this program wrote there (%s), so nothing was "+
		"written: choose another folder, or move this one away (once for each folder that an earlier version wrote)",
		e.Folder, e.File, e.List)
}

func (t *Target) repository(name string) error {
	return fmt.Errorf("%s holds a repository, %s: nothing is written where version control keeps files; choose "+
		"another folder, and copy the files from there", t.Path, name)
}

// checkProtected returns an error if the folder contains something protected, or is within a repository's own folder.
// Files are compared, not names, so links and other spellings make no difference.
func (t *Target) checkProtected() error {
	abs, err := filepath.Abs(t.Path)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(abs), "/"), isRepository) {
		return fmt.Errorf("%s is within a repository's own folder: choose another one", t.Path)
	}
	target, err := os.Stat(abs)
	if err != nil {
		return nil // does not exist, or only in memory
	}
	for _, p := range t.Protected {
		if p.Path == "" {
			continue
		}
		places := []string{p.Path}
		if real, err := filepath.EvalSymlinks(p.Path); err == nil {
			places = append(places, real)
		}
		for _, place := range places {
			at, err := filepath.Abs(place)
			if err != nil {
				return err
			}
			for ; ; at = filepath.Dir(at) {
				if info, err := os.Stat(at); err == nil && os.SameFile(info, target) {
					return fmt.Errorf("%s holds %s, %s: choose another folder", t.Path, p.What, p.Path)
				}
				if at == filepath.Dir(at) {
					break
				}
			}
		}
	}
	return nil
}

// others returns the files in a folder, recursively and sorted, that written does not accept. Links are listed but not
// followed. A repository at any depth is an error.
func (t *Target) others(written func(name string) bool) (found []string, err error) {
	var walk func(within string) error
	walk = func(within string) error {
		names, err := t.FS.List(filepath.Join(t.Path, filepath.FromSlash(within)))
		if err != nil {
			return err
		}
		for _, base := range names {
			name := path.Join(within, base)
			if name == t.private() {
				continue
			}
			if isRepository(base) {
				return t.repository(name)
			}
			switch kind, err := t.FS.Kind(filepath.Join(t.Path, filepath.FromSlash(name))); {
			case err != nil:
				return err
			case kind == durable.Folder:
				if err := walk(name); err != nil {
					return err
				}
			case !written(name):
				found = append(found, name)
			}
		}
		return nil
	}
	err = walk("")
	return found, err
}
