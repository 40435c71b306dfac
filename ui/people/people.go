package people

import (
	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/words"
)

// People names a second person, and shows whose page it is.
//
// The page always belongs to one of the two, Store.Who: new marks, imports and backups are theirs. The other's marks
// count in the list for both (address.Together). After a reload the page is the visitor's own again.
type People struct {
	People *State
}

// other returns the second person's name for use in a sentence.
func (c *People) other() string { return c.People.W.Isolate(c.People.Other()) }

func (c *People) typed(e vugu.DOMEvent) { c.People.typed = e.PropString("target", "value") }

// asks reports whether a name is asked for: of a second person, or of the person whose page it is.
func (c *People) asks() bool { return c.People.Other() == "" || c.People.Naming }

// question is the label of the field.
func (c *People) question() string {
	if c.People.Other() != "" && c.People.Who() == 0 {
		return c.People.W.YourName
	}
	return c.People.W.PersonName
}

// renames is the label of the button that shows or hides the field for another name.
func (c *People) renames() string {
	switch {
	case c.People.Naming:
		return c.People.W.Close
	case c.People.Who() == 0:
		return c.People.W.YourName
	}
	return words.Fill(c.People.W.Rename, c.other())
}

// named takes the typed name.
func (c *People) named(e vugu.DOMEvent) {
	e.PreventDefault()
	name := c.People.typed
	switch {
	case keep.Called(name) == "":
		browser.Focus("#person")
	case c.People.Naming:
		c.People.Rename(name)
	case c.People.Expects():
		next := c.People.expected
		next.named()
		c.People.AddWith(name, next.marks)
	default:
		c.People.Add(name)
	}
}

// note tells whose likes the list is ranked for, and whose are missing.
func (c *People) note() string {
	w := c.People.W
	yours, theirs := len(c.People.MarksOf(0).Visit.Likes), len(c.People.MarksOf(1).Visit.Likes)
	switch {
	case c.People.Other() == "":
		return ""
	case theirs == 0:
		return w.PickFor(c.other())
	case yours == 0:
		return w.PickForYou
	}
	return w.BothLikes(c.other(), yours, theirs)
}
