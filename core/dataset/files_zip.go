package dataset

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// archive is the directory of a zip archive. Nothing changes in it.
type archive struct {
	path   string
	size   int64
	time   time.Time
	files  map[string]*zip.File
	inside map[string][]string // folder, "." for the archive itself → names in it, as list returns them
}

// Bounds on a zip archive.
const (
	maxDirectory = 1 << 20 // bytes of its directory: some 10,000 files
	maxInnerName = 1 << 10 // bytes of a name; files with longer ones are left out
	maxInnerPath = 16      // folders above a file, likewise
)

// lastArchive is the archive that was looked into last: a reading looks many times, and into one archive.
var lastArchive struct {
	sync.Mutex
	*archive
}

// openZip returns the directory of the archive at a path. The file stays open until the garbage collector closes it.
func openZip(name string) (*archive, error) {
	lastArchive.Lock()
	defer lastArchive.Unlock()
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if a := lastArchive.archive; a != nil && a.path == name && a.size == info.Size() && a.time.Equal(info.ModTime()) {
		return a, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	limited := &limitedReaderAt{f, maxDirectory}
	z, err := zip.NewReader(limited, info.Size())
	switch {
	case errors.Is(err, errDirectory):
		f.Close()
		return nil, &LimitError{File: name, What: "the directory of the zip archive is too long, in bytes; unpack " +
			"it and give the folder", Limit: maxDirectory}
	case err != nil:
		f.Close()
		return nil, &FileError{Path: name, Reason: "begins like a zip archive and is none, or is damaged; download " +
			"it again", Err: err}
	}
	limited.left = -1 // the directory is read; what it holds is read as a stream
	a := &archive{name, info.Size(), info.ModTime(), map[string]*zip.File{}, map[string][]string{".": nil}}
	for _, file := range z.File {
		a.add(file)
	}
	for _, names := range a.inside {
		slices.Sort(names)
	}
	lastArchive.archive = a
	return a, nil
}

// add enters a file, and the folders above it, where they are not hidden, and lie within the archive.
func (a *archive) add(f *zip.File) {
	name := path.Clean(strings.ReplaceAll(f.Name, "\\", "/"))
	parts := strings.Split(name, "/")
	if len(name) > maxInnerName || len(parts) > maxInnerPath || name == "." || slices.ContainsFunc(parts, hidden) ||
		parts[0] == "" || a.files[name] != nil {
		return
	}
	folder := "."
	for _, part := range parts[:len(parts)-1] {
		below := path.Join(folder, part)
		if _, known := a.inside[below]; !known {
			a.inside[below] = nil
			a.inside[folder] = append(a.inside[folder], part+"/")
		}
		folder = below
	}
	if _, known := a.inside[name]; f.Mode().IsRegular() && !strings.HasSuffix(f.Name, "/") && !known {
		a.files[name] = f
		a.inside[folder] = append(a.inside[folder], parts[len(parts)-1])
	}
}

func (a *archive) stat(inner string) (fs.FileInfo, error) {
	if f := a.files[inner]; f != nil {
		return f.FileInfo(), nil
	}
	if _, ok := a.inside[inner]; ok {
		return folderInfo(path.Base(inner)), nil
	}
	return nil, &fs.PathError{Op: "stat", Path: path.Join(a.path, inner), Err: fs.ErrNotExist}
}

func (a *archive) open(inner string) (fs.File, error) {
	info, err := a.stat(inner)
	if err != nil || info.IsDir() {
		return &zippedFile{io.NopCloser(strings.NewReader("")), info}, err
	}
	r, err := a.files[inner].Open()
	return &zippedFile{r, info}, err
}

// zippedFile is an fs.File.
type zippedFile struct {
	io.ReadCloser
	info fs.FileInfo
}

func (z *zippedFile) Stat() (fs.FileInfo, error) { return z.info, nil }

// folderInfo is the fs.FileInfo of a folder in an archive, of which only the name is known.
type folderInfo string

func (f folderInfo) Name() string     { return string(f) }
func (folderInfo) Size() int64        { return 0 }
func (folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (folderInfo) ModTime() time.Time { return time.Time{} }
func (folderInfo) IsDir() bool        { return true }
func (folderInfo) Sys() any           { return nil }

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
