package ui

import (
	"cmp"
	"html"

	"github.com/vugu/vugu"
)

// List is the ordered list of recommendations, or what another view shows in its place.
type List struct {
	List    *ListState
	Tuning  *TuningState
	People  *PeopleState
	Marking *Marking
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

func (c *List) own() bool { return c.List.View.Kind == OwnView }

func (c *List) both() bool { return c.List.View.Kind == TogetherView }

// empty reports whether the engine was asked and found nothing.
func (c *List) empty() bool {
	k := c.List.View.Kind
	return c.List.Asked && len(c.List.Titles) == 0 && k != BrowseView && (k != TogetherView || c.List.Log.Together())
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

// ended reports whether the list has its greatest length.
func (c *List) ended() bool { return len(c.List.Titles) >= maxShown }

func (c *List) surprising() bool { return c.own() && c.List.Log.Settings.Exploration > 0 }

// different reports whether something different can be shown in place of the list.
func (c *List) different() bool {
	return c.own() && c.List.Left > len(c.List.Titles) && len(c.List.Titles) > 0
}

// copyText is what came of copying the list, or the offer to.
func (c *List) copyText() string { return cmp.Or(c.List.Copied, c.List.W.ListCopy) }

// shelf is what stands over the titles of a view: the orders of a genre or decade, or all of these to choose from, with
// how many titles they have.
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
		to := View{Kind: GenreView, Genre: g.Name}
		links = append(links, counted(Link{Text: g.Label, Class: g.Class, Path: g.Path, To: to}))
	}
	for _, d := range c.List.decades {
		to := View{Kind: DecadeView, Decade: d}
		decades = append(decades, counted(Link{Text: c.List.W.Decade(d), Class: "gx", To: to}))
	}
	labelled := func(label string, links []Link) vugu.HTML {
		if len(links) == 0 {
			return ""
		}
		return vugu.HTML(`<h3 class="list-label">`+html.EscapeString(label)+`</h3>`) + row(label, links)
	}
	return labelled(c.List.W.Genres, links) + labelled(c.List.W.Decades, decades)
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
