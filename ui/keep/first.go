package keep

import (
	"errors"
	"fmt"
)

// Version 1, which program 0.1.0 wrote: after the version three lists of ids, likes, dislikes and seen, and the
// settings in the order of their fields. It did not store when titles were marked: its entries get the moments 1, 2, 3
// and so on, in the order of the lists, and so are older than whatever was marked since; two tabs that migrate at the
// same time come to the same ledger.

// maxFirst bounds each of version 1's lists.
const maxFirst = 65536

// first reads a state of version 1 after its version; fields is how many parts it says it has.
func (u *unpacker) first(fields uint64) (Ledger, error) {
	l := New()
	if fields != 5 {
		u.fail(errors.New("it has not five parts"))
	}
	for _, m := range [...]Mark{Liked, NotForMe, Seen} {
		for _, id := range u.texts(maxFirst) {
			l.Entries = append(l.Entries, Entry{ID: id, Mark: m, At: uint64(len(l.Entries) + 1)})
		}
	}
	if u.array() != 8 {
		u.fail(errors.New("it has not eight settings"))
	}
	s := &l.Settings
	s.Mode = uint8(u.uint(8))
	s.Exploration = u.float()
	s.Diversity = u.float()
	s.Seed = u.uint(64)
	s.Genres = u.texts(256)
	s.Decade = uint16(u.uint(16))
	s.Theme = uint8(u.uint(8))
	s.Distances = u.truth()
	if len(u.b) > 0 {
		u.fail(errTail)
	}
	if u.err != nil {
		return Ledger{}, fmt.Errorf("keep: it is of version 1 and damaged: %w", u.err)
	}
	if err := l.check(); err != nil {
		return Ledger{}, err
	}
	return l, nil
}
