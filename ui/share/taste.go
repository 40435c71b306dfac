package share

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Taste is the content of a link: ids of titles, in the order of marking. Each id occurs once.
type Taste struct {
	Likes    []string
	Dislikes []string
	Later    []string // kept for later; skipped by programs that do not know them
	List     string   // the name of the sender's list that Later is; "": the titles kept for later
}

// Titles returns the number of titles.
func (t *Taste) Titles() int { return len(t.Likes) + len(t.Dislikes) + len(t.Later) }

// Version is the version of the format that this program writes.
const Version = 1

// Bounds of a link. Browsers, mail programs and messengers accept addresses of this length.
const (
	MaxLength = 8192 // bytes of the fragment
	MaxTitles = 1000
	MaxID     = 256 // bytes of an id
)

// Parts of a fragment.
const (
	prefix   = "taste="
	likes    = "&like="
	dislikes = "&not="
	later    = "&later="
	called   = "&list="
	checked  = "&check="
	digits   = 8 // of the checksum
)

// Is reports whether a fragment, without its #, carries a taste, intact or damaged.
func Is(fragment string) bool { return strings.HasPrefix(fragment, prefix) }

// Encode returns a fragment with the titles of t, and their number. If not all fit, the latest likes come first, then
// the latest dislikes, then titles kept for later. Ids that no link can carry (empty, longer than MaxID, not UTF-8) are
// left out. Without titles it returns "". O(titles).
func Encode(t *Taste) (fragment string, carried int) {
	fragment = prefix + "1"
	if t.List != "" && fits(t.List) {
		fragment += called + Escape(t.List)
	}
	for _, part := range [...]struct {
		name string
		ids  []string
	}{{likes, t.Likes}, {dislikes, t.Dislikes}, {later, t.Later}} {
		ids := pack(part.ids, MaxTitles-carried, MaxLength-len(fragment)-len(part.name)-len(checked)-digits)
		if len(ids) > 0 {
			fragment += part.name + strings.Join(ids, ",")
			carried += len(ids)
		}
	}
	if carried == 0 {
		return "", 0
	}
	return fragment + checked + check(fragment), carried
}

// pack returns the latest ids, escaped: at most most ids, in at most room bytes including commas.
func pack(ids []string, most, room int) (packed []string) {
	for i := len(ids) - 1; i >= 0 && len(packed) < most; i-- {
		if !fits(ids[i]) {
			continue
		}
		s := Escape(ids[i])
		if room -= len(s) + 1; room < -1 { // the first has no comma
			break
		}
		packed = append(packed, s)
	}
	slices.Reverse(packed)
	return packed
}

// fits reports whether a link can carry the id.
func fits(id string) bool { return id != "" && len(id) <= MaxID && utf8.ValidString(id) }

// Errors of Decode.
var (
	ErrDamaged = errors.New("share: this link was cut or changed, or does not follow docs/share.md")
	ErrNewer   = errors.New("share: a newer version of this page made this link")
)

// Decode reads a fragment as documented in docs/share.md, without its #. Unknown members are skipped. If an id comes
// twice, the first counts. The error is ErrDamaged or ErrNewer. O(titles²).
func Decode(fragment string) (t Taste, err error) {
	version, _, _ := strings.Cut(strings.TrimPrefix(fragment, prefix), "&")
	v, err := strconv.ParseUint(version, 10, 32)
	if !Is(fragment) || err != nil || v == 0 || len(fragment) > MaxLength {
		return Taste{}, ErrDamaged
	}
	if v > Version {
		return Taste{}, ErrNewer
	}
	at := max(strings.LastIndex(fragment, checked), 0)
	body, member, more := fragment[:at], "", true
	if fragment[at:] != checked+check(body) {
		return Taste{}, ErrDamaged
	}
	for more {
		member, body, more = strings.Cut(body, "&")
		name, ids, listed := strings.Cut(member, "=")
		list := &t.Likes
		switch "&" + name + "=" {
		case likes:
		case dislikes:
			list = &t.Dislikes
		case later:
			list = &t.Later
		case called:
			name, err := url.PathUnescape(ids)
			if err != nil || !fits(name) {
				return Taste{}, ErrDamaged
			}
			t.List, listed = name, false
		default:
			listed = false
		}
		for listed {
			var id string
			id, ids, listed = strings.Cut(ids, ",")
			id, err := url.PathUnescape(id)
			if err != nil || !fits(id) {
				return Taste{}, ErrDamaged
			}
			if !slices.Contains(t.Likes, id) && !slices.Contains(t.Dislikes, id) && !slices.Contains(t.Later, id) {
				*list = append(*list, id)
			}
			if t.Titles() > MaxTitles {
				return Taste{}, ErrDamaged
			}
		}
	}
	if t.Titles() == 0 {
		return t, ErrDamaged
	}
	return t, nil
}
