package marking

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/words"
)

// Details rates a title with stars, and puts it on the visitor's own lists.
type Details struct {
	Marking *Marking
	Item    int
}

// halves are the ratings in half stars, one button each.
func (c *Details) halves() []uint8 { return []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, keep.MaxStars} }

func (c *Details) class(s uint8) string {
	return markup.Class("plain star", "on", s <= c.Marking.Now().Details[c.Item].Stars)
}

// half is the left or right half of a star.
func (c *Details) half(s uint8) string { return strconv.Itoa(8*int(1-s%2)) + " 0 8 16" }

func (c *Details) is(s uint8) string {
	return markup.Yes(s == c.Marking.Now().Details[c.Item].Stars)
}

func (c *Details) label(s uint8) string { return c.Marking.W.OfFive(s) }
func (c *Details) title() string        { return c.Marking.Named(c.Item) }

// lists returns the names of all lists of the visitor.
func (c *Details) lists() (out []string) {
	for _, l := range c.Marking.Now().Lists {
		out = append(out, l.Name)
	}
	return out
}

func (c *Details) on(list string) bool {
	d := c.Marking.Now().Details[c.Item]
	return d.On(list)
}

func (c *Details) typed(e vugu.DOMEvent) { c.Marking.typed = e.PropString("target", "value") }

// add puts the title on the list with the typed name.
func (c *Details) add(e vugu.DOMEvent) {
	e.PreventDefault()
	c.Marking.PutOn(c.Item, c.Marking.typed)
	if c.Marking.Detailed == c.Item {
		browser.Focus("#list-name")
	}
}

// Rate gives item i a rating in half stars, and the mark that it stands for; the same rating again removes it. It can
// be undone.
func (m *Marking) Rate(i int, stars uint8) {
	d, mark := m.Now().Details[i], keep.Rated(stars)
	text := words.Fill(m.W.RatedAs, m.Named(i), m.W.OfFive(stars))
	if d.Stars == stars {
		stars, mark, text = 0, m.Mark(i), m.W.Unrated(m.Named(i))
	}
	marked := m.Mark(i) != keep.Unmarked
	d.Stars, m.Detailed = stars, -1
	m.say(text, i, mark, d)
	if marked { // a card makes way, and the place in the list stays
		browser.Focus(`.taste [data-details="` + strconv.Itoa(i) + `"]`)
	}
}

// PutOn puts item i on one of the visitor's own lists, and keeps an unmarked title for later. It can be undone.
func (m *Marking) PutOn(i int, list string) {
	if list = keep.ListCalled(list); list == "" {
		return
	}
	d, mark := m.Now().Details[i], m.Mark(i)
	d.Put(list, true)
	if mark == keep.Unmarked {
		mark, m.Detailed = keep.Later, -1 // as in Rate
	}
	m.typed = ""
	m.say(words.Fill(m.W.OnList, m.Named(i), list), i, mark, d)
}

// TakeOff removes item i from one of the visitor's own lists. It can be undone.
func (m *Marking) TakeOff(i int, list string) {
	d := m.Now().Details[i]
	d.Put(list, false)
	m.say(words.Fill(m.W.OffList, m.Named(i), list), i, m.Mark(i), d)
}

// ToggleList is PutOn or TakeOff.
func (m *Marking) ToggleList(i int, list string) {
	if d := m.Now().Details[i]; d.On(list) {
		m.TakeOff(i, list)
	} else {
		m.PutOn(i, list)
	}
}

func (m *Marking) say(text string, i int, mark keep.Mark, d keep.Details) {
	m.offer.Events(text, m.Change(keep.Change{ID: m.Entry(i).ID, Mark: mark, Details: &d}))
}

// ToggleDetails opens or closes the details of item i.
func (m *Marking) ToggleDetails(i int) {
	if m.typed = ""; m.Detailed == i {
		i = -1
	}
	m.Detailed = i
}
