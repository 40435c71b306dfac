package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"
)

// spot is the place of a value.
type spot struct {
	at, n int    // a text's or bin's bytes: b[at:at+n]
	value uint64 // a number's value, or its bits; a bool's and a nullable map's 0 or 1
}

// layout is a file with a checked structure: the place of every value.
type layout struct {
	b     []byte
	spots [leaves]spot
	sum   func([]byte) ([32]byte, bool) // of DecodeBy
}

func (l *layout) bytes(k leaf) []byte    { return l.b[l.spots[k].at : l.spots[k].at+l.spots[k].n] }
func (l *layout) text(k leaf) string     { return string(l.bytes(k)) }
func (l *layout) uint(k leaf) uint64     { return l.spots[k].value }
func (l *layout) bool(k leaf) bool       { return l.spots[k].value != 0 } // of a nullable map: it is present
func (l *layout) float32(k leaf) float32 { return math.Float32frombits(uint32(l.spots[k].value)) }
func (l *layout) offset(k leaf) int      { return l.spots[k].at }
func (l *layout) has(k leaf) bool        { return l.spots[k].at > 0 } // its key is present, since no value is at 0

// frame is a map that the walk is inside of.
type frame struct {
	node *node
	left int    // entries yet to come
	seen uint64 // bit i: fields[i] has come
}

// maxDepth is the depth of the schema; the walk never goes deeper.
const maxDepth = 4

// walk checks the content of a file against the schema, from byte contentAt to the end. It moves from value to value
// with a stack of fixed size, so the depth and the counts of a hostile file cost nothing. O(number of keys) and one
// pass over the texts; it only allocates to fail.
func (l *layout) walk() error {
	var stack [maxDepth]frame
	depth := 0
	at := contentAt
	next := &schema
	for {
		end, count, err := l.value(next, at)
		if err != nil {
			return locate(err, stack[:depth], next.key)
		}
		at = end
		if next.kind == kindMap && count >= 0 {
			stack[depth] = frame{node: next, left: count}
			depth++
		}
		// Leave the maps that are complete.
		for depth > 0 && stack[depth-1].left == 0 {
			f := &stack[depth-1]
			for i := range f.node.fields {
				if f.seen&(1<<i) == 0 && !f.node.fields[i].optional {
					return locate(&Error{Reason: MissingKey, Offset: at}, stack[:depth], f.node.fields[i].key)
				}
			}
			depth--
		}
		if depth == 0 {
			break
		}
		f := &stack[depth-1]
		f.left--
		next, at, err = l.key(f, at)
		if err != nil {
			return locate(err, stack[:depth], "")
		}
	}
	if at != len(l.b) {
		return &Error{Trailing, at, "", fmt.Sprintf("%d bytes follow the model", len(l.b)-at)}
	}
	return nil
}

// key reads a key of the map f and returns its node.
func (l *layout) key(f *frame, at int) (*node, int, error) {
	from, n, end, err := l.run(at, kindText)
	if err != nil {
		return nil, 0, err
	}
	for i := range f.node.fields {
		if field := &f.node.fields[i]; string(l.b[from:from+n]) == field.key {
			if f.seen&(1<<i) != 0 {
				return nil, 0, &Error{Reason: DuplicateKey, Offset: at, Field: field.key}
			}
			f.seen |= 1 << i
			return field, end, nil
		}
	}
	return nil, 0, &Error{Reason: UnknownKey, Offset: at, Detail: fmt.Sprintf("%.40q", l.b[from:from+n])}
}

// value reads and records the value at offset at, which must match n, and returns its end. For a map it returns the
// number of its entries and the end of its head; −1 entries for a nil instead of a map.
func (l *layout) value(n *node, at int) (end, count int, err error) {
	if at >= len(l.b) {
		return 0, 0, truncated(len(l.b), "")
	}
	c := l.b[at]
	s := spot{at: at}
	switch n.kind {
	case kindMap:
		if n.null && c == 0xc0 {
			l.spots[n.leaf] = spot{at: at}
			return at + 1, -1, nil
		}
		count, end, err = l.mapHead(at)
		if err != nil {
			return 0, 0, err
		}
		if count > len(n.fields) {
			return 0, 0, &Error{Reason: UnknownKey, Offset: at,
				Detail: fmt.Sprintf("%d entries instead of %d", count, len(n.fields))}
		}
		if !n.null {
			return end, count, nil
		}
		s.value = 1
	case kindText:
		s.at, s.n, end, err = l.run(at, kindText)
		if err != nil {
			return 0, 0, err
		}
		if s.n > n.max {
			return 0, 0, &Error{Reason: TooLarge, Offset: at,
				Detail: fmt.Sprintf("%d bytes, but at most %d are allowed", s.n, n.max)}
		}
		if !utf8.Valid(l.b[s.at:end]) {
			return 0, 0, &Error{Reason: BadText, Offset: s.at, Detail: "it is not valid UTF-8"}
		}
	case kindBytes:
		s.at, s.n, end, err = l.run(at, kindBytes)
	case kindUint:
		s.value, end, err = l.unsigned(at)
	case kindFloat32:
		if c != 0xca {
			return 0, 0, l.wrongType(at, n.kind)
		}
		if len(l.b)-at < 5 {
			return 0, 0, truncated(len(l.b), "")
		}
		s.value, end = uint64(binary.BigEndian.Uint32(l.b[at+1:])), at+5
	case kindBool:
		if c != 0xc2 && c != 0xc3 {
			return 0, 0, l.wrongType(at, n.kind)
		}
		s.value, end = uint64(c-0xc2), at+1
	}
	if err != nil {
		return 0, 0, err
	}
	l.spots[n.leaf] = s
	return end, count, nil
}

// run reads the head of a str or bin and returns the place of its bytes, all of which exist: n bytes b[from:from+n], up
// to end.
func (l *layout) run(at int, k kind) (from, n, end int, err error) {
	size, ok := l.length(at, k)
	if at >= len(l.b) || ok && len(l.b)-at-1 < size {
		return 0, 0, 0, truncated(len(l.b), "")
	}
	if !ok {
		return 0, 0, 0, l.wrongType(at, k)
	}
	from = at + 1 + size
	var want uint64
	switch size {
	case 0:
		want = uint64(l.b[at] & 0x1f) // fixstr
	case 1:
		want = uint64(l.b[at+1])
	case 2:
		want = uint64(binary.BigEndian.Uint16(l.b[at+1:]))
	case 4:
		want = uint64(binary.BigEndian.Uint32(l.b[at+1:]))
	}
	if want > uint64(len(l.b)-from) {
		return 0, 0, 0, &Error{Reason: Truncated, Offset: at,
			Detail: fmt.Sprintf("%d bytes announced, but %d left; fetch or copy it again", want, len(l.b)-from)}
	}
	return from, int(want), from + int(want), nil
}

// length returns the size of the length of the str or bin at offset at, in bytes, and whether it is one.
func (l *layout) length(at int, k kind) (size int, ok bool) {
	if at >= len(l.b) {
		return 0, false
	}
	c := l.b[at]
	if k == kindBytes {
		switch c {
		case 0xc4:
			return 1, true
		case 0xc5:
			return 2, true
		case 0xc6:
			return 4, true
		}
		return 0, false
	}
	switch {
	case c >= 0xa0 && c <= 0xbf:
		return 0, true
	case c == 0xd9:
		return 1, true
	case c == 0xda:
		return 2, true
	case c == 0xdb:
		return 4, true
	}
	return 0, false
}

func (l *layout) mapHead(at int) (count, end int, err error) {
	c := l.b[at]
	size := 0
	switch {
	case c >= 0x80 && c <= 0x8f:
		return int(c & 0x0f), at + 1, nil
	case c == 0xde:
		size = 2
	case c == 0xdf:
		size = 4
	default:
		return 0, 0, l.wrongType(at, kindMap)
	}
	v, end, err := l.bigEndian(at, size)
	// A count beyond any schema's is clipped to fit an int everywhere; it is refused in any case.
	return int(min(v, 1<<30)), end, err
}

func (l *layout) unsigned(at int) (v uint64, end int, err error) {
	c := l.b[at]
	switch {
	case c < 0x80:
		return uint64(c), at + 1, nil
	case c >= 0xcc && c <= 0xcf:
		return l.bigEndian(at, 1<<(c-0xcc))
	}
	return 0, 0, l.wrongType(at, kindUint)
}

// bigEndian reads the size bytes that follow the type byte at offset at.
func (l *layout) bigEndian(at, size int) (v uint64, end int, err error) {
	if len(l.b)-at-1 < size {
		return 0, 0, truncated(len(l.b), "")
	}
	for _, c := range l.b[at+1 : at+1+size] {
		v = v<<8 | uint64(c)
	}
	return v, at + 1 + size, nil
}

func (l *layout) wrongType(at int, want kind) error {
	return &Error{Reason: WrongType, Offset: at,
		Detail: fmt.Sprintf("it begins with byte %#02x and must be %s", l.b[at], want)}
}

// locate completes the field of an error with its path.
func locate(err error, stack []frame, key string) error {
	e := err.(*Error)
	path := ""
	for i := range stack {
		path += stack[i].node.key + "."
	}
	if e.Field != "" {
		key = e.Field
	}
	e.Field = path + key
	if key == "" && path != "" {
		e.Field = path[:len(path)-1]
	}
	return e
}
