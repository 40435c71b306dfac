package visit

import "github.com/pmlam/pmlam/ui/keep"

// Become shows one person's page.
func (l *Log) Become(who int) { l.Who = who }

// Join adds a second person with these marks. It replaces an earlier second person.
func (l *Log) Join(name string, entries []keep.Entry) Event {
	l.Part() // the store may still hold somebody else
	l.Other = name
	e := l.append(1, entries, nil)
	e.Person = &PersonChange{After: name}
	return e
}

// JoinWith is Join with marks made now.
func (l *Log) JoinWith(name string, marks *keep.State) {
	l.Join(name, nil)
	var changes []keep.Change
	for m, ids := range [...][]string{keep.Liked: marks.Likes, keep.NotForMe: marks.Dislikes, keep.Seen: marks.Seen,
		keep.Later: marks.Later} {
		for _, id := range ids {
			changes = append(changes, keep.Change{ID: id, Mark: keep.Mark(m)})
		}
	}
	l.mark(1, changes)
}

// Part removes the second person, and shows the visitor's own page.
func (l *Log) Part() Event {
	e := Event{Who: 1, Person: &PersonChange{Before: l.Other, entries: l.Entries(1)}}
	l.Who, l.Other = 0, ""
	l.forgets++
	l.clear(1)
	return e
}

// clear deletes one person's events.
func (l *Log) clear(who int) {
	p := &l.people[who]
	*p = person{stored: keep.New(), Marks: Marks{ByItem: p.ByItem}}
	l.restore(p)
}

// Rename renames the person whose page it is.
func (l *Log) Rename(name string) {
	if l.Who == 1 {
		l.Other = name
	} else {
		l.Settings.Person = name
	}
}

// Together reports whether both people have likes.
func (l *Log) Together() bool {
	return l.Other != "" && len(l.MarksOf(0).Visit.Likes) > 0 && len(l.MarksOf(1).Visit.Likes) > 0
}
