package keep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what is kept. No person marks more than this.
const (
	maxBytes   = 16 << 20
	maxEntries = 3 * maxFirst
	maxText    = 1024    // bytes of an id, a title or a genre
	maxAt      = 1 << 53 // what every JavaScript number can count to
)

// MaxPerson bounds what a person is called, in bytes.
const MaxPerson = 120

// Called returns what a person is called as it is kept: without spaces around it, and not too long; "" is no name.
func Called(name string) string {
	return strings.TrimSpace(shortenTo(strings.TrimSpace(name), MaxPerson))
}

// ErrNewer means that a later version of the program wrote this.
var ErrNewer = errors.New("keep: it was written by a newer version of this page")

// Encode returns l as bytes, or an error that names what is out of bounds.
func (l *Ledger) Encode() ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	stored := *l
	stored.Entries = slices.Clone(l.Entries)
	for i := range stored.Entries {
		if e := &stored.Entries[i]; e.Mark == Later {
			e.Mark, e.Year = Unmarked, e.Year|laterYear
		}
	}
	var p packer
	if p.ledger(&stored); len(p) > maxBytes {
		return nil, fmt.Errorf("keep: what was said takes %d bytes, more than the allowed %d", len(p), maxBytes)
	}
	return p, nil
}

// Decode reads what Encode wrote, in this version of the program or an earlier one. It refuses, with an error that
// gives the reason, what breaks an invariant of Ledger. O(len(b)) time and memory.
func Decode(b []byte) (Ledger, error) {
	if len(b) > maxBytes {
		return Ledger{}, fmt.Errorf("keep: it has %d bytes, more than the %d that are allowed", len(b), maxBytes)
	}
	u := unpacker{b: b}
	fields := u.array()
	if u.err != nil || fields == 0 {
		return Ledger{}, errors.New("keep: it does not begin as what this page writes")
	}
	from := u
	switch version := u.uint(8); {
	case u.err != nil:
		return Ledger{}, fmt.Errorf("keep: it has no version: %w", u.err)
	case version > Version:
		return Ledger{}, ErrNewer
	case version == 1:
		return u.first(fields)
	}
	var l Ledger
	u = from
	if u.ledger(&l); fields != 3 {
		u.fail(errKind)
	} else if len(u.b) > 0 {
		u.fail(errTail)
	}
	if u.err != nil {
		return Ledger{}, fmt.Errorf("keep: it is damaged before byte %d: %w", len(b)-len(u.b), u.err)
	}
	for i := range l.Entries {
		switch e := &l.Entries[i]; {
		case e.Mark > Seen:
			e.Mark = Later + 1 // which check refuses
		case e.Mark == Unmarked && e.Year >= laterYear:
			e.Mark, e.Year = Later, e.Year-laterYear
		}
	}
	if err := l.check(); err != nil {
		return Ledger{}, err
	}
	return l, nil
}

// laterYear is added to the year of a title that is kept for later, see Ledger.
const laterYear = 1 << 15

// check returns an error that names the broken invariant of Ledger, or nil.
func (l *Ledger) check() error {
	if l.Version != Version {
		return fmt.Errorf("keep: it has version %d, this page writes version %d", l.Version, Version)
	}
	if len(l.Entries) > maxEntries {
		return fmt.Errorf("keep: it lists %d titles, more than the %d that are allowed", len(l.Entries), maxEntries)
	}
	said := make(map[string]struct{}, len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		if err := checkID(e.ID); err != nil {
			return err
		}
		if e.Mark > Later || e.Mark == Later && e.Year >= laterYear ||
			e.At > maxAt || len(e.Title) > maxText || !utf8.ValidString(e.Title) {
			return fmt.Errorf("keep: what it says of title %q is out of range", e.ID)
		}
		if i > 0 && (e.At < l.Entries[i-1].At || e.At == l.Entries[i-1].At && e.ID <= l.Entries[i-1].ID) {
			return fmt.Errorf("keep: title %q is not in its place", e.ID)
		}
		if _, twice := said[e.ID]; twice {
			return fmt.Errorf("keep: it names title %q twice", e.ID)
		}
		said[e.ID] = struct{}{}
	}
	return l.Settings.check()
}

func (s *Settings) check() error {
	if s.Mode > 2 || s.Theme > 2 || !unit(s.Exploration) || !unit(s.Diversity) || len(s.Genres) > 256 ||
		len(s.Picks) > 256 ||
		!language(s.Language) ||
		len(s.Person) > MaxPerson || !utf8.ValidString(s.Person) {
		return errors.New("keep: it holds a setting that is out of range")
	}
	for _, g := range slices.Concat(s.Genres, s.Picks) {
		if err := checkID(g); err != nil {
			return err
		}
	}
	return nil
}

// language reports whether s looks like a language: "" or letters, digits and hyphens, as in "de" or "pt-BR".
func language(s string) bool {
	for _, c := range s {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(s) <= 35 // RFC 5646, 4.4.1
}

func checkID(id string) error {
	if id == "" || len(id) > maxText || !utf8.ValidString(id) {
		return fmt.Errorf("keep: it holds %q, which names nothing", id[:min(len(id), 40)])
	}
	return nil
}

func unit(v float64) bool { return !math.IsNaN(v) && v >= 0 && v <= 1 }

// Shorten returns s as a title or an id that can be kept: cut where it is longer than that may be, and "" where it is
// no UTF-8.
func Shorten(s string) string { return shortenTo(s, maxText) }

// shortenTo is Shorten to so many bytes.
func shortenTo(s string, most int) string {
	n := min(len(s), most)
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	if !utf8.ValidString(s[:n]) {
		return ""
	}
	return s[:n]
}
