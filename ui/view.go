package ui

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/share"
)

// View is what the list shows. It stands in the fragment of the page's address, so that back, forward, a bookmark and a
// link lead to it. The zero value is the visitor's own list.
type View struct {
	Kind   ViewKind
	Genre  string          // of GenreView
	Decade int             // of DecadeView: its first year
	Like   string          // of SimilarView: the title's id in the catalogue
	Region string          // of RegionView: its key in Catalogue
	Order  recommend.Order // of GenreView, DecadeView and RegionView
	Page   int             // of the same, from 0
}

// ViewKind says what a View is of.
type ViewKind uint8

// The kinds of views, with the addresses that they have.
const (
	OwnView      ViewKind = iota // no fragment
	BrowseView                   // #browse: the genres and decades to choose from
	GenreView                    // #genre=Comedy&order=new&page=2
	DecadeView                   // #decade=1990
	RegionView                   // #region=1-Horror-1980: of a part of the map
	SimilarView                  // #like=2571: titles like that one
	TogetherView                 // #together: near the visitor and a second person
)

// orderNames stand in addresses. The first is not written.
var orderNames = [...]string{"best", "known", "new", "title"}

// Fragment returns what stands after the # in the view's address; "" for the visitor's own list.
func (v View) Fragment() string {
	switch v.Kind {
	case BrowseView:
		return "browse"
	case TogetherView:
		return "together"
	case SimilarView:
		return "like=" + share.Escape(v.Like)
	case GenreView:
		return "genre=" + share.Escape(v.Genre) + v.pages()
	case DecadeView:
		return "decade=" + strconv.Itoa(v.Decade) + v.pages()
	case RegionView:
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

// Bounds of an address, in bytes, and of a genre or an id in it: no catalogue has such long ones. Written in three
// characters a byte, one of them still fits.
const (
	maxFragment = 4096
	maxValue    = 1024
)

// ParseView reads a fragment. ok is false for one that is none of a view's, such as that of a place in the page; what
// is wrong within one counts as if it were not there. O(len(fragment)).
func ParseView(fragment string) (v View, ok bool) {
	if len(fragment) > maxFragment {
		return v, false
	}
	switch fragment {
	case "":
		return v, true
	case "browse":
		return View{Kind: BrowseView}, true
	case "together":
		return View{Kind: TogetherView}, true
	}
	for rest := fragment; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "&")
		name, value, _ := strings.Cut(part, "=")
		if text, err := url.PathUnescape(value); err == nil {
			value = text // else somebody typed it without escapes, such as 100%
		}
		n, err := strconv.Atoi(value)
		switch {
		case value == "" || len(value) > maxValue || !utf8.ValidString(value):
		case v.Kind == OwnView && name == "genre":
			v.Kind, v.Genre = GenreView, value
		case v.Kind == OwnView && name == "decade" && err == nil && n > 0 && n <= 9999:
			v.Kind, v.Decade = DecadeView, n/10*10
		case v.Kind == OwnView && name == "region":
			v.Kind, v.Region = RegionView, value
		case v.Kind == OwnView && name == "like":
			v.Kind, v.Like = SimilarView, value
		case !v.browses() || n < 0:
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
	if v.Kind == DecadeView && v.Decade == 0 {
		v.Kind = OwnView
	}
	return v, v.Kind != OwnView
}

// browses reports whether it is of a genre, a decade or a region.
func (v View) browses() bool {
	return v.Kind == GenreView || v.Kind == DecadeView || v.Kind == RegionView
}
