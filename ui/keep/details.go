package keep

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Details are additions of the visitor to the mark of a title. An unmarked title has none.
type Details struct {
	Stars uint8  // the visitor's rating in half stars, 1 to MaxStars; 0: none
	When  uint32 // when the title was watched or read, in seconds since 1970; 0: unknown
	Lists string // the names of the visitor's lists with the title, one a line, ascending
}

// Ratings in half stars: the best, and the least that is a like and the greatest that is a dislike, as in the training
// and in imports.
const (
	MaxStars     = 10
	LikeStars    = 8
	DislikeStars = 4
)

// Rated returns the mark that a rating in half stars stands for.
func Rated(stars uint8) Mark {
	switch {
	case stars >= LikeStars:
		return Liked
	case stars <= DislikeStars:
		return NotForMe
	}
	return Seen
}

// Bounds of lists, in bytes.
const (
	MaxListName = 60
	maxLists    = 256 // all names of a title
)

// ListCalled returns a list's name as stored: on one line, trimmed and cut to MaxListName bytes. "" is not a name.
func ListCalled(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r <= ' ' })
	return strings.TrimSpace(shortenTo(strings.Join(words, " "), MaxListName))
}

// Listed returns the names of the lists.
func (d *Details) Listed() []string {
	if d.Lists == "" {
		return nil
	}
	return strings.Split(d.Lists, "\n")
}

// On reports whether the title is on a list.
func (d *Details) On(list string) bool { return slices.Contains(d.Listed(), list) }

// Put adds the title to a list or removes it. It does nothing if the title is on too many lists.
func (d *Details) Put(list string, on bool) {
	names := slices.DeleteFunc(d.Listed(), func(n string) bool { return n == list })
	if list = ListCalled(list); on && list != "" {
		names = append(names, list)
	}
	slices.Sort(names)
	if all := strings.Join(slices.Compact(names), "\n"); len(all) <= maxLists {
		d.Lists = all
	}
}

// Time returns when a title was watched or read, or else when it was marked, in milliseconds since 1970.
func (e *Entry) Time() uint64 {
	if e.When > 0 {
		return 1000 * uint64(e.When)
	}
	return e.At
}

// Details are stored after the title, so that programs that do not know them keep them with the entry: a zero byte, and
// stars, time and lists with a blank between them.

// join returns a title with its details, shortened to maxText bytes.
func (d *Details) join(title string) string {
	if *d == (Details{}) && strings.IndexByte(title, 0) < 0 {
		return title
	}
	tail := "\x00" + strconv.Itoa(int(d.Stars)) + " " + strconv.Itoa(int(d.When)) + " " + d.Lists
	return shortenTo(title, maxText-len(tail)) + tail
}

// split returns the title and its details. Text that join has not written is the title.
func splitDetails(text string) (title string, d Details) {
	at := strings.LastIndexByte(text, 0)
	if at < 0 {
		return text, d
	}
	stars, rest, _ := strings.Cut(text[at+1:], " ")
	when, lists, ok := strings.Cut(rest, " ")
	s, err := strconv.ParseUint(stars, 10, 8)
	w, err2 := strconv.ParseUint(when, 10, 32)
	if !ok || err != nil || err2 != nil {
		return text, Details{}
	}
	return text[:at], Details{uint8(s), uint32(w), lists}
}

// valid reports whether the details have values in range.
func (d *Details) valid() bool {
	for _, name := range d.Listed() {
		if name != ListCalled(name) || name == "" {
			return false
		}
	}
	return d.Stars <= MaxStars && len(d.Lists) <= maxLists && utf8.ValidString(d.Lists) && slices.IsSorted(d.Listed())
}
