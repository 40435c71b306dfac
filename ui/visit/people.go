package visit

import "github.com/pmlam/pmlam/ui/keep"

// Become shows the page for one of the two.
func (l *Log) Become(who int) { l.Who = who }

// Join has a second person choose here too, of that name, with what they have marked. Whoever was there before goes.
func (l *Log) Join(name string, entries []keep.Entry) Event {
	l.Part() // what may still be stored is of somebody else
	l.Other = name
	e := l.append(1, entries, nil)
	e.Person = &PersonChange{After: name}
	return e
}

// JoinWith is Join of somebody with these marks, made now.
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

// Part removes the second person; the page is the visitor's own then.
func (l *Log) Part() Event {
	e := Event{Who: 1, Person: &PersonChange{Before: l.Other, entries: l.Entries(1)}}
	l.Who, l.Other = 0, ""
	l.forgets++
	l.clear(1)
	return e
}

// clear forgets all that one of the two has marked.
func (l *Log) clear(who int) {
	p := &l.people[who]
	*p = person{stored: keep.New(), Marks: Marks{ByItem: p.ByItem}}
	l.restore(p)
}

// Rename gives whoever the page is shown for that name.
func (l *Log) Rename(name string) {
	if l.Who == 1 {
		l.Other = name
	} else {
		l.Settings.Person = name
	}
}

// Together reports whether both have likes.
func (l *Log) Together() bool {
	return l.Other != "" && len(l.MarksOf(0).Visit.Likes) > 0 && len(l.MarksOf(1).Visit.Likes) > 0
}
