package keep

import "slices"

// Mark is what a visitor thinks of a title.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Liked
	NotForMe
	Seen
	Later // kept for later: neither seen nor a like
)

// Marks are all marks that a title can have, in the order of the lists.
var Marks = [...]Mark{Liked, NotForMe, Seen, Later}

// State is all that a person has marked, as lists of ids, with the settings. No id stands in two lists, or twice in
// one. The zero value is a first visit. Lists are never changed in place, so a copy of a State stays what it was.
type State struct {
	Likes    []string // in the order in which they were marked
	Dislikes []string
	Seen     []string
	Later    []string
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
	case Later:
		return &s.Later
	}
	return nil
}

// Marked reports whether there is any mark.
func (s *State) Marked() bool {
	return len(s.Likes)+len(s.Dislikes)+len(s.Seen)+len(s.Later) > 0
}

// Same reports whether both hold the same lists, settings aside.
func (s *State) Same(t *State) bool {
	for _, m := range Marks {
		if !slices.Equal(*s.list(m), *t.list(m)) {
			return false
		}
	}
	return true
}

// Change is that a title has a mark now, or none.
type Change struct {
	ID   string
	Mark Mark
}

// Changes returns what has to be done to before so that every title has the mark it has in after: what leaves all lists
// first, then list by list in the order of Marks, each in the order of after. That a list has another order is no
// change. O(marks), and it takes memory only for the part between the first and the last difference of each list.
func Changes(before, after *State) []Change {
	var left, came [len(Marks)][]string // of each list, what differs
	was, is := map[string]Mark{}, map[string]Mark{}
	for k, m := range Marks {
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
			if was[id] != Marks[k] {
				out = append(out, Change{ID: id, Mark: Marks[k]})
			}
		}
	}
	return out
}
