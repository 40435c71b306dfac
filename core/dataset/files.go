package dataset

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The files of this package are read through stat, open and list, for which a zip or tar archive is a folder: a path
// may continue behind the archive's name, as in export.zip/ratings.csv. The path "-" is standard input.

// stat is os.Stat.
func stat(name string) (fs.FileInfo, error) {
	a, inner, err := archiveOf(name)
	switch {
	case err != nil:
		return nil, err
	case a == nil:
		return statDisk(name)
	}
	return a.stat(inner)
}

// open is os.Open.
func open(name string) (fs.File, error) {
	a, inner, err := archiveOf(name)
	switch {
	case err != nil:
		return nil, err
	case a == nil:
		return openDisk(name)
	}
	return a.open(inner)
}

// list returns the sorted names in a folder or an archive, with a slash behind the names of folders. Hidden files, and
// those that macOS adds to archives, are left out.
func list(name string) (names []string, err error) {
	a, inner, err := archiveOf(name)
	if err != nil {
		return nil, err
	}
	if a != nil {
		return slices.Clone(a.inside[inner]), nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(name, e.Name())) // follows links
		switch {
		case errors.Is(err, os.ErrPermission):
			return nil, err
		case err != nil || hidden(e.Name()):
		case info.IsDir():
			names = append(names, e.Name()+"/")
		case info.Mode().IsRegular():
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || name == "__MACOSX" }

// openError says why a path could not be opened.
func openError(name string, err error) error {
	var file *FileError
	var limit *LimitError
	switch {
	case errors.As(err, &file), errors.As(err, &limit):
		return err
	case errors.Is(err, os.ErrNotExist):
		return &FileError{Path: name, Reason: "there is no such file or folder; check the path", Err: os.ErrNotExist}
	case errors.Is(err, os.ErrPermission):
		return &FileError{Path: name, Reason: "may not be read; check its permissions", Err: os.ErrPermission}
	case errors.Is(err, zip.ErrAlgorithm):
		return &FileError{Path: name, Reason: "is packed in a way that is not read; unpack the archive and give the " +
			"folder", Err: err}
	}
	return &FileError{Path: name, Reason: "cannot be opened", Err: err}
}

// exists returns the path of a file of that name in folder, plain or packed (ratings.csv.gz), or "".
func exists(folder, name string) string {
	for _, suffix := range packings {
		p := filepath.Join(folder, name+suffix)
		if info, err := stat(p); err == nil && info.Mode().IsRegular() {
			return p
		}
	}
	return ""
}

// packings are the endings of the names of packed files.
var packings = []string{"", ".gz", ".zst", ".bz2", ".lz4", ".zlib", ".Z"}

// unpackedName cuts such an ending off.
func unpackedName(name string) string {
	for _, suffix := range packings[1:] {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// glob lists the files in folder that match, sorted. Special characters in the folder's own name are not part of the
// pattern.
func glob(folder, pattern string) (out []string) {
	names, err := list(folder)
	if err != nil {
		return nil
	}
	for _, name := range names {
		if ok, _ := path.Match(pattern, name); ok {
			out = append(out, filepath.Join(folder, name))
		}
	}
	return out
}

// baseName returns a file's name without folder, compression and ending, or a folder's name.
func baseName(name string) string {
	if name == standardInput {
		return "standard input"
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		abs = name
	}
	base := filepath.Base(abs)
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return base
	}
	base = unpackedName(base)
	if ext := filepath.Ext(base); ext != "" && ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}

// reachable returns an error for a folder whose files cannot be listed, so it is not mistaken for an empty one.
func reachable(folder string) error {
	_, err := list(folder)
	return folderError(folder, err)
}

// folderError says why a folder could not be listed; nil where it could.
func folderError(folder string, err error) error {
	if errors.Is(err, os.ErrPermission) {
		return &FileError{Path: folder, Reason: "the folder may not be read; check its permissions",
			Err: os.ErrPermission}
	} else if err != nil {
		return openError(folder, err)
	}
	return nil
}

// isFolder reports whether a path names a folder or an archive.
func isFolder(name string) (bool, error) {
	info, err := stat(name)
	if err != nil {
		return false, openError(name, err)
	}
	return info.IsDir(), nil
}
