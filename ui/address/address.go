// Package address reads and writes the list's view as the fragment of the page's address.
package address

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/share"
)

// View is a view of the list. Its fragment is in the page's address, so that back, forward, bookmarks and links work.
// The zero value is the visitor's own list.
type View struct {
	Kind   Kind
	Genre  string          // of Genre
	Decade int             // of Decade: its first year
	Like   string          // of Similar: the title's id in the catalogue
	Region string          // of Region: its key in Catalogue
	Order  recommend.Order // of Genre, Decade and Region
	Page   int             // of Genre, Decade and Region, from 0
}

// Kind is the kind of a View.
type Kind uint8

// Kinds of views, with their addresses.
const (
	Own      Kind = iota // no fragment
	Browse               // #browse: all genres and decades
	Genre                // #genre=Comedy&order=new&page=2
	Decade               // #decade=1990
	Region               // #region=1-Horror-1980: a part of the map
	Similar              // #like=2571: titles like this one
	Together             // #together: titles near the visitor and a second person
)

// orderNames are the orders in addresses. The first is left out.
var orderNames = [...]string{"best", "known", "new", "title"}

// Fragment returns the view's fragment without its #, or "" for the visitor's own list.
func (v View) Fragment() string {
	switch v.Kind {
	case Browse:
		return "browse"
	case Together:
		return "together"
	case Similar:
		return "like=" + share.Escape(v.Like)
	case Genre:
		return "genre=" + share.Escape(v.Genre) + v.pages()
	case Decade:
		return "decade=" + strconv.Itoa(v.Decade) + v.pages()
	case Region:
		return "region=" + share.Escape(v.Region) + v.pages()
	}
	return ""
}

func (v View) pages() string {
	s := ""
	if v.Order > 0 && int(v.Order) < len(orderNames) {
		s = "&order=" + orderNames[v.Order]
	}
	if v.Page > 0 {
		s += "&page=" + strconv.Itoa(v.Page+1)
	}
	return s
}

// Bounds in bytes on an address, and on a genre or an id in it. Escaping takes up to three characters for a byte, and
// such a name still fits.
const (
	maxFragment = 4096
	maxValue    = 1024
)

// Parse reads a fragment. ok is false if it is not a view, such as an anchor of the page. Mistakes within a view are
// ignored. O(len(fragment)).
func Parse(fragment string) (v View, ok bool) {
	if len(fragment) > maxFragment {
		return v, false
	}
	switch fragment {
	case "":
		return v, true
	case "browse":
		return View{Kind: Browse}, true
	case "together":
		return View{Kind: Together}, true
	}
	for rest := fragment; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "&")
		name, value, _ := strings.Cut(part, "=")
		if text, err := url.PathUnescape(value); err == nil {
			value = text // somebody typed it without escapes, such as 100%
		}
		n, err := strconv.Atoi(value)
		switch {
		case value == "" || len(value) > maxValue || !utf8.ValidString(value):
		case v.Kind == Own && name == "genre":
			v.Kind, v.Genre = Genre, value
		case v.Kind == Own && name == "decade" && err == nil && n > 0 && n <= 9999:
			v.Kind, v.Decade = Decade, n/10*10
		case v.Kind == Own && name == "region":
			v.Kind, v.Region = Region, value
		case v.Kind == Own && name == "like":
			v.Kind, v.Like = Similar, value
		case !v.Browses() || n < 0:
		case name == "page" && err == nil && n > 0 && n < 1_000_000:
			v.Page = n - 1
		case name == "order":
			for o, known := range orderNames {
				if value == known {
					v.Order = recommend.Order(o)
				}
			}
		}
	}
	if v.Kind == Decade && v.Decade == 0 {
		v.Kind = Own
	}
	return v, v.Kind != Own
}

// Browses reports whether the view is a genre, a decade or a region.
func (v View) Browses() bool {
	return v.Kind == Genre || v.Kind == Decade || v.Kind == Region
}
