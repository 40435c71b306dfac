package keep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds on stored values, far above any person's use.
const (
	maxBytes   = 16 << 20
	maxEntries = 3 * maxFirst
	maxText    = 1024    // bytes of an id, a title or a genre
	maxAt      = 1 << 53 // every integer up to it is a JavaScript number
)

// MaxPerson is the longest name of a person, in bytes.
const MaxPerson = 120

// Called returns a person's name as stored: trimmed and cut to MaxPerson bytes. "" is not a name.
func Called(name string) string {
	return strings.TrimSpace(shortenTo(strings.TrimSpace(name), MaxPerson))
}

// ErrNewer means that the bytes were written by a later version of the program.
var ErrNewer = errors.New("keep: written by a newer version of this page")

// Encode returns l as bytes, or an error that names the value out of bounds.
func (l *Ledger) Encode() ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	stored := *l
	stored.Entries = slices.Clone(l.Entries)
	for i := range stored.Entries {
		e := &stored.Entries[i]
		if e.Mark == Later {
			e.Mark, e.Year = Unmarked, e.Year|laterYear
		}
		e.Title, e.Details = e.Details.join(e.Title), Details{}
	}
	var p packer
	if p.ledger(&stored); len(p) > maxBytes {
		return nil, fmt.Errorf("keep: the state takes %d bytes, of %d at most", len(p), maxBytes)
	}
	return p, nil
}

// Decode reads bytes written by Encode, of this version of the program or an earlier one. It returns an error if they
// break an invariant of Ledger. Time and memory are O(len(b)).
func Decode(b []byte) (Ledger, error) {
	if len(b) > maxBytes {
		return Ledger{}, fmt.Errorf("keep: the state has %d bytes, of %d at most", len(b), maxBytes)
	}
	u := unpacker{b: b}
	fields := u.array()
	if u.err != nil || fields == 0 {
		return Ledger{}, errors.New("keep: not a state of this page: bad first bytes")
	}
	from := u
	switch version := u.uint(8); {
	case u.err != nil:
		return Ledger{}, fmt.Errorf("keep: version: %w", u.err)
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
		return Ledger{}, fmt.Errorf("keep: damaged before byte %d: %w", len(b)-len(u.b), u.err)
	}
	for i := range l.Entries {
		switch e := &l.Entries[i]; {
		case e.Mark > Seen:
			e.Mark = Later + 1 // refused by check
		case e.Mark == Unmarked && e.Year >= laterYear:
			e.Mark, e.Year = Later, e.Year-laterYear
		}
		e := &l.Entries[i]
		e.Title, e.Details = splitDetails(e.Title)
	}
	if err := l.check(); err != nil {
		return Ledger{}, err
	}
	return l, nil
}

// laterYear is added to the year of titles kept for later; see Ledger.
const laterYear = 1 << 15

// check returns an error that names a broken invariant of Ledger, or nil.
func (l *Ledger) check() error {
	if l.Version != Version {
		return fmt.Errorf("keep: version %d; this page writes version %d", l.Version, Version)
	}
	if len(l.Entries) > maxEntries {
		return fmt.Errorf("keep: %d titles, of %d at most", len(l.Entries), maxEntries)
	}
	said := make(map[string]struct{}, len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		if err := checkID(e.ID); err != nil {
			return err
		}
		if e.Mark > Later || e.Mark == Later && e.Year >= laterYear ||
			e.At > maxAt || len(e.Title) > maxText || !utf8.ValidString(e.Title) || !e.Details.valid() {
			return fmt.Errorf("keep: title %q has a value out of range", e.ID)
		}
		if i > 0 && (e.At < l.Entries[i-1].At || e.At == l.Entries[i-1].At && e.ID <= l.Entries[i-1].ID) {
			return fmt.Errorf("keep: title %q is out of order", e.ID)
		}
		if _, twice := said[e.ID]; twice {
			return fmt.Errorf("keep: title %q comes twice", e.ID)
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
		return errors.New("keep: a setting is out of range")
	}
	for _, g := range slices.Concat(s.Genres, s.Picks) {
		if err := checkID(g); err != nil {
			return err
		}
	}
	return nil
}

// language reports whether s could be a language tag: "", or letters, digits and hyphens such as "de" or "pt-BR".
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
		return fmt.Errorf("keep: bad id or name %q", id[:min(len(id), 40)])
	}
	return nil
}

func unit(v float64) bool { return !math.IsNaN(v) && v >= 0 && v <= 1 }

// Shorten cuts a title or an id to the length that can be stored. It returns "" if s is not UTF-8.
func Shorten(s string) string { return shortenTo(s, maxText) }

// shortenTo is Shorten to most bytes.
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
