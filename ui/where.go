package ui

import (
	"html"
	"strings"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/catalogue"
)

// owned is what a site's owner has set about the titles, beside words.Owner: where they are to be had or read about,
// and where their pictures are. They are addresses with columns of the catalogue in braces,
// "https://shop.example/{id}".
type owned struct {
	places   []elsewhere
	pictures string
	price    string // a text with columns in braces
}

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

// address puts what the catalogue has of item i into an address (catalogue.Address).
func (c *Catalogue) address(pattern string, i int) string {
	return catalogue.Address(pattern, c.Item(i), c.Engine.Columns())
}

// where leads, as HTML, to item i elsewhere; "" where nothing is known. Nothing is requested before a link is pressed,
// and who is asked then does not learn from where.
func (s *Session) where(i int) vugu.HTML {
	var links []string
	for _, p := range s.places {
		if a := s.address(p.address, i); a != "" {
			links = append(links, `<a href="`+html.EscapeString(a)+
				`" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer" aria-label="`+
				html.EscapeString(p.name+": "+s.Item(i).Title)+`">`+html.EscapeString(p.name)+`</a>`)
		}
	}
	if links == nil {
		return ""
	}
	return vugu.HTML(s.W.Where + " " + strings.Join(links, " · "))
}

// picture is item i's picture, as HTML: it covers the tile that stands for it where it is missing. It is loaded when
// the tile comes near the screen, and says nothing that the title beside it does not.
func (c *Catalogue) picture(i int) string {
	if !catalogue.Leads(c.pictures) {
		return ""
	}
	a := c.address(c.pictures, i)
	if a == "" {
		return ""
	}
	return `<img src="` + html.EscapeString(a) +
		`" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
}
