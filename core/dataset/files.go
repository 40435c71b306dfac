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
	archive, inner, ok := zipped(name)
	if !ok {
		return os.Stat(name)
	}
	z, err := openZip(archive)
	if err != nil {
		return nil, err
	}
	defer z.close()
	return fs.Stat(z, inner)
}

// open is os.Open. Of a zip archive, a file in it.
func open(name string) (fs.File, error) {
	archive, inner, ok := zipped(name)
	if !ok {
		return os.Open(name)
	}
	z, err := openZip(archive)
	if err != nil {
		return nil, err
	}
	f, err := z.Open(inner)
	if err != nil {
		z.close()
		return nil, err
	}
	return &zippedFile{f, z.close}, nil
}

// list returns the names in a folder or a zip archive, sorted, with a slash behind those of folders. What a Mac adds and
// what is hidden is left out.
func list(name string) (names []string, err error) {
	var entries []fs.DirEntry
	follow := func(e fs.DirEntry) (fs.FileInfo, error) { return os.Stat(filepath.Join(name, e.Name())) }
	if archive, inner, ok := zipped(name); ok {
		follow = fs.DirEntry.Info // an archive has no links
		z, err := openZip(archive)
		if err != nil {
			return nil, err
		}
		defer z.close()
		entries, err = fs.ReadDir(z, inner)
		if err != nil {
			return nil, err
		}
	} else if entries, err = os.ReadDir(name); err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := follow(e)
		switch {
		case errors.Is(err, os.ErrPermission):
			return nil, err
		case err != nil || strings.HasPrefix(e.Name(), ".") || e.Name() == "__MACOSX":
		case info.IsDir():
			names = append(names, e.Name()+"/")
		case info.Mode().IsRegular():
			names = append(names, e.Name())
		}
	}
	return names, nil
}

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

// archive is an open zip archive.
type archive struct {
	*zip.Reader
	close func()
}

// maxDirectory bounds the directory of a zip archive, in bytes: some 10,000 files. It is read at every look into it.
const maxDirectory = 1 << 20

func openZip(name string) (*archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		limited := &limitedReaderAt{f, maxDirectory}
		var z *zip.Reader
		if z, err = zip.NewReader(limited, info.Size()); err == nil {
			limited.left = -1 // the directory is read; what it holds is read as a stream
			return &archive{z, func() { f.Close() }}, nil
		}
	}
	f.Close()
	if errors.Is(err, errDirectory) {
		return nil, &LimitError{File: name, What: "the directory of the zip archive is too long, in bytes; unpack it and give the folder", Limit: maxDirectory}
	}
	return nil, &FileError{Path: name, Reason: "begins like a zip archive and is none, or is damaged; download it again", Err: err}
}

var errDirectory = errors.New("directory too long")

// limitedReaderAt reads at most left bytes in all; −1: as many as asked for.
type limitedReaderAt struct {
	r    io.ReaderAt
	left int64
}

func (l *limitedReaderAt) ReadAt(b []byte, at int64) (int, error) {
	if l.left >= 0 {
		if int64(len(b)) > l.left {
			return 0, errDirectory
		}
		l.left -= int64(len(b))
	}
	return l.r.ReadAt(b, at)
}

type zippedFile struct {
	fs.File
	done func()
}

func (z *zippedFile) Close() error {
	err := z.File.Close()
	z.done()
	return err
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
		return &FileError{Path: name, Reason: "is packed in a way that is not read; unpack the archive and give the folder", Err: err}
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

// reachable returns an error for a folder whose files cannot be listed or looked at: what it holds is then not known, which
// is something else than that it holds nothing.
func reachable(folder string) error {
	_, err := list(folder)
	return folderError(folder, err)
}

// folderError says why a folder could not be listed; nil where it could.
func folderError(folder string, err error) error {
	if errors.Is(err, os.ErrPermission) {
		return &FileError{Path: folder, Reason: "the folder may not be read; check its permissions", Err: os.ErrPermission}
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
