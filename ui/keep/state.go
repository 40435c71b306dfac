package keep

import "slices"

// Mark is a visitor's word on a title.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Liked
	NotForMe
	Seen
	Later // kept for later: neither seen nor liked
)

// Marks are all marks but Unmarked, in the order of the lists.
var Marks = [...]Mark{Liked, NotForMe, Seen, Later}

// State holds a person's marks as lists of ids, and the settings. An id is in one list at most, and only once. The zero
// value is a first visit. Lists are never changed in place, so a copy of a State stays valid.
type State struct {
	Likes    []string // in the order of marking
	Dislikes []string
	Seen     []string
	Later    []string
	Settings Settings
}

// list returns the list of a mark, or nil for Unmarked.
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

// Same reports whether both have the same lists, whatever their settings.
func (s *State) Same(t *State) bool {
	for _, m := range Marks {
		if !slices.Equal(*s.list(m), *t.list(m)) {
			return false
		}
	}
	return true
}

// Change is a title's new mark. Without Details the title keeps its lists and time, and its stars if the mark stays.
type Change struct {
	ID      string
	Mark    Mark
	Details *Details
}

// Changes returns the changes that give every title of before its mark in after: first the titles that leave all lists,
// then list by list in the order of Marks, each in the order of after. A mere reordering is not a change. O(marks);
// memory is needed only for the part between the first and the last difference of each list.
func Changes(before, after *State) []Change {
	var left, came [len(Marks)][]string // differences of each list
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
