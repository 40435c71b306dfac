package keep

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Backup is a file with the marks of a visitor, and of a second person if there is one. It is JSON with one line for
// each title, readable by people and programs (docs/backup.md). Titles without a mark are left out.
type Backup struct {
	Written   uint64 // milliseconds since 1970; 0: unknown
	Catalogue string // the name of the catalogue that the ids come from
	Items     []Item // in the order of marking
	Settings  *Settings
	Other     string // the second person's name; "": nobody
	Others    []Item // the second person's titles
}

// Item is a title of a Backup.
type Item struct {
	Entry
	Other []ID // its ids in other catalogues
}

// ID is a title's id in another catalogue, such as "imdbId": "0113277".
type ID struct{ Name, Value string }

// The first members of every backup. Version 1 held one person.
const (
	backupFormat  = "pmlam-backup"
	backupVersion = 2
)

// MaxBackup is the largest size of a backup, in bytes.
const MaxBackup = 32 << 20

// maxOther is the most other ids of a title.
const maxOther = 16

var (
	markNames  = [...]string{Liked: "like", NotForMe: "not for me", Seen: "seen", Later: "later"}
	modeNames  = []string{"for you", "hidden gems", "outside your bubble"}
	themeNames = []string{"as the system", "light", "dark"}
)

// Bytes encodes the backup.
func (b *Backup) Bytes() []byte {
	var w writer
	w.text("{\n  ", "format", backupFormat)
	w.member(",\n  ", "version", strconv.Itoa(backupVersion))
	w.date(",\n  ", "written", b.Written)
	w.text(",\n  ", "catalogue", b.Catalogue)
	if b.Settings != nil {
		w.settings(b.Settings)
	}
	w.titles(b.Items)
	if b.Other != "" {
		w.member(",\n  ", "other", "{")
		w.text("\n  ", "person", b.Other)
		w.titles(b.Others)
		w.put("}")
	}
	w.put("\n}\n")
	return w
}

// writer is JSON under construction. Each method writes the given separator before its member.
type writer []byte

func (w *writer) put(s string) { *w = append(*w, s...) }

// member writes a member with a JSON value.
func (w *writer) member(separator, name, value string) {
	w.put(separator)
	w.put(quote(name) + ": ")
	w.put(value)
}

func (w *writer) text(separator, name, value string) {
	w.member(separator, name, quote(value))
}

// date writes a time, unless it is too small to be a date.
func (w *writer) date(separator, name string, at uint64) {
	if at >= firstDate && at <= lastDate {
		w.text(separator, name, string(appendDate(nil, at)))
	}
}

// titles writes a person's titles. Titles kept for later are a member of their own: earlier programs skip unknown
// members, but refuse a title with an unknown mark.
func (w *writer) titles(items []Item) {
	for k, name := range [...]string{"titles", "later"} {
		first := true
		for i := range items {
			if later := items[i].Mark == Later; later != (k == 1) {
				continue
			}
			if first {
				w.member(",\n  ", name, "[\n    ")
			} else {
				w.put(",\n    ")
			}
			first = false
			w.item(&items[i])
		}
		switch {
		case !first:
			w.put("\n  ]")
		case k == 0:
			w.member(",\n  ", name, "[\n  ]")
		}
	}
}

func (w *writer) item(it *Item) {
	w.text("{", "mark", markNames[it.Mark])
	w.text(", ", "id", it.ID)
	if it.Title != "" {
		w.text(", ", "title", it.Title)
	}
	if it.Year > 0 {
		w.member(", ", "year", strconv.Itoa(int(it.Year)))
	}
	for _, o := range it.Other {
		w.text(", ", o.Name, o.Value)
	}
	w.date(", ", "said", it.At)
	if it.Stars > 0 {
		w.member(", ", "stars", strconv.FormatFloat(float64(it.Stars)/2, 'g', -1, 64))
	}
	w.date(", ", "when", 1000*uint64(it.When))
	if it.Lists != "" {
		w.texts("lists", it.Listed())
	}
	w.put("}")
}

func (w *writer) texts(name string, texts []string) {
	w.member(", ", name, "[")
	separator := ""
	for _, t := range texts {
		w.put(separator + quote(t))
		separator = ", "
	}
	w.put("]")
}

func (w *writer) settings(s *Settings) {
	w.member(",\n  ", "settings", "")
	w.text("{", "mode", modeNames[s.Mode])
	w.member(", ", "exploration", strconv.FormatFloat(s.Exploration, 'g', -1, 64))
	w.member(", ", "diversity", strconv.FormatFloat(s.Diversity, 'g', -1, 64))
	w.text(", ", "seed", strconv.FormatUint(s.Seed, 10)) // a string: numbers lose digits beyond 2⁵³
	w.texts("genres", s.Genres)
	if len(s.Picks) > 0 {
		w.texts("picks", s.Picks)
	}
	w.member(", ", "decade", strconv.Itoa(int(s.Decade)))
	w.text(", ", "colours", themeNames[s.Theme])
	w.member(", ", "distances", strconv.FormatBool(s.Distances))
	w.text(", ", "language", s.Language)
	if s.Person != "" {
		w.text(", ", "person", s.Person)
	}
	w.put("}")
}

// ReadBackup reads a file written by Bytes, of this version or an earlier one, or by hand. Members may come in any
// order; unknown ones are skipped. A title needs a mark, and an id or a title; a second person needs a name. now is the
// time of day in milliseconds since 1970; marks dated more than a day later get now plus a day. An error is a
// *BackupError, and the Backup is nil then.
func ReadBackup(file []byte, now uint64) (*Backup, error) {
	if len(file) > MaxBackup {
		return nil, &BackupError{Reason: "larger than any backup"}
	}
	r := newReader(bytes.TrimPrefix(file, []byte("\ufeff")))
	b := &Backup{}
	var format string
	var version float64
	titles := false
	items := func(out *[]Item) {
		r.array(func() {
			if *out = append(*out, readItem(r, len(*out), now)); len(*out) > maxEntries {
				r.fail("too many titles")
			}
		})
	}
	r.object(func(name string) {
		switch name {
		case "format":
			format = r.text()
		case "version":
			version = r.number()
		case "written":
			b.Written, _ = parseDate(r.text())
		case "catalogue":
			b.Catalogue = r.text()
		case "settings":
			b.Settings = readSettings(r)
		case "titles":
			titles = true
			items(&b.Items)
		case "later":
			items(&b.Items)
		case "other":
			start := r.place()
			b.Other, b.Others = "", nil
			r.object(func(name string) {
				switch name {
				case "person":
					b.Other = Called(r.text())
				case "titles", "later":
					items(&b.Others)
				default:
					r.skip()
				}
			})
			if b.Other == "" {
				r.failAt(start, "the second person has no name")
			}
		default:
			r.skip()
		}
	})
	r.end()
	switch {
	case format == backupFormat && version > backupVersion:
		return nil, &BackupError{Reason: "written by a newer version of this page", Newer: true}
	case r.err != nil:
		return nil, r.err
	case format != backupFormat || version != 1 && version != backupVersion || !titles:
		return nil, &BackupError{Reason: `not a "` + backupFormat +
			`" of version 1 or 2 with titles`}
	}
	return b, nil
}

// readItem reads the item with this index. Items without a time are older than all items with one.
func readItem(r *reader, index int, now uint64) Item {
	it := Item{Entry: Entry{At: uint64(index) + 1}}
	start := r.place()
	r.object(func(name string) {
		switch name {
		case "mark":
			it.Mark = Mark(max(slices.Index(markNames[1:], r.text())+1, 0))
		case "id":
			it.ID = r.text()
		case "title":
			it.Title = r.text()
		case "year":
			if y := r.number(); y > 0 && y < laterYear {
				it.Year = uint16(y)
			}
		case "said":
			if at, ok := parseDate(r.text()); ok {
				it.At = min(at, now+86_400_000)
			}
		case "stars":
			if s := 2 * r.number(); s >= 1 && s <= MaxStars {
				it.Stars = uint8(s)
			}
		case "when":
			if at, ok := parseDate(r.text()); ok && at/1000 <= math.MaxUint32 {
				it.When = uint32(at / 1000)
			}
		case "lists":
			for _, name := range r.texts() {
				it.Put(name, true)
			}
		default:
			t := r.token()
			if id, ok := t.(string); ok && len(it.Other) < maxOther {
				it.Other = append(it.Other, ID{name, id})
			} else {
				r.skipRest(t)
			}
		}
	})
	if it.Mark == Unmarked || it.ID == "" && it.Title == "" {
		r.failAt(start, "this title has no known mark, or neither id nor title")
	}
	return it
}

// texts reads a list of strings, without empty ones and up to the number that settings may hold.
func (r *reader) texts() (out []string) {
	r.array(func() {
		if t := r.text(); t != "" && len(out) < 256 {
			out = append(out, t)
		}
	})
	return out
}

// readSettings reads settings. Values out of range are ignored.
func readSettings(r *reader) *Settings {
	s := &Settings{}
	r.object(func(name string) {
		switch name {
		case "mode":
			s.Mode = uint8(max(slices.Index(modeNames, r.text()), 0))
		case "exploration":
			s.Exploration = r.number()
		case "diversity":
			s.Diversity = r.number()
		case "seed":
			s.Seed, _ = strconv.ParseUint(r.text(), 10, 64)
		case "genres":
			s.Genres = r.texts()
		case "picks":
			s.Picks = r.texts()
		case "decade":
			if d := r.number(); d > 0 && d <= 65535 {
				s.Decade = uint16(d)
			}
		case "colours":
			s.Theme = uint8(max(slices.Index(themeNames, r.text()), 0))
		case "distances":
			s.Distances = r.truth()
		case "language":
			s.Language = r.text()
		case "person":
			s.Person = Called(r.text())
		default:
			r.skip()
		}
	})
	if !language(s.Language) {
		s.Language = ""
	}
	if !unit(s.Exploration) {
		s.Exploration = 0
	}
	if !unit(s.Diversity) {
		s.Diversity = 0
	}
	return s
}

// BackupError describes why a file cannot be read as a backup.
type BackupError struct {
	Line   int // from 1; 0: the file as a whole
	Reason string
	Newer  bool // written by a later version of the program
}

func (e *BackupError) Error() string {
	if e.Line == 0 {
		return "keep: not a backup: " + e.Reason
	}
	return fmt.Sprintf("keep: not a backup: line %d: %s", e.Line, e.Reason)
}
