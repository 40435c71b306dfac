package titles

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/markup"
)

// Brief is item i's title without its other names in brackets: it has to fit on a tile.
func (c *Catalogue) Brief(i int) string {
	head, _, _ := strings.Cut(c.Entry(i).Title, " (")
	return head
}

// Tile returns the classes of a title's tile: the base, the genre's colour, and whether the title is set smaller, being
// long or of long words.
func (c *Catalogue) Tile(base string, i int) string {
	title, word := c.Brief(i), 0
	for w := range strings.FieldsSeq(title) {
		word = max(word, utf8.RuneCountInString(w))
	}
	return markup.Class(base+" "+c.GenreClass(i), "long", utf8.RuneCountInString(title) >= 24 || word >= 10)
}

// Face is the content of a tile without a picture, as HTML: the shape that the genre has on the map, the year and
// the whole title; the picture, where there is one, covers them.
func (c *Catalogue) Face(i int) vugu.HTML {
	return vugu.HTML(`<span class="tile-head"><svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="` +
		ShapePaths[GenreShape(c.genreGroups[i])] + `"></path></svg><span class="tile-year" data-year="` +
		markup.Year(c.Entry(i).Year) + `"></span></span><span class="tile-title" dir="auto">` +
		html.EscapeString(c.Brief(i)) + `</span>` + c.picture(i))
}
