package dataset

import (
	"encoding/binary"
	"io"
)

// Bounds on allocations of the Parquet library. It trusts the lengths, counts and sizes in the file, so these are
// checked first.
const (
	maxFooter       = 16 << 20
	maxFooterValues = 1 << 19 // elements of all lists of the footer
	maxPage         = 128 << 20
	maxPageValues   = 1 << 23
	maxPageHeader   = 64 << 10
	maxParquet      = 1 << 20 // pages of a column
)

// compact walks over values in Thrift's compact protocol, in which footers and page headers are written, without
// storing any. It reads nothing beyond the end, and accepts no list longer than the remaining bytes and no nesting
// deeper than maxDepth.
type compact struct {
	b     []byte
	at    int
	bad   bool
	items int // elements of all lists
}

func (c *compact) byte() byte {
	if c.at >= len(c.b) {
		c.bad = true
		return 0
	}
	c.at++
	return c.b[c.at-1]
}

func (c *compact) uvarint() uint64 {
	if c.bad {
		return 0
	}
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.at += n
	return v
}

func (c *compact) skip(n uint64) {
	if n > uint64(len(c.b)-c.at) {
		c.bad = true
		return
	}
	c.at += int(n)
}

// object walks over a struct and calls visit for its whole numbers, with their parent and field.
func (c *compact) object(depth, parent int, visit func(parent, field int, v int64)) {
	if depth > maxDepth {
		c.bad = true
	}
	for field := 0; !c.bad; {
		head := c.byte()
		if head == 0 {
			return
		}
		if step := int(head >> 4); step > 0 {
			field += step
		} else {
			field = int(unzigzag(c.uvarint()))
		}
		if kind := head & 15; kind > 2 { // 1 and 2 are booleans without more
			c.value(kind, depth, parent, field, visit)
		}
	}
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

func (c *compact) value(kind byte, depth, parent, field int, visit func(parent, field int, v int64)) {
	switch kind {
	case 1, 2, 3:
		c.byte()
	case 4, 5, 6:
		visit(parent, field, unzigzag(c.uvarint()))
	case 7:
		c.skip(8)
	case 8:
		c.skip(c.uvarint())
	case 9, 10:
		head := c.byte()
		n := uint64(head >> 4)
		if n == 15 {
			n = c.uvarint()
		}
		c.list(n, head&15, depth, visit)
	case 11:
		if n := c.uvarint(); n > 0 {
			kinds := c.byte()
			for i := uint64(0); i < n && !c.bad; i++ {
				c.list(1, kinds>>4, depth, visit)
				c.list(1, kinds&15, depth, visit)
			}
		}
	case 12:
		c.object(depth+1, field, visit)
	default:
		c.bad = true
	}
}

func (c *compact) list(n uint64, kind byte, depth int, visit func(parent, field int, v int64)) {
	if n > uint64(len(c.b)-c.at) || depth > maxDepth {
		c.bad = true
		return
	}
	c.items += int(n)
	for range n {
		if c.bad {
			return
		}
		c.value(kind, depth+1, -1, -1, visit)
	}
}

// checkFooter checks the footer of a Parquet file against the bounds.
func checkFooter(r io.ReaderAt, size int64) (reason string) {
	var end [8]byte
	if size < 12 {
		return "is too short for a Parquet file; download or write it again"
	}
	if _, err := r.ReadAt(end[:], size-8); err != nil || string(end[4:]) != "PAR1" {
		return "begins like a Parquet file and does not end like one; download or write it again"
	}
	n := int64(binary.LittleEndian.Uint32(end[:4]))
	if n > maxFooter || n > size-12 {
		return "has a footer that is longer than any it may have; write it again, with larger row groups"
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, size-8-n); err != nil {
		return "cannot be read"
	}
	c := compact{b: b}
	c.object(0, -1, func(int, int, int64) {})
	if c.bad || c.items > maxFooterValues {
		return "has a footer that is damaged, or lists too much; write it again, with larger row groups"
	}
	return ""
}

// checkPages walks over the headers of a column's pages, in size bytes from offset on.
func checkPages(r io.ReaderAt, offset, size int64) (reason string) {
	b := make([]byte, maxPageHeader)
	for pages := 0; size > 0; pages++ {
		n, err := r.ReadAt(b[:min(size, maxPageHeader)], offset)
		if n == 0 || pages == maxParquet {
			return "breaks off within a column; download or write it again"
		}
		if err != nil && err != io.EOF {
			return "cannot be read"
		}
		c := compact{b: b[:n]}
		var unpacked, packed, values int64
		c.object(0, -1, func(parent, field int, v int64) {
			switch {
			case parent < 0 && field == 2:
				unpacked = v
			case parent < 0 && field == 3:
				packed = v
			case field == 1 && (parent == 5 || parent == 7 || parent == 8):
				values = max(values, v)
			}
		})
		switch {
		case c.bad || packed < 0 || unpacked < 0 || int64(c.at)+packed > size:
			return "has a damaged page; download or write it again"
		case unpacked > maxPage || packed > maxPage || values > maxPageValues:
			return "has a page that is larger than any it may have (128 MB, 8 million values); write it with " +
				"smaller pages"
		}
		offset += int64(c.at) + packed
		size -= int64(c.at) + packed
	}
	return ""
}
