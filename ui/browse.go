package ui

import (
	"html"
	"strings"

	"github.com/vugu/vugu"
)

// browsePage is how many titles a page of a genre or decade has.
const browsePage = 20

// Link is a word that leads to a view.
type Link struct {
	Text, Class, Path string
	Tally             string // how many titles there are; "": that is not said
	To                View
	On                bool // it is the view that is shown
}

// html appends the link. Rows of links are HTML: as components they would take a fiftieth of the program.
func (l *Link) html(b *strings.Builder) {
	b.WriteString(`<a href="#` + html.EscapeString(l.To.Fragment()))
	if l.Class != "" {
		b.WriteString(`" class="link-to ` + l.Class + `" aria-current="` + yes(l.On))
	}
	b.WriteString(`">`)
	if l.Path != "" {
		b.WriteString(`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="` + l.Path + `"></path></svg>`)
	}
	b.WriteString(html.EscapeString(l.Text))
	if l.Tally != "" {
		b.WriteString(` <span class="tally">` + l.Tally + `</span>`)
	}
	b.WriteString(`</a>`)
}

// anchors writes links as HTML, with what stands between them.
func anchors(links []Link, between string) string {
	var b strings.Builder
	for i := range links {
		if i > 0 {
			b.WriteString(between)
		}
		links[i].html(&b)
	}
	return b.String()
}

// row writes links as a list.
func row(label string, links []Link) vugu.HTML {
	if len(links) == 0 {
		return ""
	}
	return vugu.HTML(`<ul class="links" aria-label="` + html.EscapeString(label) + `"><li>` + anchors(links, "</li><li>") + `</li></ul>`)
}

// shelf is what stands over the titles of a view: the orders of a genre or decade, or all of these to choose from, with how
// many titles they have.
func (c *List) shelf() vugu.HTML {
	var links, decades []Link
	switch {
	case c.List.View.browses():
		for _, o := range c.List.orders() {
			to := c.List.View
			to.Order, to.Page = o, 0
			links = append(links, Link{Text: c.List.W.Orders[o], Class: "gx", To: to, On: o == c.List.order()})
		}
		return row(c.List.W.OrdersLabel, links)
	case c.List.View.Kind != BrowseView:
		return ""
	}
	counted := func(l Link) Link {
		l.Tally = c.List.W.Number(c.List.count(l.To))
		return l
	}
	for _, g := range c.List.GenreList() {
		links = append(links, counted(Link{Text: g.Label, Class: g.Class, Path: g.Path, To: View{Kind: GenreView, Genre: g.Name}}))
	}
	for _, d := range c.List.decades {
		decades = append(decades, counted(Link{Text: c.List.W.Decade(d), Class: "gx", To: View{Kind: DecadeView, Decade: d}}))
	}
	label := func(s string) vugu.HTML { return vugu.HTML(`<h3 class="list-label">` + html.EscapeString(s) + `</h3>`) }
	return label(c.List.W.Genres) + row(c.List.W.Genres, links) + label(c.List.W.Decades) + row(c.List.W.Decades, decades)
}

// pages lead to the pages before and after.
func (c *List) pages() vugu.HTML {
	var links []Link
	add := func(text string, page int) {
		if c.List.View.browses() && page >= 0 && page*browsePage < c.List.Left {
			to := c.List.View
			to.Page = page
			links = append(links, Link{Text: text, Class: "gx", To: to})
		}
	}
	add(c.List.W.Earlier, c.List.View.Page-1)
	add(c.List.W.Later, c.List.View.Page+1)
	return row(c.List.W.Pages, links)
}
