package batch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Row is one user's data, or a piece of it.
type Row struct {
	User    string
	First   int64 // the user's first position in the source: file·2⁴⁰ + interaction in the file
	Entries []Entry
}

// Entry is an interaction of a row.
type Entry struct {
	Item   string
	Rating float32 // NaN if not rated
	Liked  bool    // a positive
	Late   bool    // in the test part
	Again  bool    // late, but also liked in the training part: not tested
	Time   int64
	At     int64 // the position in the source, like First
}

// counts reports whether an entry is a positive of the training part, or of either part, counting a pair in both once.
func (e *Entry) counts(train bool) bool { return e.Liked && (!e.Late || !train && !e.Again) }

// likes returns the number of positives of a row in the training part, or in both parts.
func (r *Row) likes(train bool) (n int) {
	for i := range r.Entries {
		if r.Entries[i].counts(train) {
			n++
		}
	}
	return n
}

// late returns the number of positives of a row in the test part, including those with Again.
func (r *Row) late() (n int) {
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Late && e.Liked {
			n++
		}
	}
	return n
}

// Bits of an entry's flag byte.
const (
	entryLiked = 1 << iota
	entryLate
	entryAgain
)

// encodeRow encodes a row in about 12 bytes per entry plus the ids.
func encodeRow(r Row) []byte {
	b := make([]byte, 0, 16+len(r.User)+24*len(r.Entries))
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text(r.User)
	b = binary.AppendVarint(b, r.First)
	b = binary.AppendUvarint(b, uint64(len(r.Entries)))
	for _, e := range r.Entries {
		text(e.Item)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(e.Rating))
		is := byte(0)
		for bit, set := range [...]bool{e.Liked, e.Late, e.Again} {
			if set {
				is |= 1 << bit
			}
		}
		b = append(b, is)
		b = binary.AppendVarint(b, e.Time)
		b = binary.AppendVarint(b, e.At-r.First)
	}
	return b
}

// errBytes reports corrupt bytes between workers.
var errBytes = errors.New("batch: a row passed between workers is damaged")

// bytesReader reads the encodings of encodeRow, encodeStripe and encodeMessage. After an error all reads return zeros.
type bytesReader struct {
	b   []byte
	err error
}

func (r *bytesReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	return v & r.skip(n)
}

func (r *bytesReader) varint() int64 {
	v, n := binary.Varint(r.b)
	return v & int64(r.skip(n))
}

// skip advances by n bytes and returns all ones, or 0 if it cannot.
func (r *bytesReader) skip(n int) uint64 {
	if n <= 0 || n > len(r.b) || r.err != nil {
		r.err, r.b = errBytes, nil
		return 0
	}
	r.b = r.b[n:]
	return math.MaxUint64
}

func (r *bytesReader) bytes(n uint64) []byte {
	if n == 0 {
		return nil
	}
	b := r.b
	if n > uint64(len(b)) || r.skip(int(n)) == 0 {
		r.err = errBytes
		return make([]byte, 8)
	}
	return b[:n]
}

// length reads the number of following elements of at least size bytes.
func (r *bytesReader) length(size int) int {
	n := r.uvarint()
	if n > uint64(len(r.b)/size) {
		r.err = errBytes
		return 0
	}
	return int(n)
}

func decodeRow(b []byte) (Row, error) {
	in := bytesReader{b: b}
	var r Row
	r.User = string(in.bytes(in.uvarint()))
	r.First = in.varint()
	r.Entries = make([]Entry, in.length(8))
	for i := range r.Entries {
		e := &r.Entries[i]
		e.Item = string(in.bytes(in.uvarint()))
		e.Rating = math.Float32frombits(binary.LittleEndian.Uint32(in.bytes(4)))
		is := in.bytes(1)[0]
		e.Liked, e.Late, e.Again = is&entryLiked != 0, is&entryLate != 0, is&entryAgain != 0
		e.Time = in.varint()
		e.At = r.First + in.varint()
	}
	if len(in.b) > 0 && in.err == nil {
		in.err = fmt.Errorf("%w: %d bytes too many", errBytes, len(in.b))
	}
	return r, in.err
}

// Stripe counts the users that an item shares with others.
type Stripe struct {
	With  []int32 // items, ascending
	Users []int32 // aligned
}

func encodeStripe(s Stripe) []byte {
	b := binary.AppendUvarint(nil, uint64(len(s.With)))
	before := int32(0)
	for i, j := range s.With {
		b = binary.AppendUvarint(b, uint64(j-before))
		b = binary.AppendUvarint(b, uint64(s.Users[i]))
		before = j
	}
	return b
}

func decodeStripe(b []byte) (Stripe, error) {
	in := bytesReader{b: b}
	n := in.length(2)
	s := Stripe{With: make([]int32, n), Users: make([]int32, n)}
	before := int32(0)
	for i := range n {
		before += int32(in.uvarint())
		s.With[i], s.Users[i] = before, int32(in.uvarint())
	}
	return s, in.err
}

// encodeMessage writes 0 and a target's sources, or 1 and a question or an answer.
func encodeMessage(m Message) []byte {
	if !m.Asks {
		return append([]byte{0}, encodeStripe(m.Has)...)
	}
	b := binary.AppendUvarint(binary.AppendUvarint([]byte{1}, uint64(m.To)), uint64(m.From))
	b = binary.AppendUvarint(b, uint64(len(m.Numbers)))
	for _, n := range m.Numbers {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func decodeMessage(b []byte) (m Message, err error) {
	in := bytesReader{b: b}
	if in.uvarint() == 0 && in.err == nil {
		m.Has, err = decodeStripe(in.b)
		return m, err
	}
	m.Asks, m.To, m.From = true, int32(in.uvarint()), int32(in.uvarint())
	m.Numbers = make([]int32, in.length(1))
	for k := range m.Numbers {
		m.Numbers[k] = int32(in.uvarint())
	}
	return m, in.err
}
