package keep

import (
	"errors"
	"fmt"
)

// Version 1, as written by program 0.1.0: the version; the ids of likes, dislikes and seen titles; the settings in the
// order of their fields. It has no times. Its entries get the times 1, 2, 3 and so on, in the order of the lists. So
// they are older than all marks made since, and two tabs that migrate at the same time get the same ledger.

// maxFirst is the longest list of version 1.
const maxFirst = 65536

// first reads the rest of a version 1 state, after its version. fields is its stated number of parts.
func (u *unpacker) first(fields uint64) (Ledger, error) {
	l := New()
	if fields != 5 {
		u.fail(errors.New("want five parts"))
	}
	for _, m := range [...]Mark{Liked, NotForMe, Seen} {
		for _, id := range u.texts(maxFirst) {
			l.Entries = append(l.Entries, Entry{ID: id, Mark: m, At: uint64(len(l.Entries) + 1)})
		}
	}
	if u.array() != 8 {
		u.fail(errors.New("want eight settings"))
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
		return Ledger{}, fmt.Errorf("keep: damaged state of version 1: %w", u.err)
	}
	if err := l.check(); err != nil {
		return Ledger{}, err
	}
	return l, nil
}
