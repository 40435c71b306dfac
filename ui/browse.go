package ui

import (
	"html"
	"strings"

	"github.com/pmlam/pmlam/core/recommender"
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
		i, ok := p.index[v.Like]
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
		if p.Other == "" {
			return p.W.ForTwo
		}
		return p.W.NextForBoth(p.W.isolate(p.Other))
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
		if !p.Together() {
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
	if len(p.Visit.Likes) == 0 {
		return all[1:]
	}
	return all
}

// order is the order that the view asks for, if there is such a one.
func (p *Page) order() recommender.Order {
	if p.View.Order == recommender.BestFirst && len(p.Visit.Likes) == 0 {
		return recommender.BestKnown
	}
	return p.View.Order
}

// Link is a word that leads to a view.
type Link struct {
	Text, Class, Path string
	Count             int
	To                View
	On                bool // it is the view that is shown
}

func (l *Link) address() string { return "#" + l.To.Fragment() }

// shelves lead to all genres and all decades, with how many titles they have. The catalogue does not change, so they are
// counted once.
func (p *Page) shelves() [2][]Link {
	if p.counts == nil {
		p.counts = map[View]int{}
	}
	count := func(v View) int {
		n, known := p.counts[v]
		if !known {
			n = p.Engine.Count(recommender.Visit{}, v.filter())
			p.counts[v] = n
		}
		return n
	}
	var out [2][]Link
	for _, g := range p.GenreList() {
		to := View{Kind: GenreView, Genre: g.Name}
		out[0] = append(out[0], Link{Text: g.Label, Class: g.Class, Path: g.Path, To: to, Count: count(to)})
	}
	for _, d := range p.decades {
		to := View{Kind: DecadeView, Decade: d}
		out[1] = append(out[1], Link{Text: p.W.Decade(d), To: to, Count: count(to)})
	}
	return out
}

// orderLinks lead to the same titles in another order.
func (p *Page) orderLinks() (out []Link) {
	for _, o := range p.orders() {
		to := p.View
		to.Order, to.Page = o, 0
		out = append(out, Link{Text: p.W.Orders[o], To: to, On: o == p.order()})
	}
	return out
}

// pageLinks lead to the pages before and after.
func (p *Page) pageLinks() (out []Link) {
	if !p.Browsing() {
		return nil
	}
	to := p.View
	if to.Page > 0 {
		to.Page--
		out = append(out, Link{Text: p.W.Earlier, To: to})
	}
	if to = p.View; (to.Page+1)*browsePage < p.Left {
		to.Page++
		out = append(out, Link{Text: p.W.Later, To: to})
	}
	return out
}

// anchors writes links as HTML, with what stands between them; for words in a card, where components would cost more.
func anchors(links []Link, between string) string {
	var b strings.Builder
	for i := range links {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(`<a href="` + html.EscapeString(links[i].address()) + `">` + html.EscapeString(links[i].Text) + `</a>`)
	}
	return b.String()
}
