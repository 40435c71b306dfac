package dataset

import (
	"archive/zip"
	"errors"
	"io"
	"strings"
)

// maxDirectory bounds the bytes of the directory of a zip archive: about 10,000 files.
const maxDirectory = 1 << 20

// openZip reads the directory of a zip archive.
func openZip(a *archive, f diskFile, size int64) error {
	limited := &limitedReaderAt{f, maxDirectory}
	z, err := zip.NewReader(limited, size)
	switch {
	case errors.Is(err, errDirectory):
		return &LimitError{File: a.path, What: "the directory of the zip archive is too long, in bytes; unpack " +
			"it and give the folder", Limit: maxDirectory}
	case err != nil:
		return &FileError{Path: a.path, Reason: "begins like a zip archive but is damaged; download it again", Err: err}
	}
	limited.left = -1 // the directory is read; the files are read as streams
	for _, file := range z.File {
		m := &member{info: file.FileInfo(), open: file.Open}
		if !file.Mode().IsRegular() || strings.HasSuffix(file.Name, "/") {
			m.open = nil
		}
		a.add(strings.ReplaceAll(file.Name, "\\", "/"), m)
	}
	return nil
}

var errDirectory = errors.New("directory too long")

// limitedReaderAt reads at most left bytes in total; −1 means no limit.
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
