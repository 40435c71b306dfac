package keep

import (
	"cmp"
	"slices"
)

// The oracle of the tests, see pack.go.
//
//go:generate go tool msgp -file ledger.go -o ledger_gen_test.go -io=false -tests=false
//msgp:tuple Ledger Entry
//msgp:ignore Clock
//msgp:shim Mark as:uint8 using:uint8/Mark mode:cast
//msgp:limit arrays:262144

// Version is the version of the encoding that this program writes.
const Version = 2

// Entry is the latest mark of one title.
type Entry struct {
	ID   string
	Mark Mark // Unmarked: it was taken out of all lists
	// when: milliseconds since 1970, or later where that was taken (see Clock); small numbers are only an order
	At    uint64
	Title string // as the catalogue of then had it; "": unknown
	Year  uint16 // 0: unknown
}

// Ledger is what is stored: a MessagePack array with the version first. The zero value but for its version is a first
// visit.
//
// Later is younger than the version, and programs that do not know it refuse a mark of its number. So a title that is
// kept for later is stored as one that was taken out of all lists, with laterYear added to its year: to those programs
// it has no mark, and they write it again as they found it.
type Ledger struct {
	Version  uint8
	Entries  []Entry // by At, then by ID; no id twice
	Settings Settings
}

// New returns what is kept of a first visit.
func New() Ledger { return Ledger{Version: Version} }

// Settings are the page's own settings. They are stored by name, and those of the zero value not at all: a field can be
// added without a new version, and a program that does not know one passes over it.
type Settings struct {
	Mode        uint8    `msg:"mode,omitempty"`        // recommend.Mode
	Exploration float64  `msg:"exploration,omitempty"` // in [0,1]
	Diversity   float64  `msg:"diversity,omitempty"`   // in [0,1]
	Seed        uint64   `msg:"seed,omitempty"`        // of the lots that exploration draws
	Genres      []string `msg:"genres,omitempty"`      // filter; none: all
	Decade      uint16   `msg:"decade,omitempty"`      // filter: its first year; 0: all
	Theme       uint8    `msg:"theme,omitempty"`       // 0 as the system, 1 light, 2 dark
	Distances   bool     `msg:"distances,omitempty"`   // the map shows distances from the visitor
	// the one that was chosen, as the attribute lang has it; "": as the browser
	Language string `msg:"language,omitempty"`
	// what whoever it is of is called; the visitor needs no name, the second person has one
	Person string `msg:"person,omitempty"`
	// the picks for the week, as "2951 318": which week since the first of 1970, and the title's id; the latest last
	Picks []string `msg:"picks,omitempty"`
	Asked bool     `msg:"asked,omitempty"` // the browser was asked to keep all this for good
}

// Patch sets the fields of s in which after differs from before, and leaves the others: two tabs that change different
// settings do not undo one another.
func (s *Settings) Patch(before, after *Settings) {
	patch(&s.Mode, before.Mode, after.Mode)
	patch(&s.Exploration, before.Exploration, after.Exploration)
	patch(&s.Diversity, before.Diversity, after.Diversity)
	patch(&s.Seed, before.Seed, after.Seed)
	if !slices.Equal(before.Genres, after.Genres) {
		s.Genres = after.Genres
	}
	patch(&s.Decade, before.Decade, after.Decade)
	patch(&s.Theme, before.Theme, after.Theme)
	patch(&s.Distances, before.Distances, after.Distances)
	patch(&s.Language, before.Language, after.Language)
	patch(&s.Person, before.Person, after.Person)
	if !slices.Equal(before.Picks, after.Picks) {
		s.Picks = after.Picks
	}
	patch(&s.Asked, before.Asked, after.Asked)
}

func patch[T comparable](field *T, before, after T) {
	if before != after {
		*field = after
	}
}

// Same reports whether all settings are the same.
func (s *Settings) Same(t *Settings) bool {
	return s.Mode == t.Mode && s.Exploration == t.Exploration && s.Diversity == t.Diversity && s.Seed == t.Seed &&
		slices.Equal(s.Genres, t.Genres) && s.Decade == t.Decade && s.Theme == t.Theme && s.Distances == t.Distances &&
		s.Language == t.Language && s.Person == t.Person && slices.Equal(s.Picks, t.Picks) && s.Asked == t.Asked
}

// Clock gives moments that rise: the time of day, or one more than the latest that it has seen, in any tab or file. So
// a mark that follows another is the later one, even where a clock was turned back. The zero value has seen none.
type Clock struct{ last uint64 }

// Tick returns a new moment, at the given time of day in milliseconds since 1970.
func (c *Clock) Tick(now uint64) uint64 {
	c.last = min(max(c.last+1, now), maxAt)
	return c.last
}

// Saw notes moments that were given elsewhere.
func (c *Clock) Saw(entries []Entry) {
	for i := range entries {
		c.last = max(c.last, entries[i].At)
	}
}

// compare orders two entries of one title by which counts: the later, and of one moment a like before anything
// else. It is 0 for equal entries only, so that merging is the same in any order.
func (e *Entry) compare(o *Entry) int {
	return cmp.Or(cmp.Compare(e.At, o.At), cmp.Compare(rank[e.Mark], rank[o.Mark]),
		cmp.Compare(e.Title, o.Title), cmp.Compare(e.Year, o.Year))
}

var rank = [...]uint8{Unmarked: 0, Later: 1, Seen: 2, NotForMe: 3, Liked: 4}

// maxRemoved is how many titles that were taken out of all lists are remembered, the latest.
const maxRemoved = 4096

// Merge takes the entries in: of two entries of one title the later counts. It is commutative, associative and
// idempotent. l's own slice is not changed in place. O((n + m) log(n + m)); for a few entries O(n m).
func (l *Ledger) Merge(entries []Entry) {
	if len(entries) <= fewEntries {
		for i := range entries {
			l.add(&entries[i])
		}
		return
	}
	all := make([]Entry, 0, len(l.Entries)+len(entries))
	all = append(append(all, l.Entries...), entries...)
	order := make([]int32, len(all)) // sorted in the entries' place, which keeps the program small
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(all[i].ID, all[j].ID),
			all[j].compare(&all[i]))
	})
	kept := order[:0]
	removed := 0
	for _, i := range order {
		if len(kept) > 0 && all[kept[len(kept)-1]].ID == all[i].ID {
			continue // an earlier entry
		}
		kept = append(kept, i)
		if all[i].Mark == Unmarked {
			removed++
		}
	}
	slices.SortFunc(kept, func(i, j int32) int {
		return cmp.Or(cmp.Compare(all[i].At, all[j].At), cmp.Compare(all[i].ID, all[j].ID))
	})
	l.Entries = make([]Entry, 0, len(kept))
	for _, i := range kept {
		if all[i].Mark == Unmarked && removed > maxRemoved {
			removed--
			continue
		}
		l.Entries = append(l.Entries, all[i])
	}
}

// fewEntries are added one by one: what a visitor marks by hand.
const fewEntries = 8

// add is Merge of one entry.
func (l *Ledger) add(e *Entry) {
	kept := make([]Entry, 0, len(l.Entries)+1)
	removed, oldest := 0, -1
	for i := range l.Entries {
		o := &l.Entries[i]
		if o.ID == e.ID {
			if o.compare(e) >= 0 {
				return
			}
			continue
		}
		kept = append(kept, *o)
	}
	at := len(kept)
	for at > 0 && (kept[at-1].At > e.At || kept[at-1].At == e.At && kept[at-1].ID > e.ID) {
		at--
	}
	kept = append(kept, Entry{})
	copy(kept[at+1:], kept[at:])
	kept[at] = *e
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].Mark == Unmarked {
			removed++
			oldest = i
		}
	}
	if removed > maxRemoved {
		kept = append(kept[:oldest], kept[oldest+1:]...)
	}
	l.Entries = kept
}

// State returns the marks, in the order in which they were made. O(entries).
func (l *Ledger) State() State {
	s := State{Settings: l.Settings}
	for i := range l.Entries {
		e := &l.Entries[i]
		if list := s.list(e.Mark); list != nil {
			*list = append(*list, e.ID)
		}
	}
	return s
}
