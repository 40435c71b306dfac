package share

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Taste is what a link carries: ids of titles, in the order in which they were said. No id stands in it twice.
type Taste struct {
	Likes    []string
	Dislikes []string // what is not for them
}

// Titles is how many titles the taste names.
func (t *Taste) Titles() int { return len(t.Likes) + len(t.Dislikes) }

// Version is the version of the format that this program writes.
const Version = 1

// Bounds of a link. Addresses of that length work everywhere but in the shortest of messages.
const (
	MaxLength = 8192 // bytes of the fragment
	MaxTitles = 1000
	MaxID     = 256 // bytes of an id
)

// The parts of a fragment.
const (
	head     = "taste="
	likes    = "&like="
	dislikes = "&not="
	seal     = "&check="
	digits   = 8 // of the check
)

// Is tells whether an address's fragment, without its #, means to be a taste, whole or damaged.
func Is(fragment string) bool { return strings.HasPrefix(fragment, head) }

// Encode returns the fragment that carries t, and how many of its titles that are: all, or the latest likes and then the
// latest dislikes for which there is room. An id that no link can carry (empty, longer than MaxID, no UTF-8) is left out.
// The result is "" where nothing is carried. O(titles).
func Encode(t *Taste) (fragment string, carried int) {
	room := MaxLength - len(head+strconv.Itoa(Version)+likes+dislikes+seal) - digits
	liked, n := pack(t.Likes, MaxTitles, room)
	not, m := pack(t.Dislikes, MaxTitles-n, room-len(liked))
	if n+m == 0 {
		return "", 0
	}
	body := head + strconv.Itoa(Version)
	if n > 0 {
		body += likes + liked
	}
	if m > 0 {
		body += dislikes + not
	}
	return body + seal + check(body), n + m
}

// pack joins the latest ids, at most so many of them, in at most room bytes, and says how many it took.
func pack(ids []string, most, room int) (packed string, n int) {
	from := len(ids)
	for ; from > 0 && n < most; from-- {
		id := ids[from-1]
		if !fits(id) {
			continue
		}
		size := escapedLen(id)
		if n > 0 {
			size++ // the comma
		}
		if size > room {
			break
		}
		room -= size
		n++
	}
	var b []byte
	for _, id := range ids[from:] {
		if !fits(id) {
			continue
		}
		if len(b) > 0 {
			b = append(b, ',')
		}
		b = escape(b, id)
	}
	return string(b), n
}

// fits tells whether a link can carry the id.
func fits(id string) bool { return id != "" && len(id) <= MaxID && utf8.ValidString(id) }

// Error says why a fragment cannot be read as a taste.
type Error struct {
	What  string // for whoever made the link
	Newer bool   // a later version of the program made it
}

func (e *Error) Error() string { return "share: this link carries no taste: " + e.What }

// Decode reads a fragment, without its #, that Encode wrote or somebody else by docs/share.md. Members that it does not
// know are passed over; a title that is named twice counts where it is named first. The error is an *Error.
func Decode(fragment string) (Taste, error) {
	bad := func(what string) (Taste, error) { return Taste{}, &Error{What: what} }
	if !Is(fragment) {
		return bad(`it does not begin with "` + head + `"`)
	}
	if len(fragment) > MaxLength {
		return bad("it is longer than " + strconv.Itoa(MaxLength) + " bytes")
	}
	version, _, _ := strings.Cut(fragment[len(head):], "&")
	switch v, err := strconv.ParseUint(version, 10, 32); {
	case err != nil || v == 0:
		return bad("it names no version")
	case v > Version:
		return Taste{}, &Error{What: "it is of version " + version + ", and this page knows version " + strconv.Itoa(Version), Newer: true}
	}
	at := strings.LastIndex(fragment, seal)
	if at < 0 || fragment[at+len(seal):] != check(fragment[:at]) {
		return bad("its check is wrong, so it was cut or changed, or checked otherwise than docs/share.md says")
	}
	var t Taste
	named := map[string]struct{}{}
	for rest := fragment[:at]; rest != ""; {
		var member string
		member, rest, _ = strings.Cut(rest, "&")
		list := &t.Likes
		switch name, _, _ := strings.Cut(member, "="); "&" + name + "=" {
		case likes:
		case dislikes:
			list = &t.Dislikes
		default:
			continue
		}
		_, ids, _ := strings.Cut(member, "=")
		for more := true; more; {
			var raw string
			raw, ids, more = strings.Cut(ids, ",")
			id, ok := unescape(raw)
			if !ok || !fits(id) {
				return bad("it names a title by “" + raw[:min(len(raw), 40)] + "”, which is no id")
			}
			if _, twice := named[id]; twice {
				continue
			}
			if named[id] = struct{}{}; len(named) > MaxTitles {
				return bad("it names more than " + strconv.Itoa(MaxTitles) + " titles")
			}
			*list = append(*list, id)
		}
	}
	if t.Titles() == 0 {
		return bad("it names no title")
	}
	return t, nil
}
