package titles

import (
	"html"
	"strings"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/markup"
)

// Brief returns item i's title without other names in brackets, to fit on a tile.
func (c *Catalogue) Brief(i int) string {
	head, _, _ := strings.Cut(c.Entry(i).Title, " (")
	return head
}

// Tile returns the CSS classes of a title's tile: the base, and the genre's colour.
func (c *Catalogue) Tile(base string, i int) string { return base + " " + c.GenreClass(i) }

// Face is the content of a tile as HTML: the genre's shape, the year and the whole title. If there is a picture, it
// covers them, with the title and the price as its caption.
func (c *Catalogue) Face(i int, price string) vugu.HTML {
	cover := c.picture(i)
	if cover != "" {
		if price != "" {
			price = ` <b dir="auto">` + html.EscapeString(price) + "</b>"
		}
		cover += `<span class="caption"><span dir="auto">` + html.EscapeString(c.Brief(i)) + "</span>" + price +
			"</span>"
	}
	return vugu.HTML(`<span class="tile-head"><svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="` +
		ShapePaths[GenreShape(c.genreGroups[i])] + `"></path></svg><span class="tile-year" data-year="` +
		markup.Year(c.Entry(i).Year) + `"></span></span><span class="tile-title" dir="auto">` +
		html.EscapeString(c.Brief(i)) + `</span>` + cover)
}
