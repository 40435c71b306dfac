package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
)

// source is one opened text file, decompressed, cut into lines.
type source struct {
	*lines
	path     string
	packed   string        // as in Reading
	encoding func() string // likewise, known at the end
	close    func()
	comment  byte // what comments begin with; 0: there are none
	notRows  int  // comments that were left out
}

var errLongLine = errors.New("line too long")

// openSource opens a plain, gzip or zstd file; which of them it is, its first bytes tell, not its name. The file may
// lie in a zip archive.
func openSource(path string, p *progress, encoding string) (*source, error) {
	f, err := open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &FileError{Path: path, Reason: "is a folder where a file is needed"}
	}
	s, err := newSourceIn(path, p.reader(f), encoding)
	if err != nil {
		f.Close()
		return nil, err
	}
	if _, _, ok := zipped(path); ok && s.packed == "" {
		s.packed = "zip"
	}
	inner := s.close
	s.close = func() { inner(); f.Close() }
	return s, nil
}

// newSource reads from r under the name path. It unpacks gzip and zstd and decodes what is not in UTF-8.
func newSource(path string, r io.Reader) (*source, error) { return newSourceIn(path, r, "") }

// newSourceIn is newSource for text in the encoding of that name; "": it is guessed.
func newSourceIn(path string, r io.Reader, name string) (*source, error) {
	s := &source{path: path, close: func() {}}
	var asked encoding.Encoding
	if name != "" {
		var err error
		if asked, err = encodingOf(name); err != nil {
			return nil, &FileError{Path: path, Reason: "cannot be read in the encoding asked for", Err: err}
		}
	}
	head := func(r io.Reader) ([]byte, io.Reader, error) {
		b := make([]byte, 12)
		n, err := io.ReadFull(r, b)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, nil, &FileError{Path: path, Reason: "cannot be read", Err: err}
		}
		return b[:n], io.MultiReader(bytes.NewReader(b[:n]), r), nil
	}
	magic, r, err := head(r)
	if err != nil {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, &FileError{Path: path, Reason: "begins like a gzip file and is none; download it again",
				Err: err}
		}
		r, s.packed, s.close = z, "gzip", func() { z.Close() }
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, &FileError{Path: path, Reason: "begins like a zstd file and is none; download it again",
				Err: err}
		}
		r, s.packed, s.close = z, "zstd", z.Close
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return nil, &FileError{Path: path, Reason: "is a zip archive, or a table of Excel or LibreOffice, which is " +
			"one; unpack it, or save the table as CSV"}
	case bytes.HasPrefix(magic, []byte("BZh")), bytes.HasPrefix(magic, []byte("\xfd7zX")),
		bytes.HasPrefix(magic, []byte("Rar!")), bytes.HasPrefix(magic, []byte("7z\xbc\xaf")):
		return nil, &FileError{Path: path, Reason: "is compressed in a way that is not read; unpack it, or use gzip " +
			"or zstd"}
	case bytes.HasPrefix(magic, []byte("SQLite form")), bytes.HasPrefix(magic[min(8, len(magic)):], []byte("DUCK")):
		return nil, &FileError{Path: path, Reason: "is a database of SQLite or DuckDB; " + fromDatabase}
	case bytes.HasPrefix(magic, []byte("PAR1")):
		return nil, &FileError{Path: path, Reason: "is a Parquet file where a text is needed; unpack the " +
			"archive that it is in, or write it as CSV"}
	}
	if s.packed != "" {
		if magic, r, err = head(r); err != nil {
			s.close()
			return nil, err
		}
	}
	r, s.encoding = decoded(r, magic, asked)
	s.lines = newLines(r)
	start := s.peek(sniffed)
	if endsByCR(start) {
		s.lines.endByCR()
	}
	if isDump(start) {
		s.close()
		return nil, &FileError{Path: path, Reason: "is a dump of a database, statements of SQL; load it into one, " +
			"and " + fromDatabase}
	}
	return s, nil
}

// fromDatabase ends the error of a file that only a database can read.
const fromDatabase = "write the table as CSV or Parquet, as docs/owners.md says for DuckDB, SQLite, MySQL and " +
	"PostgreSQL"

// dump finds the first statement of what mysqldump, pg_dump and SQLite's .dump write, behind comments and settings.
var dump = regexp.MustCompile(`(?i)^(?:\s*(?:--[^\n]*\n|/\*[^*]*\*/;?|(?:SET|PRAGMA|BEGIN|USE|DROP|LOCK)\b[^;]*;))*` +
	`\s*(?:CREATE (?:TABLE|DATABASE|SCHEMA|SEQUENCE)\b|INSERT INTO\b|COPY [^\n]* FROM stdin;|SELECT pg_catalog\.)`)

// isDump reports whether a text begins as dumps of databases do.
func isDump(head []byte) bool { return dump.Match(head) }

// head returns what comes next and leaves it there: enough to see a few lines, whole lines where there is an end of
// one.
func (s *source) head() []byte {
	head := s.peek(sniffed)
	if len(head) == sniffed && bytes.Count(head, []byte{'\n'}) < 4 {
		head = s.peek(sniffedLong)
	}
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 && len(head) >= sniffed {
		head = head[:i+1]
	}
	return head
}

// fail turns an error of reading into one that names the file and the line.
func (s *source) fail(err error) error {
	if err == errLongLine {
		return &LimitError{File: s.path, Line: s.line, What: "the line is too long, in bytes; is this a text file " +
			"with line ends?", Limit: maxLine}
	}
	return &FileError{Path: s.path, Reason: fmt.Sprintf("breaks off at line %d; download or write it again", s.line),
		Err: err}
}

// bad describes something wrong in the current line. column is 0-based, −1 for the whole line.
func (s *source) bad(column int, name string, value []byte, rule string) *ParseError {
	return newParseError(s.path, s.line, column+1, name, value, rule)
}

// progress counts the bytes read of all files of a Load, compressed as they lie on the disk.
type progress struct {
	read, total, reported int64
	report                func(read, total int64)
}

const progressStep = 1 << 20

func newProgress(report func(read, total int64), files []string) *progress {
	p := &progress{report: report}
	for _, f := range files {
		if info, err := stat(f); err == nil {
			p.total += info.Size()
		}
	}
	return p
}

func (p *progress) reader(r io.Reader) io.Reader {
	if p == nil || p.report == nil {
		return r
	}
	return &countingReader{r, p}
}

// done reports the end, once.
func (p *progress) done() {
	if p.report != nil && p.reported != p.total {
		p.report(p.total, p.total)
	}
}

type countingReader struct {
	r io.Reader
	p *progress
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.p.read += int64(n)
	if c.p.read-c.p.reported >= progressStep {
		c.p.reported = min(c.p.read, c.p.total)
		c.p.report(c.p.reported, c.p.total)
	}
	return n, err
}
