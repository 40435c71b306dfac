package ui

import "github.com/pmlam/pmlam/ui/keep"

// Shared shows a taste that came with the page's address, and asks what is to become of it.
type Shared struct {
	P *Page
}

// fewShared titles are shown before "show all".
const fewShared = 8

func (c *Shared) taste() bool { return c.P.Received.Unread == nil }

// note says what is wrong, or what of the taste there is here.
func (c *Shared) note() string {
	r, w := c.P.Received, c.P.W
	switch {
	case c.taste():
	case r.Unread.Newer:
		return w.SharedNewer
	default:
		return w.SharedBroken
	}
	likes, _ := c.P.known(r.Taste.Likes)
	too := 0
	for _, i := range likes {
		if c.P.marks[i] == LikedIt {
			too++
		}
	}
	if too == 0 {
		return w.SharedNote
	}
	return w.SharedToo(too) + " " + w.SharedNote
}

// named are the titles of a list that this catalogue has, as they are shown.
func (c *Shared) named(ids []string) (out []string) {
	items, _ := c.P.known(ids)
	most := fewShared
	if c.P.Received.All {
		most = manyMarked
	}
	for _, i := range items[:min(len(items), most)] {
		s := c.P.Titled(i)
		if m := c.P.marks[i]; m != Unmarked {
			s += " · " + c.P.W.MarkedAs[m-LikedIt]
		}
		out = append(out, s)
	}
	return out
}

func (c *Shared) likes() []string    { return c.named(c.P.Received.Taste.Likes) }
func (c *Shared) dislikes() []string { return c.named(c.P.Received.Taste.Dislikes) }

// longest is the length of the longer list.
func (c *Shared) longest() int {
	likes, _ := c.P.known(c.P.Received.Taste.Likes)
	dislikes, _ := c.P.known(c.P.Received.Taste.Dislikes)
	return max(len(likes), len(dislikes))
}

func (c *Shared) toggle() string {
	if c.P.Received.All {
		return c.P.W.ShowFewer
	}
	return c.P.W.ShowAll(c.longest())
}

func (c *Shared) toggleAll() { c.P.Received.All = !c.P.Received.All }

// missing names what this catalogue does not have: as an earlier one called what the visitor marked, or else as the link does.
func (c *Shared) missing() string {
	_, out := c.P.known(c.P.Received.Taste.Likes)
	_, more := c.P.known(c.P.Received.Taste.Dislikes)
	out = append(out, more...)
	if len(out) == 0 {
		return ""
	}
	n := len(out)
	out = out[:min(n, fewShared)]
	for i, id := range out {
		e := keep.Entry{ID: id}
		c.P.name(&e)
		out[i] = or(e.Title, id)
	}
	return c.P.W.SharedMissing(n, out)
}

// leads tells whether there is anything to recommend by.
func (c *Shared) leads() bool {
	likes, _ := c.P.known(c.P.Received.Taste.Likes)
	return len(likes) > 0
}

func (c *Shared) look() string {
	if c.P.Received.Looking {
		return c.P.W.Back
	}
	return c.P.W.SharedLook
}

func (c *Shared) closing() string {
	if c.taste() {
		return c.P.W.SharedDrop
	}
	return c.P.W.Close
}
