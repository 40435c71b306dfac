package list

import (
	"cmp"
	"html"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/people"
)

// List is the ordered list of recommendations, or of the titles of another view.
type List struct {
	List    *State
	People  *people.State
	Marking *marking.Marking
}

func (c *List) heading() string { return c.List.heading() }

func (c *List) note() string {
	if len(c.List.Instead) > 0 {
		return c.List.W.DifferentNote
	}
	if c.List.Borrowing() {
		return c.List.W.SharedLeadsNote
	}
	if c.own() && c.List.surerBelow() {
		return c.List.viewNote() + " " + c.List.W.SurerBelow
	}
	return c.List.viewNote()
}

func (c *List) own() bool { return c.List.View().Kind == address.Own }

func (c *List) both() bool { return c.List.View().Kind == address.Together }

// empty reports whether the engine was asked and found nothing.
func (c *List) empty() bool {
	k := c.List.View().Kind
	return c.List.Asked && len(c.List.Titles) == 0 && k != address.Browse &&
		(k != address.Together || c.List.Together())
}

func (c *List) emptyAdvice() string {
	switch {
	case len(c.List.Loosen) > 0:
		return c.List.W.NothingLeftAdvice
	case c.own():
		return c.List.W.NothingWithout
	}
	return ""
}

// ended reports whether the list has its maximum length.
func (c *List) ended() bool { return len(c.List.Titles) >= maxShown }

func (c *List) surprising() bool { return c.own() && c.List.Settings().Exploration > 0 }

// different reports whether other titles can be shown instead of the list.
func (c *List) different() bool {
	return c.own() && c.List.Left > len(c.List.Titles) && len(c.List.Titles) > 0
}

// copyText is the outcome of copying the list, or the offer to copy it.
func (c *List) copyText() string { return cmp.Or(c.List.Copied, c.List.W.ListCopy) }

// shelf is the row of links above a view's titles: the orders of a genre or decade, or all genres and decades with
// their numbers of titles.
func (c *List) shelf() vugu.HTML {
	var links, decades []markup.Link
	switch {
	case c.List.View().Browses():
		for _, o := range c.List.orders() {
			to := c.List.View()
			to.Order, to.Page = o, 0
			links = append(links, markup.Link{Text: c.List.W.Orders[o], Class: "gx", To: to.Fragment(),
				On: o == c.List.order()})
		}
		return markup.Row(c.List.W.OrdersLabel, links)
	case c.List.View().Kind != address.Browse:
		return ""
	}
	counted := func(l markup.Link, to address.View) markup.Link {
		l.To, l.Tally = to.Fragment(), c.List.W.Number(c.List.Count(to))
		return l
	}
	for _, g := range c.List.GenreList() {
		to := address.View{Kind: address.Genre, Genre: g.Name}
		links = append(links, counted(markup.Link{Text: g.Label, Class: g.Class, Path: g.Path}, to))
	}
	for _, d := range c.List.Decades {
		to := address.View{Kind: address.Decade, Decade: d}
		decades = append(decades, counted(markup.Link{Text: c.List.W.Decade(d), Class: "gx"}, to))
	}
	labelled := func(label string, links []markup.Link) vugu.HTML {
		if len(links) == 0 {
			return ""
		}
		return vugu.HTML(`<h3 class="list-label">`+html.EscapeString(label)+`</h3>`) + markup.Row(label, links)
	}
	return labelled(c.List.W.Genres, links) + labelled(c.List.W.Decades, decades)
}

// pages links to the previous and next pages.
func (c *List) pages() vugu.HTML {
	var links []markup.Link
	add := func(text string, page int) {
		if c.List.View().Browses() && page >= 0 && page*browsePage < c.List.Left {
			to := c.List.View()
			to.Page = page
			links = append(links, markup.Link{Text: text, Class: "gx", To: to.Fragment()})
		}
	}
	add(c.List.W.Earlier, c.List.View().Page-1)
	add(c.List.W.Later, c.List.View().Page+1)
	return markup.Row(c.List.W.Pages, links)
}
