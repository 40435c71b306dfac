package server

import (
	"errors"
	"net"
)

// maxHeaderLines is how many lines the header of a request may have. net/http bounds a header's bytes, but keeps
// 100 bytes and more for each line, so a header of 16 KiB in lines of six bytes would take twenty times its size.
const maxHeaderLines = 128

var errHeaderLines = errors.New("too many lines in the header of a request")

// counted is a connection that fails once the header of a request has more than maxHeaderLines lines.
type counted struct {
	net.Conn
	lines int  // of the header that is being read; −1 outside a header
	empty bool // nothing of the present line has come yet
}

func newCounted(c net.Conn) *counted { return &counted{Conn: c, empty: true} }

// begin says that what is read next is a header.
func (c *counted) begin() { c.lines, c.empty = 0, true }

// end says that what is read next is not a header.
func (c *counted) end() { c.lines = -1 }

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for _, x := range b[:n] {
		switch {
		case c.lines < 0:
			return n, err
		case x == '\n' && c.empty && c.lines > 0: // a header ends with an empty line; others may stand before it
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
