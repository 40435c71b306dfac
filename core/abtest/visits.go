package abtest

import (
	"fmt"
	"slices"
)

// Visits holds the sessions of all exports, by visitor.
type Visits struct {
	Exports  int
	Visitors []Visitor
	From, To string  // days of the first and of the last session; "" without sessions
	Again    int     // further copies of sessions
	Orphans  int     // clicks and likes without their list, not counted
	Keyless  bool    // an export without keys is a visitor of its own
	Wrong    int     // lines that are not exports, and unreadable files, not counted
	Errors   []error // the first of these errors; *ReadError
}

// Visitor is the sender of an export, or of several that share a session.
type Visitor struct{ Sessions []Visit }

// Visit is one session.
type Visit struct {
	Variants map[string]string // by experiment
	Lists    []List            // in the order of display
}

// List is a list that was shown once.
type List struct {
	Name  string
	Teams [2]string // in alphabetical order; "" if it was not interleaved
	// By kind of answer: the number of its items clicked or liked, and the number for each team.
	answers [kinds]int
	credit  [kinds][2]int
}

// collector merges exports.
type collector struct {
	texts    *textTable
	exports  int
	events   int // including items and teams of lists
	wrong    int
	errors   []error
	again    int
	keyless  bool
	parent   []int // of each export, its visitor: a forest
	sessions []*collected
	byKey    map[string]*collected
}

// collected is a session with its copies that add something.
type collected struct {
	export int
	copies []session
}

func newCollector() *collector {
	return &collector{texts: &textTable{kept: map[string]string{}}, byKey: map[string]*collected{}}
}

// root returns the export that represents an export's visitor.
func (c *collector) root(export int) int {
	for c.parent[export] != export {
		c.parent[export] = c.parent[c.parent[export]]
		export = c.parent[export]
	}
	return export
}

// add adds the sessions of one export.
func (c *collector) add(sessions []session) error {
	export := c.exports
	if c.exports++; c.exports > MaxExports {
		return fmt.Errorf("there are more than %d exports; compare fewer at a time", MaxExports)
	}
	c.parent = append(c.parent, export)
	for _, s := range sessions {
		if c.events += s.size(); c.events > MaxEvents {
			return fmt.Errorf("there are more than %d events and items of lists; compare fewer exports at a time",
				MaxEvents)
		}
		if c.texts.bytes > MaxText {
			return fmt.Errorf("the ids and keys have more than %d bytes; compare fewer exports at a time", MaxText)
		}
		known := c.byKey[s.key]
		if s.key == "" {
			known, c.keyless = nil, true
		}
		if known == nil {
			known = &collected{export: export}
			c.sessions = append(c.sessions, known)
			if s.key != "" {
				c.byKey[s.key] = known
				c.texts.bytes += len(s.key)
			}
		} else {
			c.again++
			a, b := c.root(known.export), c.root(export)
			c.parent[max(a, b)] = min(a, b)
		}
		c.events -= known.take(s)
	}
	return nil
}

// maxCopies is the number of copies of a session to keep that each add something. If the browser drops its oldest
// events, there are two or three.
const maxCopies = 50

// take adds a copy, drops those that add nothing, and returns the size of those dropped.
func (k *collected) take(s session) (dropped int) {
	covers := func(a, b session) bool {
		return a.first <= b.first && a.first+int64(len(a.events)) >= b.first+int64(len(b.events))
	}
	if len(k.copies) == maxCopies || slices.ContainsFunc(k.copies, func(c session) bool { return covers(c, s) }) {
		return s.size()
	}
	k.copies = slices.DeleteFunc(k.copies, func(c session) bool {
		gone := covers(s, c)
		if gone {
			dropped += c.size()
		}
		return gone
	})
	k.copies = append(k.copies, s)
	return dropped
}

// joined merges the copies of a session: each event once, by number. Experiments that began during the session are in
// the latest copy.
func (k *collected) joined() session {
	slices.SortStableFunc(k.copies, func(a, b session) int { return int(a.first - b.first) })
	s := k.copies[0]
	next := s.first + int64(len(s.events))
	for _, c := range k.copies[1:] {
		from := min(max(next-c.first, 0), int64(len(c.events)))
		s.events = append(slices.Clip(s.events), c.events[from:]...)
		next = max(next, c.first+int64(len(c.events)))
	}
	for _, c := range k.copies[1:] {
		for name, variant := range c.variants {
			if _, ok := s.variants[name]; !ok {
				if s.variants == nil {
					s.variants = map[string]string{}
				}
				s.variants[name] = variant
			}
		}
	}
	return s
}

// visits returns the visits collected so far.
func (c *collector) visits() *Visits {
	v := &Visits{Exports: c.exports, Again: c.again, Keyless: c.keyless, Wrong: c.wrong, Errors: c.errors}
	number := map[int]int{} // of the visitor, by root
	for _, k := range c.sessions {
		s := k.joined()
		if v.From == "" || s.day < v.From {
			v.From = s.day
		}
		v.To = max(v.To, s.day)
		root := c.root(k.export)
		n, ok := number[root]
		if !ok {
			n = len(v.Visitors)
			number[root] = n
			v.Visitors = append(v.Visitors, Visitor{})
		}
		visit, orphans := digest(s)
		v.Orphans += orphans
		v.Visitors[n].Sessions = append(v.Visitors[n].Sessions, visit)
	}
	return v
}

// digest counts the answers to each list. A click counts for the latest list with its name shown before it, and each
// item of a list counts once.
func digest(s session) (v Visit, orphans int) {
	v.Variants = s.variants
	type seen struct {
		list int // in v.Lists
		of   *event
		done [kinds]map[string]bool
	}
	last := map[string]*seen{} // by the list's name
	for i := range s.events {
		e := &s.events[i]
		if e.kind == shown {
			l := List{Name: e.list}
			if e.teams != nil {
				l.Teams = pair(e.teams)
			}
			last[e.list] = &seen{list: len(v.Lists), of: e}
			v.Lists = append(v.Lists, l)
			continue
		}
		id, on := e.items[0], last[e.list]
		place := -1
		if on != nil {
			place = slices.Index(on.of.items, id)
		}
		if place < 0 {
			orphans++
			continue
		}
		if on.done[e.kind][id] {
			continue
		}
		if on.done[e.kind] == nil {
			on.done[e.kind] = map[string]bool{}
		}
		on.done[e.kind][id] = true
		l := &v.Lists[on.list]
		l.answers[e.kind]++
		if l.Teams != ([2]string{}) {
			l.credit[e.kind][slices.Index(l.Teams[:], on.of.teams[place])]++
		}
	}
	return v, orphans
}

// pair returns the two teams of a list, or none if all items come from one, since then none can be preferred.
func pair(teams []string) (p [2]string) {
	if names := distinct(teams); len(names) == 2 {
		copy(p[:], names)
	}
	return p
}

func distinct(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
