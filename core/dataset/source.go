package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// source is one opened text file, decompressed, cut into lines.
type source struct {
	*lines
	path  string
	close func()
}

var errLongLine = errors.New("line too long")

// openSource opens a plain, gzip or zstd file; which of them it is, its first bytes tell, not its name.
func openSource(path string, p *progress) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &FileError{Path: path, Reason: "is a folder where a file is needed"}
	}
	s, err := newSource(path, p.reader(f))
	if err != nil {
		f.Close()
		return nil, err
	}
	inner := s.close
	s.close = func() { inner(); f.Close() }
	return s, nil
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &FileError{Path: path, Reason: "there is no such file or folder; check the path", Err: os.ErrNotExist}
	case errors.Is(err, os.ErrPermission):
		return &FileError{Path: path, Reason: "may not be read; check its permissions", Err: os.ErrPermission}
	}
	return &FileError{Path: path, Reason: "cannot be opened", Err: err}
}

// newSource reads from r under the name path. It unpacks gzip and zstd, drops a UTF-8 byte order mark, and refuses
// what is no text in UTF-8's family.
func newSource(path string, r io.Reader) (*source, error) {
	s := &source{path: path, close: func() {}}
	head := make([]byte, 4)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, &FileError{Path: path, Reason: "cannot be read", Err: err}
	}
	head = head[:n]
	r = io.MultiReader(bytes.NewReader(head), r)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, &FileError{Path: path, Reason: "begins like a gzip file and is none; download it again", Err: err}
		}
		r, s.close = z, func() { z.Close() }
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, &FileError{Path: path, Reason: "begins like a zstd file and is none; download it again", Err: err}
		}
		r, s.close = z, z.Close
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, &FileError{Path: path, Reason: "is a zip archive; unpack it and give the folder"}
	case bytes.HasPrefix(head, []byte("BZh")), bytes.HasPrefix(head, []byte("\xfd7zX")), bytes.HasPrefix(head, []byte("Rar!")), bytes.HasPrefix(head, []byte("7z\xbc\xaf")):
		return nil, &FileError{Path: path, Reason: "is compressed in a way that is not read; unpack it, or use gzip or zstd"}
	case bytes.HasPrefix(head, []byte("PAR1")):
		return nil, &FileError{Path: path, Reason: "is a Parquet file; write it as CSV"}
	}
	s.lines = newLines(r)
	mark := s.peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")):
		s.pos += 3
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		s.close()
		return nil, &FileError{Path: path, Reason: "is UTF-16; save it as UTF-8"}
	}
	return s, nil
}

// fail turns an error of reading into one that names the file and the line.
func (s *source) fail(err error) error {
	if err == errLongLine {
		return &LimitError{File: s.path, Line: s.line, What: "the line is too long, in bytes; is this a text file with line ends?", Limit: maxLine}
	}
	return &FileError{Path: s.path, Reason: fmt.Sprintf("breaks off at line %d; download or write it again", s.line), Err: err}
}

// bad describes something wrong in the current line. column is 0-based, −1 for the whole line.
func (s *source) bad(column int, name string, value []byte, rule string) *ParseError {
	return newParseError(s.path, s.line, column+1, name, value, rule)
}

// progress counts the bytes read of all files of a Load, compressed as they lie on the disk.
type progress struct {
	read, total, told int64
	tell              func(read, total int64)
}

const progressStep = 1 << 20

func newProgress(tell func(read, total int64), files []string) *progress {
	p := &progress{tell: tell}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			p.total += info.Size()
		}
	}
	return p
}

func (p *progress) reader(r io.Reader) io.Reader {
	if p == nil || p.tell == nil {
		return r
	}
	return &countingReader{r, p}
}

// done tells the end, once.
func (p *progress) done() {
	if p.tell != nil && p.told != p.total {
		p.tell(p.total, p.total)
	}
}

type countingReader struct {
	r io.Reader
	p *progress
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.p.read += int64(n)
	if c.p.read-c.p.told >= progressStep {
		c.p.told = min(c.p.read, c.p.total)
		c.p.tell(c.p.told, c.p.total)
	}
	return n, err
}

// exists returns the path of a file of that name in folder, plain or with .gz or .zst behind it, or "".
func exists(folder, name string) string {
	for _, suffix := range []string{"", ".gz", ".zst"} {
		p := filepath.Join(folder, name+suffix)
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			return p
		}
	}
	return ""
}

// baseName returns a file's name without folder, compression and ending, or a folder's name.
func baseName(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	name := filepath.Base(abs)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return name
	}
	for _, suffix := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, suffix)
	}
	if ext := filepath.Ext(name); ext != "" && ext != name {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
