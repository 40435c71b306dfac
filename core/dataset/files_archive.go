package dataset

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// archive is the directory of a zip or tar archive. Its maps do not change once it is open.
type archive struct {
	path   string
	kind   string // "zip" or "tar", as Reading.Packed shows it
	size   int64
	time   time.Time
	files  map[string]*member
	inside map[string][]string // folder, "." for the archive itself → names in it, as list returns them
	stream tarStream           // of a packed tar archive
}

// member is a file in an archive.
type member struct {
	info fs.FileInfo
	open func() (io.ReadCloser, error) // nil: not a regular file
	at   io.ReaderAt                   // the file's bytes if they are not compressed, else nil
}

// Bounds on an archive. Members beyond them are left out.
const (
	maxMembers   = 10_000  // files of a tar archive; more are an error
	maxInnerName = 1 << 10 // bytes of a name
	maxInnerPath = 16      // folders above a file
)

// lastArchive caches the archive opened last, since reading one data set opens its archive many times.
var lastArchive struct {
	sync.Mutex
	*archive
}

// archiveOf splits a path that names or passes through an archive into the archive and the rest of the path, "." for
// the archive itself. The archive is nil if the path has none.
func archiveOf(name string) (a *archive, inner string, err error) {
	at := name
	if name != standardInput {
		at = filepath.Clean(name)
	}
	for {
		if info, err := statDisk(at); err == nil {
			if !info.Mode().IsRegular() {
				return nil, "", nil
			}
			if inner, err = filepath.Rel(at, filepath.Clean(name)); err != nil {
				return nil, "", nil
			}
			a, err = openArchive(at, info)
			return a, filepath.ToSlash(inner), err
		}
		up := filepath.Dir(at)
		if up == at {
			return nil, "", nil
		}
		at = up
	}
}

// openArchive returns the archive at a path on the disk, nil if the file is not an archive. The archive's file stays
// open until the garbage collector closes it.
func openArchive(name string, info fs.FileInfo) (*archive, error) {
	lastArchive.Lock()
	defer lastArchive.Unlock()
	if a := lastArchive.archive; a != nil && a.path == name && a.size == info.Size() && a.time.Equal(info.ModTime()) {
		return a, nil
	}
	f, err := openDisk(name)
	if err != nil {
		return nil, nil // reading the file returns the error
	}
	kind := archiveKind(f)
	if kind == "" {
		f.Close()
		return nil, nil
	}
	a := &archive{path: name, kind: kind, size: info.Size(), time: info.ModTime(), files: map[string]*member{},
		inside: map[string][]string{".": nil}}
	if kind == "zip" {
		err = openZip(a, f, info.Size())
	} else {
		err = openTar(a, f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	for _, names := range a.inside {
		slices.Sort(names)
	}
	lastArchive.archive = a
	return a, nil
}

// archiveKind returns "zip", "tar" (which may be packed), or "".
func archiveKind(f diskFile) string {
	begin := io.NewSectionReader(f, 0, 1<<62)
	var magic [4]byte
	if _, err := io.ReadFull(begin, magic[:]); err != nil {
		return ""
	}
	if string(magic[:]) == "PK\x03\x04" {
		return "zip"
	}
	begin.Seek(0, io.SeekStart)
	u, err := unpack(begin)
	if err != nil {
		return ""
	}
	defer u.close()
	block := make([]byte, tarBlock)
	if _, err := io.ReadFull(u.r, block); err != nil || !isTar(block) {
		return ""
	}
	return "tar"
}

// add records a file and the folders above it, unless one of them is hidden or outside the archive. Of two files with
// the same name, the first is kept.
func (a *archive) add(name string, m *member) {
	name = path.Clean(name)
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
	if _, known := a.inside[name]; m.open != nil && !known {
		a.files[name] = m
		a.inside[folder] = append(a.inside[folder], parts[len(parts)-1])
	}
}

func (a *archive) stat(inner string) (fs.FileInfo, error) {
	if f := a.files[inner]; f != nil {
		return f.info, nil
	}
	if _, ok := a.inside[inner]; ok {
		return folderInfo(path.Base(inner)), nil
	}
	return nil, &fs.PathError{Op: "stat", Path: path.Join(a.path, inner), Err: fs.ErrNotExist}
}

func (a *archive) open(inner string) (fs.File, error) {
	info, err := a.stat(inner)
	if err != nil || info.IsDir() {
		return &archivedFile{io.NopCloser(strings.NewReader("")), info}, err
	}
	r, err := a.files[inner].open()
	return &archivedFile{r, info}, err
}

// archivedFile is an fs.File.
type archivedFile struct {
	io.ReadCloser
	info fs.FileInfo
}

func (z *archivedFile) Stat() (fs.FileInfo, error) { return z.info, nil }

// folderInfo is the fs.FileInfo of a folder in an archive. Only its name is known.
type folderInfo string

func (f folderInfo) Name() string     { return string(f) }
func (folderInfo) Size() int64        { return 0 }
func (folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (folderInfo) ModTime() time.Time { return time.Time{} }
func (folderInfo) IsDir() bool        { return true }
func (folderInfo) Sys() any           { return nil }

// diskFile is an open file on the disk, or standard input.
type diskFile interface {
	fs.File
	io.ReaderAt
}

// standardInput is the path of standard input.
const standardInput = "-"

// maxInput bounds the bytes that are copied from standard input.
const maxInput = 1 << 40

// input is the copy of standard input, since a reading opens a file more than once. It is an unlinked temporary file,
// or the file that standard input was redirected from.
var input struct {
	sync.Mutex
	file *os.File
	info fs.FileInfo
	err  error
}

// copyInput fills input, once.
func copyInput() error {
	input.Lock()
	defer input.Unlock()
	if input.file == nil && input.err == nil {
		input.err = func() error {
			info, err := os.Stdin.Stat()
			switch {
			case err != nil:
				return &FileError{Path: standardInput, Reason: "standard input is closed", Err: err}
			case info.Mode()&fs.ModeCharDevice != 0:
				return &FileError{Path: standardInput, Reason: "standard input is a terminal; pipe a file into it"}
			case info.Mode().IsRegular():
				input.file, input.info = os.Stdin, info
				return nil
			}
			f, err := os.CreateTemp("", "pmlam-input-")
			if err != nil {
				return &FileError{Path: standardInput, Reason: "cannot be copied to a temporary file", Err: err}
			}
			os.Remove(f.Name()) // the open file stays until it is closed
			n, err := io.Copy(f, io.LimitReader(os.Stdin, maxInput+1))
			if err != nil {
				f.Close()
				return &FileError{Path: standardInput, Reason: "cannot be copied to a temporary file", Err: err}
			}
			if n > maxInput {
				f.Close()
				return &LimitError{File: standardInput, What: "standard input is too long, in bytes", Limit: maxInput}
			}
			if input.info, err = f.Stat(); err != nil {
				return err
			}
			input.file = f
			return nil
		}()
	}
	return input.err
}

// statDisk is os.Stat, for standard input too.
func statDisk(name string) (fs.FileInfo, error) {
	if name != standardInput {
		return os.Stat(name)
	}
	if err := copyInput(); err != nil {
		return nil, err
	}
	return input.info, nil
}

// openDisk is os.Open, for standard input too.
func openDisk(name string) (diskFile, error) {
	if name != standardInput {
		return os.Open(name)
	}
	if err := copyInput(); err != nil {
		return nil, err
	}
	return inputFile{io.NewSectionReader(input.file, 0, input.info.Size())}, nil
}

// inputFile reads the copy of standard input from the beginning.
type inputFile struct{ *io.SectionReader }

func (inputFile) Stat() (fs.FileInfo, error) { return input.info, nil }
func (inputFile) Close() error               { return nil }
