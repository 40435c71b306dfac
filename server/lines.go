//go:build !js

package server

import (
	"errors"
	"net"
)

// maxHeaderLines is the maximum number of lines in a request's header. net/http bounds a header's bytes, but uses 100
// bytes and more of memory for each line, so a header of 16 KiB in lines of six bytes would take twenty times its size.
const maxHeaderLines = 128

var errHeaderLines = errors.New("too many header lines in a request")

// counted is a connection that fails if a request's header has more than maxHeaderLines lines.
type counted struct {
	net.Conn
	lines int  // of the current header; −1 outside a header
	empty bool // the current line is empty so far
}

func newCounted(c net.Conn) *counted { return &counted{Conn: c, empty: true} }

// begin marks the start of a header.
func (c *counted) begin() { c.lines, c.empty = 0, true }

// end marks the end of a header.
func (c *counted) end() { c.lines = -1 }

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for _, x := range b[:n] {
		switch {
		case c.lines < 0:
			return n, err
		case x == '\n' && c.empty && c.lines > 0: // an empty line ends a header, but may also precede it
			c.end()
		case x == '\n' && !c.empty:
			c.lines++
			c.empty = true
		case x != '\n' && x != '\r':
			c.empty = false
		}
		if c.lines > maxHeaderLines {
			return 0, errHeaderLines
		}
	}
	return n, err
}
