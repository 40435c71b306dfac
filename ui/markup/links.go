package markup

import (
	"html"
	"strings"

	"github.com/vugu/vugu"
)

// Link is a link to a view.
type Link struct {
	Text, Class, Path string
	Tally             string // the number of titles; "": not shown
	To                string // fragment of the view's address
	On                bool   // the current view
}

// html appends the link. Rows of links are HTML: as components they would take a fiftieth of the program.
func (l *Link) html(b *strings.Builder) {
	b.WriteString(`<a href="#` + html.EscapeString(l.To))
	if l.Class != "" {
		b.WriteString(`" class="link-to ` + l.Class + `" aria-current="` + Yes(l.On))
	}
	b.WriteString(`">`)
	if l.Path != "" {
		b.WriteString(`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="` + l.Path +
			`"></path></svg>`)
	}
	b.WriteString(html.EscapeString(l.Text))
	if l.Tally != "" {
		b.WriteString(` <span class="tally">` + l.Tally + `</span>`)
	}
	b.WriteString(`</a>`)
}

// Anchors writes links as HTML, with a separator.
func Anchors(links []Link, between string) string {
	var b strings.Builder
	for i := range links {
		if i > 0 {
			b.WriteString(between)
		}
		links[i].html(&b)
	}
	return b.String()
}

// Row writes links as a list.
func Row(label string, links []Link) vugu.HTML {
	if len(links) == 0 {
		return ""
	}
	return vugu.HTML(`<ul class="links" aria-label="` + html.EscapeString(label) + `"><li>` +
		Anchors(links, "</li><li>") + `</li></ul>`)
}
