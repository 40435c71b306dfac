package keep

import (
	"errors"
	"fmt"

	"github.com/tinylib/msgp/msgp"
)

// Version 1, which program 0.1.0 wrote: after the version three lists of ids, likes, dislikes and seen, and the
// settings in the order of their fields. It did not store when titles were marked: its entries get the moments 1, 2, 3
// and so on, in the order of the lists, and so are older than whatever was marked since; two tabs that migrate at the
// same time come to the same ledger.

// maxFirst bounds each of version 1's lists.
const maxFirst = 65536

// decodeFirst reads a state of version 1 after its version.
func decodeFirst(b []byte, fields uint32) (Ledger, error) {
	r := first{b: b}
	l := New()
	if fields != 5 {
		r.fail(errors.New("it has not five parts"))
	}
	for _, m := range [...]Mark{Liked, NotForMe, Seen} {
		for _, id := range r.texts(maxFirst) {
			l.Entries = append(l.Entries, Entry{ID: id, Mark: m, At: uint64(len(l.Entries) + 1)})
		}
	}
	if r.count() != 8 {
		r.fail(errors.New("it has not eight settings"))
	}
	s := &l.Settings
	s.Mode = read(&r, msgp.ReadUint8Bytes)
	s.Exploration = read(&r, msgp.ReadFloat64Bytes)
	s.Diversity = read(&r, msgp.ReadFloat64Bytes)
	s.Seed = read(&r, msgp.ReadUint64Bytes)
	s.Genres = r.texts(256)
	s.Decade = read(&r, msgp.ReadUint16Bytes)
	s.Theme = read(&r, msgp.ReadUint8Bytes)
	s.Distances = read(&r, msgp.ReadBoolBytes)
	if len(r.b) > 0 {
		r.fail(errors.New("bytes follow its end"))
	}
	if r.err != nil {
		return Ledger{}, fmt.Errorf("keep: it is of version 1 and damaged: %w", r.err)
	}
	if err := l.check(); err != nil {
		return Ledger{}, err
	}
	return l, nil
}

// first reads on through bytes until something is wrong; after that it reads zeros.
type first struct {
	b   []byte
	err error
}

func (r *first) fail(err error) {
	if r.err == nil {
		r.b, r.err = nil, err
	}
}

func read[T any](r *first, what func([]byte) (T, []byte, error)) (v T) {
	if r.err != nil {
		return v
	}
	v, rest, err := what(r.b)
	r.b = rest
	if err != nil {
		r.fail(err)
	}
	return v
}

func (r *first) count() uint32 { return read(r, msgp.ReadArrayHeaderBytes) }

// texts reads a list of at most so many texts. Each takes a byte at least, so no count can ask for more than is there.
func (r *first) texts(limit int) []string {
	n := r.count()
	if uint64(n) > uint64(min(limit, len(r.b))) {
		r.fail(errors.New("a list is longer than it may be"))
		return nil
	}
	var out []string
	for range n {
		out = append(out, read(r, msgp.ReadStringBytes))
	}
	return out
}
