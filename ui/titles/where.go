package titles

import (
	"html"
	"strings"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/catalogue"
)

// elsewhere is a link to a title on another site.
type elsewhere struct{ name, address string }

// readPlaces parses "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}": names with addresses. It skips
// entries without a name, and addresses that are neither on this site nor https:.
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

// Where returns a label and links to item i on other sites as HTML, or "". Links request nothing until pressed, and do
// not send the referrer.
func (c *Catalogue) Where(label string, i int) vugu.HTML {
	var links []string
	for _, p := range c.places {
		if a := c.address(p.address, i); a != "" {
			links = append(links, open(a)+` aria-label="`+html.EscapeString(p.name+": "+c.Entry(i).Title)+`">`+
				html.EscapeString(p.name)+`</a>`)
		}
	}
	if links == nil {
		return ""
	}
	return vugu.HTML(label + " " + strings.Join(links, " · "))
}

// open returns the beginning of a link that opens an address without naming this page.
func open(address string) string {
	return `<a href="` + html.EscapeString(address) +
		`" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer"`
}

// Linked returns the HTML inside of a link to item i on the owner's first site that has it, or by itself. attributes
// are further ones of the link.
func (c *Catalogue) Linked(i int, attributes, inside string) string {
	for _, p := range c.places {
		if a := c.address(p.address, i); a != "" {
			return open(a) + attributes + ">" + inside + "</a>"
		}
	}
	return inside
}

// Price returns the owner's text for item i, or "" if the item lacks one of its columns.
func (c *Catalogue) Price(i int) string {
	return catalogue.Text(c.owner.Price, c.Entry(i), c.Engine.Columns())
}

// picture returns item i's picture as HTML, or "". It covers the tile, which stays visible if the picture is missing.
// It loads near the viewport, and has an empty alt text because the title is written next to it.
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
