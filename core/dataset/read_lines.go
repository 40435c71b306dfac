package dataset

import (
	"bytes"
	"io"
)

// lines cuts a stream into lines without copying them. Its buffer grows to the longest line, at most maxLine.
type lines struct {
	r     io.Reader
	buf   []byte
	start int   // where the current line begins
	first int   // where the line after the current line's first physical line begins
	pos   int   // where the next line begins
	end   int   // how far buf is filled
	line  int64 // number of the current line's first physical line, 1-based
	after int64 // number of the next physical line
	err   error // why no more can be read; io.EOF at the end
}

func newLines(r io.Reader) *lines {
	return &lines{r: r, buf: make([]byte, 64<<10), after: 1}
}

// fill reads more bytes, keeping those from start on. It reports whether there were any.
func (l *lines) fill() bool {
	if l.err != nil {
		return false
	}
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.first -= l.start
		l.pos -= l.start
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		if len(l.buf) >= 2*maxLine {
			l.err = errLongLine
			return false
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	l.err = io.ErrNoProgress
	return false
}

// peek returns up to n of the next bytes without consuming them.
func (l *lines) peek(n int) []byte {
	l.start = l.pos
	for l.end-l.pos < n && l.fill() {
	}
	return l.buf[l.pos:min(l.end, l.pos+n)]
}

// next returns the next line without its line end, valid until the next call, or io.EOF.
func (l *lines) next() ([]byte, error) {
	l.start, l.first = l.pos, l.pos
	l.line = l.after
	if err := l.scan(); err != nil {
		return nil, err
	}
	l.first = l.pos
	return l.current(), nil
}

// extend adds the next physical line to the current one, line end included, for quoted fields that hold line ends.
func (l *lines) extend() ([]byte, error) {
	if err := l.scan(); err != nil {
		return nil, err
	}
	return l.current(), nil
}

// retract returns all but the first physical line of the current one to the stream.
func (l *lines) retract() {
	l.pos = l.first
	l.after = l.line + 1 // current is the first physical line alone again
}

// scan moves pos behind the next line end.
func (l *lines) scan() error {
	searched := l.pos
	for {
		if i := bytes.IndexByte(l.buf[searched:l.end], '\n'); i >= 0 {
			if searched+i-l.start > maxLine {
				return errLongLine
			}
			l.pos = searched + i + 1
			l.after++
			return nil
		}
		if l.end-l.start > maxLine {
			return errLongLine
		}
		back := l.start
		searched = l.end
		more := l.fill()
		searched -= back - l.start
		if more {
			continue
		}
		if l.err != io.EOF {
			return l.err
		}
		if l.pos == l.end {
			return io.EOF
		}
		l.pos = l.end
		l.after++
		return nil
	}
}

// endByCR treats carriage returns as line ends, from the current line on.
func (l *lines) endByCR() {
	toFeeds(l.buf[l.start:l.end])
	l.r = feeds{l.r}
}

func (l *lines) current() []byte {
	b := l.buf[l.start:l.pos]
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	for n := len(b); n > 0 && b[n-1] == '\r'; n = len(b) { // two of them where a file was converted twice
		b = b[:n-1]
	}
	return b
}
