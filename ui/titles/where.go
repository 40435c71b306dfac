package titles

import (
	"html"
	"strings"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/catalogue"
)

// elsewhere is an address of a title elsewhere.
type elsewhere struct{ name, address string }

// readPlaces reads "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}": a name and an address, and so
// on. What has no name, or leads neither to this site nor to one of https:, is left out.
func readPlaces(s string) (out []elsewhere) {
	for part := range strings.SplitSeq(s, ";") {
		part = strings.TrimSpace(part)
		if at := strings.LastIndexByte(part, ' '); at > 0 && catalogue.Leads(part[at+1:]) {
			out = append(out, elsewhere{strings.TrimSpace(part[:at]), part[at+1:]})
		}
	}
	return out
}

// address fills columns of item i into an address (catalogue.Address).
func (c *Catalogue) address(pattern string, i int) string {
	return catalogue.Address(pattern, c.Entry(i), c.Engine.Columns())
}

// Where leads, as HTML, to item i elsewhere, after a label; "" where nothing is known. Nothing is requested before a
// link is pressed, and the other site is then not told the origin.
func (c *Catalogue) Where(label string, i int) vugu.HTML {
	var links []string
	for _, p := range c.places {
		if a := c.address(p.address, i); a != "" {
			links = append(links, `<a href="`+html.EscapeString(a)+
				`" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer" aria-label="`+
				html.EscapeString(p.name+": "+c.Entry(i).Title)+`">`+html.EscapeString(p.name)+`</a>`)
		}
	}
	if links == nil {
		return ""
	}
	return vugu.HTML(label + " " + strings.Join(links, " · "))
}

// Price is the owner's text for item i, "" where the item lacks a column that it names.
func (c *Catalogue) Price(i int) string {
	return catalogue.Text(c.owner.Price, c.Entry(i), c.Engine.Columns())
}

// picture is item i's picture, as HTML: it covers the tile that stands for it where it is missing. It is loaded when
// the tile comes near the screen, and says nothing that the title beside it does not.
func (c *Catalogue) picture(i int) string {
	if !catalogue.Leads(c.owner.Pictures) {
		return ""
	}
	a := c.address(c.owner.Pictures, i)
	if a == "" {
		return ""
	}
	return `<img src="` + html.EscapeString(a) +
		`" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
}
