package keep

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tinylib/msgp/msgp"
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
	b, err := l.MarshalMsg(nil)
	if err == nil && len(b) > maxBytes {
		err = fmt.Errorf("keep: what was said takes %d bytes, more than the %d that are allowed", len(b), maxBytes)
	}
	return b, err
}

// Decode reads what Encode wrote, in this version of the program or an earlier one. It refuses, with an error that
// gives the reason, what breaks an invariant of Ledger. O(len(b)) time and memory.
func Decode(b []byte) (Ledger, error) {
	if len(b) > maxBytes {
		return Ledger{}, fmt.Errorf("keep: it has %d bytes, more than the %d that are allowed", len(b), maxBytes)
	}
	fields, rest, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil || fields == 0 {
		return Ledger{}, errors.New("keep: it does not begin as what this page writes")
	}
	version, rest, err := msgp.ReadUint8Bytes(rest)
	switch {
	case err != nil:
		return Ledger{}, fmt.Errorf("keep: it has no version: %w", err)
	case version > Version:
		return Ledger{}, ErrNewer
	case version == 1:
		return decodeFirst(rest, fields)
	}
	// Every entry takes six bytes at least, so that no count can ask for more memory than the bytes are worth.
	if n, _, err := msgp.ReadArrayHeaderBytes(rest); err != nil || int64(n) > int64(len(rest))/6 {
		return Ledger{}, errors.New("keep: it is cut short in its list of titles")
	}
	var l Ledger
	rest, err = l.UnmarshalMsg(b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow its end", len(rest))
	}
	if err != nil {
		return Ledger{}, fmt.Errorf("keep: it is damaged before byte %d: %w", len(b)-len(rest), err)
	}
	if err := l.check(); err != nil {
		return Ledger{}, err
	}
	return l, nil
}

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
		if e.Mark > Seen || e.At > maxAt || len(e.Title) > maxText || !utf8.ValidString(e.Title) {
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
		!language(s.Language) ||
		len(s.Person) > MaxPerson || !utf8.ValidString(s.Person) {
		return errors.New("keep: it holds a setting that is out of range")
	}
	for _, g := range s.Genres {
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
