package keep

import "slices"

// Mark is what a visitor says of a title.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Liked
	NotForMe
	Seen
)

// State is all that the visitor has said, as the page works with it. No id stands in two lists, or twice in one. The
// zero value is a first visit. Lists are never changed in place, so a copy of a State stays what it was.
type State struct {
	Likes    []string // in the order they were said
	Dislikes []string
	Seen     []string
	Settings Settings
}

// list returns the list that holds titles with that mark, or nil for Unmarked.
func (s *State) list(m Mark) *[]string {
	switch m {
	case Liked:
		return &s.Likes
	case NotForMe:
		return &s.Dislikes
	case Seen:
		return &s.Seen
	}
	return nil
}

// Set marks a title: it leaves the list it was in and goes to the end of its new one. O(marks).
func (s *State) Set(id string, m Mark) { s.Apply([]Change{{ID: id, Mark: m}}) }

// Marked tells whether anything has been said.
func (s *State) Marked() bool { return len(s.Likes)+len(s.Dislikes)+len(s.Seen) > 0 }

// Same tells whether both hold the same lists, settings aside.
func (s *State) Same(t *State) bool {
	return slices.Equal(s.Likes, t.Likes) && slices.Equal(s.Dislikes, t.Dislikes) && slices.Equal(s.Seen, t.Seen)
}

// Change is that a title has a mark now, or none.
type Change struct {
	ID   string
	Mark Mark
}

// Apply makes the changes, in their order. Of an id that is named twice the last change counts. O(marks + changes).
func (s *State) Apply(changes []Change) {
	if len(changes) == 0 {
		return
	}
	last := make(map[string]int, len(changes))
	for i := range changes {
		last[changes[i].ID] = i
	}
	for _, m := range [...]Mark{Liked, NotForMe, Seen} {
		l := s.list(m)
		kept := make([]string, 0, len(*l)+len(changes))
		for _, id := range *l {
			if _, leaves := last[id]; !leaves {
				kept = append(kept, id)
			}
		}
		for i := range changes {
			if changes[i].Mark == m && last[changes[i].ID] == i {
				kept = append(kept, changes[i].ID)
			}
		}
		*l = kept
	}
}

// Changes returns what has to be done to before so that every title has the mark it has in after: what leaves all lists
// first, then likes, dislikes and seen, each in the order of after. That a list has another order is no change.
// O(marks), and it takes memory only for the part between the first and the last difference of each list.
func Changes(before, after *State) []Change {
	marks := [...]Mark{Liked, NotForMe, Seen}
	var left, came [len(marks)][]string // of each list, what differs
	was, is := map[string]Mark{}, map[string]Mark{}
	for k, m := range marks {
		a, b := *before.list(m), *after.list(m)
		for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			a, b = a[1:], b[1:]
		}
		for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		for _, id := range a {
			was[id] = m
		}
		for _, id := range b {
			is[id] = m
		}
		left[k], came[k] = a, b
	}
	var out []Change
	for _, ids := range left {
		for _, id := range ids {
			if is[id] == Unmarked {
				out = append(out, Change{ID: id})
			}
		}
	}
	for k, ids := range came {
		for _, id := range ids {
			if was[id] != marks[k] {
				out = append(out, Change{ID: id, Mark: marks[k]})
			}
		}
	}
	return out
}

// Undo takes back in now what led from before to after: each title that has another mark in after than in before gets
// the one of before. What was said since stays, of these titles too, and so do the settings.
func Undo(now, before, after *State) State {
	since := map[string]bool{}
	for _, c := range Changes(after, now) {
		since[c.ID] = true
	}
	var back []Change
	for _, c := range Changes(after, before) {
		if !since[c.ID] {
			back = append(back, c)
		}
	}
	s := *now
	s.Apply(back)
	return s
}
