package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
)

// source is an open text file, decompressed and cut into lines.
type source struct {
	*lines
	path     string
	packed   string        // as in Reading
	encoding func() string // as in Reading; known at the end
	close    func()
	comment  byte // the first byte of comments; 0: no comments
	notRows  int  // comments that were left out
	// columns that the file's folder names, with their values
	partitions []partition
}

var errLongLine = errors.New("line too long")

// openSource opens a text file, plain or packed, on the disk or in an archive.
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
	if a, _, _ := archiveOf(path); a != nil {
		s.packed = strings.TrimPrefix(s.packed+" in "+a.kind, " in ")
	}
	inner := s.close
	s.close = func() { inner(); f.Close() }
	return s, nil
}

// newSource reads from r under the name path. It unpacks r and decodes text that is not UTF-8.
func newSource(path string, r io.Reader) (*source, error) { return newSourceIn(path, r, "") }

// newSourceIn is newSource for text in a named encoding; "" guesses it.
func newSourceIn(path string, r io.Reader, name string) (*source, error) {
	s := &source{path: path}
	var asked encoding.Encoding
	if name != "" {
		var err error
		if asked, err = encodingOf(name); err != nil {
			return nil, &FileError{Path: path, Reason: "cannot be read in the encoding asked for", Err: err}
		}
	}
	u, err := unpack(r)
	if err != nil {
		return nil, &FileError{Path: path, Reason: "is packed and cannot be unpacked; download or write it again",
			Err: err}
	}
	s.packed, s.close = packedAs(u.kinds), u.close
	magic := make([]byte, tarBlock)
	n, err := io.ReadFull(u.r, magic)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		u.close()
		return nil, &FileError{Path: path, Reason: "cannot be read; download or write it again", Err: err}
	}
	magic = magic[:n]
	if reason := notText(magic); reason != "" {
		u.close()
		return nil, &FileError{Path: path, Reason: reason}
	}
	r = io.MultiReader(bytes.NewReader(magic), u.r)
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

// markup finds the first tag of XML and HTML.
var markup = regexp.MustCompile(`(?i)^(?:\x{feff})?\s*<(?:\?xml|!doctype|html|rss|feed|urlset|catalog|` +
	`items|products|head|body|table)\b`)

// notText describes a file that its first bytes show not to be text, with a remedy; "" if it may be text.
func notText(head []byte) string {
	begins := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case begins("PK\x03\x04"):
		return "is a zip archive, or a table of Excel or LibreOffice, which is one; unpack it, or save the table as CSV"
	case len(head) == tarBlock && isTar(head):
		return "is a tar archive within another archive; unpack it"
	case otherPacking(head) != "":
		return "is compressed with " + otherPacking(head) + ", which is not read; unpack it, or use gzip, zstd, " +
			"bzip2 or lz4"
	case begins("SQLite form"), bytes.HasPrefix(head[min(8, len(head)):], []byte("DUCK")):
		return "is a database of SQLite or DuckDB; " + fromDatabase
	case begins("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return "is a table of an older Excel (.xls); save it as CSV"
	case begins("PAR1"):
		return "is a Parquet file that is packed once more; unpack it"
	case markup.Match(head):
		return "is XML or HTML; a table as CSV, JSON lines or Parquet is needed"
	case begins("%PDF-"):
		return "is a PDF; a table as CSV is needed"
	case begins("Obj\x01"):
		return "is an Avro file, which is not read; write it as CSV or Parquet"
	case begins("ORC"):
		return "is an ORC file, which is not read; write it as CSV or Parquet"
	case begins("ARROW1"), begins("FEA1"):
		return "is an Arrow or Feather file, which is not read; write it as CSV or Parquet"
	case begins("\x80\x02"), begins("\x80\x03"), begins("\x80\x04\x95"), begins("\x80\x05\x95"):
		return "is a Python pickle, which is not read; write it as CSV or Parquet"
	case begins("\x93NUMPY"):
		return "is a NumPy array, which is not read; write it as CSV"
	case begins("\x89HDF"):
		return "is an HDF5 file, which is not read; write it as CSV or Parquet"
	}
	return ""
}

// fromDatabase is the remedy for a file that only a database can read.
const fromDatabase = "write the table as CSV or Parquet, as docs/owners.md says for DuckDB, SQLite, MySQL and " +
	"PostgreSQL"

// dump finds the first statement that mysqldump, pg_dump and SQLite's .dump write, after comments and settings.
var dump = regexp.MustCompile(`(?i)^(?:\s*(?:--[^\n]*\n|/\*[^*]*\*/;?|(?:SET|PRAGMA|BEGIN|USE|DROP|LOCK)\b[^;]*;))*` +
	`\s*(?:CREATE (?:TABLE|DATABASE|SCHEMA|SEQUENCE)\b|INSERT INTO\b|COPY [^\n]* FROM stdin;|SELECT pg_catalog\.)`)

// isDump reports whether a text begins like the dump of a database.
func isDump(head []byte) bool { return dump.Match(head) }

// head returns the next few lines without consuming them. It returns whole lines if it finds a line end.
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

// fail adds the file and the line to an error of reading.
func (s *source) fail(err error) error {
	if err == errLongLine {
		return &LimitError{File: s.path, Line: s.line, What: "the line is too long, in bytes; is this a text file " +
			"with line ends?", Limit: maxLine}
	}
	return &FileError{Path: s.path, Reason: fmt.Sprintf("breaks off at line %d; download or write it again", s.line),
		Err: err}
}

// bad describes a fault of the current line. column is 0-based, −1 for the whole line.
func (s *source) bad(column int, name string, value []byte, rule string) *ParseError {
	return newParseError(s.path, s.line, column+1, name, value, rule)
}

// progress counts the bytes read from all files of a Load, compressed as they are on the disk.
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
