package dataset

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// The files of this package are read through stat, open and list, for which a zip archive is a folder: a path may go on
// behind the archive's name, as in export.zip/ratings.csv.

// stat is os.Stat.
func stat(name string) (fs.FileInfo, error) {
	packed, inner, ok := zipped(name)
	if !ok {
		return os.Stat(name)
	}
	z, err := openZip(packed)
	if err != nil {
		return nil, err
	}
	return z.stat(inner)
}

// open is os.Open. Of a zip archive, a file in it.
func open(name string) (fs.File, error) {
	packed, inner, ok := zipped(name)
	if !ok {
		return os.Open(name)
	}
	z, err := openZip(packed)
	if err != nil {
		return nil, err
	}
	return z.open(inner)
}

// list returns the names in a folder or a zip archive, sorted, with a slash behind those of folders. Hidden
// files, and those that macOS adds to archives, are left out.
func list(name string) (names []string, err error) {
	if packed, inner, ok := zipped(name); ok {
		z, err := openZip(packed)
		if err != nil {
			return nil, err
		}
		return z.inside[inner], nil
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

// zipped cuts a path behind the zip archive that it names or goes through.
func zipped(name string) (archive, inner string, ok bool) {
	for archive = filepath.Clean(name); ; {
		if info, err := os.Stat(archive); err == nil {
			if !info.Mode().IsRegular() || !isZip(archive) {
				return "", "", false
			}
			inner, err = filepath.Rel(archive, filepath.Clean(name))
			return archive, filepath.ToSlash(inner), err == nil
		}
		up := filepath.Dir(archive)
		if up == archive {
			return "", "", false
		}
		archive = up
	}
}

func isZip(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && string(magic[:]) == "PK\x03\x04"
}

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

// exists returns the path of a file of that name in folder, plain or with .gz or .zst behind it, or "".
func exists(folder, name string) string {
	for _, suffix := range packings {
		p := filepath.Join(folder, name+suffix)
		if info, err := stat(p); err == nil && info.Mode().IsRegular() {
			return p
		}
	}
	return ""
}

// packings are the ends of names of packed files.
var packings = []string{"", ".gz", ".zst"}

// unpackedName cuts them off.
func unpackedName(name string) string {
	for _, suffix := range packings[1:] {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// glob lists the files in folder that match, sorted. The folder's own name is not taken for a pattern.
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

// reachable returns an error for a folder whose files cannot be listed, so that it is not taken for an empty one.
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

// isFolder reports whether there is a folder or a zip archive at a path.
func isFolder(name string) (bool, error) {
	info, err := stat(name)
	if err != nil {
		return false, openError(name, err)
	}
	return info.IsDir(), nil
}
