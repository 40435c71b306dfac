package keep

import (
	"cmp"
	"slices"
)

// The oracle of the tests, see pack.go.
//
//go:generate go tool msgp -file ledger.go -o ledger_gen_test.go -io=false -tests=false
//msgp:tuple Ledger Entry
//msgp:ignore Clock Details
//msgp:shim Mark as:uint8 using:uint8/Mark mode:cast
//msgp:limit arrays:262144

// Version is the version of the encoding that this program writes.
const Version = 2

// Entry is the latest mark of one title.
type Entry struct {
	ID   string
	Mark Mark // Unmarked: taken off all lists
	// milliseconds since 1970, or one more than the latest time seen (Clock); small numbers only give an order
	At      uint64
	Title   string // at the time of marking; "": unknown
	Year    uint16 // 0: unknown
	Details `msg:"-"`
}

// Ledger is the stored form of a visit: a MessagePack array that starts with the version. A ledger with nothing but its
// version is a first visit.
//
// Programs from before Later refuse a mark with its number. So a title kept for later is stored as unmarked, with
// laterYear added to its year. These programs see no mark, and write the entry back unchanged.
type Ledger struct {
	Version  uint8
	Entries  []Entry // by At, then by ID; ids are unique
	Settings Settings
}

// New returns the ledger of a first visit.
func New() Ledger { return Ledger{Version: Version} }

// Settings are the page's settings. They are stored by name, without zero values: a field can be added without a new
// version, since programs skip unknown names.
type Settings struct {
	Mode        uint8    `msg:"mode,omitempty"`        // recommend.Mode
	Exploration float64  `msg:"exploration,omitempty"` // in [0,1]
	Diversity   float64  `msg:"diversity,omitempty"`   // in [0,1]
	Seed        uint64   `msg:"seed,omitempty"`        // for the random draws of exploration
	Genres      []string `msg:"genres,omitempty"`      // filter; empty: all genres
	Decade      uint16   `msg:"decade,omitempty"`      // filter: first year of the decade; 0: all
	Theme       uint8    `msg:"theme,omitempty"`       // 0: as the system, 1: light, 2: dark
	Distances   bool     `msg:"distances,omitempty"`   // the map shows distances from the visitor
	// the chosen language, as a value of the attribute lang; "": the browser's
	Language string `msg:"language,omitempty"`
	// the person's name: optional for the visitor, required for the second person
	Person string `msg:"person,omitempty"`
	// the picks for the week, latest last: "2951 318" is the week's number, counted from the week of 1 January 1970,
	// and the title's id
	Picks []string `msg:"picks,omitempty"`
	Asked bool     `msg:"asked,omitempty"` // the browser was asked to keep the data for good
}

// Patch sets the fields of s that differ between before and after. So two tabs that change different settings do not
// overwrite each other.
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

// Same reports whether all settings are equal.
func (s *Settings) Same(t *Settings) bool {
	return s.Mode == t.Mode && s.Exploration == t.Exploration && s.Diversity == t.Diversity && s.Seed == t.Seed &&
		slices.Equal(s.Genres, t.Genres) && s.Decade == t.Decade && s.Theme == t.Theme && s.Distances == t.Distances &&
		s.Language == t.Language && s.Person == t.Person && slices.Equal(s.Picks, t.Picks) && s.Asked == t.Asked
}

// Clock gives increasing times: the time of day, or one more than the latest time seen in any tab or file. So a later
// mark has a later time, even if the device's clock was set back. The zero value has seen no time.
type Clock struct{ last uint64 }

// Tick returns a new time, given the time of day in milliseconds since 1970.
func (c *Clock) Tick(now uint64) uint64 {
	c.last = min(max(c.last+1, now), maxAt)
	return c.last
}

// Saw makes later ticks exceed the times of these entries.
func (c *Clock) Saw(entries []Entry) {
	for i := range entries {
		c.last = max(c.last, entries[i].At)
	}
}

// compare orders two entries of one title: the greater one counts. The later time wins, then the mark by rank, so that
// a like beats all others. It is 0 for equal entries only, which makes merging independent of order.
func (e *Entry) compare(o *Entry) int {
	return cmp.Or(cmp.Compare(e.At, o.At), cmp.Compare(rank[e.Mark], rank[o.Mark]),
		cmp.Compare(e.Title, o.Title), cmp.Compare(e.Year, o.Year), cmp.Compare(e.Stars, o.Stars),
		cmp.Compare(e.When, o.When), cmp.Compare(e.Lists, o.Lists))
}

var rank = [...]uint8{Unmarked: 0, Later: 1, Seen: 2, NotForMe: 3, Liked: 4}

// maxRemoved is the number of unmarked titles that are kept, the latest ones.
const maxRemoved = 4096

// Merge merges entries into l: the later of two entries of one title counts. It is commutative, associative and
// idempotent. It does not change l's slice in place. O((n + m) log(n + m)); O(n m) for a few entries.
func (l *Ledger) Merge(entries []Entry) {
	if len(entries) <= fewEntries {
		for i := range entries {
			l.add(&entries[i])
		}
		return
	}
	all := make([]Entry, 0, len(l.Entries)+len(entries))
	all = append(append(all, l.Entries...), entries...)
	order := make([]int32, len(all)) // sorting indices instead of entries keeps the program small
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

// fewEntries is the most entries that are added one by one, as after a click.
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

// State returns the marks in the order of marking. O(entries).
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
