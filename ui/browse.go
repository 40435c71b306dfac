package ui

import (
	"html"
	"strings"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/vugu/vugu"
)

// browsePage is how many titles a page of a genre or decade has.
const browsePage = 20

// Go shows a view in the list's place, and puts it into the page's address.
func (p *Page) Go(v View) {
	p.arrive(v)
	setAddress(v.Fragment())
}

// arrive shows the view that the address names. Titles and genres that this catalogue does not have lead to the list.
func (p *Page) arrive(v View) {
	similar := -1
	switch v.Kind {
	case SimilarView:
		i, ok := p.Log.Item(v.Like)
		if similar = i; !ok {
			v, similar = View{}, -1
		}
	case GenreView:
		if p.Engine.Count(recommender.Visit{}, recommender.Filter{Genres: []string{v.Genre}}) == 0 {
			v = View{}
		}
	}
	if v == p.View {
		return
	}
	p.View, p.Similar = v, similar
	p.Shown, p.Why, p.Tab, p.Instead = pageSize, -1, TabNext, nil
	p.feed.dirty |= feedDim | feedDistances
	p.List, p.Asked = nil, false // what stood there is no answer to this
	p.nameDocument()
	p.refresh(true)
	focus("#next")
}

// nameDocument has the browser's tab and its history name the view.
func (p *Page) nameDocument() {
	heading := ""
	if p.View.Kind != OwnView {
		heading = p.heading()
	}
	setTitle(heading)
}

// followed is called with the address's fragment: at the start, and on every back, forward, link and typed fragment.
func (p *Page) followed(fragment string) {
	if v, ok := ParseView(fragment); ok {
		p.arrive(v)
	}
}

// Browsing tells whether the list shows a genre or a decade.
func (p *Page) Browsing() bool { return p.View.Kind == GenreView || p.View.Kind == DecadeView }

// heading names the view.
func (p *Page) heading() string {
	switch v := p.View; v.Kind {
	case BrowseView:
		return p.W.Browse
	case TogetherView:
		if p.Log.Other == "" {
			return p.W.ForTwo
		}
		return p.W.NextForBoth(p.W.isolate(p.Log.Other))
	case GenreView:
		return p.W.GenreName(v.Genre)
	case DecadeView:
		return p.W.Decade(v.Decade)
	case SimilarView:
		return p.W.Similar(p.W.isolate(p.Item(p.Similar).Title))
	}
	if p.Looking() {
		return p.W.SharedLeads
	}
	return p.W.Next
}

// viewNote says what the view shows.
func (p *Page) viewNote() string {
	switch p.View.Kind {
	case BrowseView:
		return p.W.BrowseNote
	case TogetherView:
		if !p.Log.Together() {
			return p.W.ForTwoNote
		}
		return p.W.ForBothNote
	case SimilarView:
		return p.W.SimilarNote
	case GenreView, DecadeView:
		all := p.Engine.Count(recommender.Visit{}, p.View.filter())
		if p.Left == 0 {
			return p.W.BrowseCount(all, all, 0, 0)
		}
		from := min(p.View.Page*browsePage, p.Left)
		return p.W.BrowseCount(all, all-p.Left, from+1, from+len(p.List))
	}
	return p.W.ModeNotes[p.Mode()]
}

// filter keeps what is of the genre or decade.
func (v View) filter() (f recommender.Filter) {
	if v.Kind == GenreView {
		f.Genres = []string{v.Genre}
	}
	if v.Kind == DecadeView {
		f.FromYear, f.ToYear = v.Decade, v.Decade+9
	}
	return f
}

// orders returns the orders that there are: nothing is best for somebody who likes nothing yet.
func (p *Page) orders() []recommender.Order {
	all := []recommender.Order{recommender.BestFirst, recommender.BestKnown, recommender.Newest, recommender.ByTitle}
	if len(p.Log.Now().Visit.Likes) == 0 {
		return all[1:]
	}
	return all
}

// order is the order that the view asks for, if there is such a one.
func (p *Page) order() recommender.Order {
	if p.View.Order == recommender.BestFirst && len(p.Log.Now().Visit.Likes) == 0 {
		return recommender.BestKnown
	}
	return p.View.Order
}

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
func (p *Page) shelf() vugu.HTML {
	var links, decades []Link
	switch {
	case p.Browsing():
		for _, o := range p.orders() {
			to := p.View
			to.Order, to.Page = o, 0
			links = append(links, Link{Text: p.W.Orders[o], Class: "gx", To: to, On: o == p.order()})
		}
		return row(p.W.OrdersLabel, links)
	case p.View.Kind != BrowseView:
		return ""
	}
	for _, g := range p.GenreList() {
		links = append(links, p.counted(Link{Text: g.Label, Class: g.Class, Path: g.Path, To: View{Kind: GenreView, Genre: g.Name}}))
	}
	for _, d := range p.decades {
		decades = append(decades, p.counted(Link{Text: p.W.Decade(d), Class: "gx", To: View{Kind: DecadeView, Decade: d}}))
	}
	label := func(s string) vugu.HTML { return vugu.HTML(`<h3 class="list-label">` + html.EscapeString(s) + `</h3>`) }
	return label(p.W.Genres) + row(p.W.Genres, links) + label(p.W.Decades) + row(p.W.Decades, decades)
}

// counted fills in how many titles there are. The catalogue does not change, so they are counted once.
func (p *Page) counted(l Link) Link {
	key := l.To.Fragment()
	if p.counts == nil {
		p.counts = map[string]int{}
	}
	n, known := p.counts[key]
	if !known {
		n = p.Engine.Count(recommender.Visit{}, l.To.filter())
		p.counts[key] = n
	}
	l.Tally = p.W.number(n)
	return l
}

// pages lead to the pages before and after.
func (p *Page) pages() vugu.HTML {
	var links []Link
	add := func(text string, page int) {
		if p.Browsing() && page >= 0 && page*browsePage < p.Left {
			to := p.View
			to.Page = page
			links = append(links, Link{Text: text, Class: "gx", To: to})
		}
	}
	add(p.W.Earlier, p.View.Page-1)
	add(p.W.Later, p.View.Page+1)
	return row(p.W.Pages, links)
}
