package ui

import (
	"strings"

	"github.com/pmlam/pmlam/core/recommender"
	js "github.com/vugu/vugu/js"
)

// TasteMap is the living picture: all titles, and the visitor among them. The picture itself is painted by a script
// into an element that stays empty here; around it stand its buttons, its words, and all it shows as text.
type TasteMap struct {
	P *Page
}

func (c *TasteMap) created(host js.Value) { c.P.mount(host) }

func (c *TasteMap) distances() bool { return c.P.Log.Settings.Distances }

// note says how far the picture can be trusted.
func (c *TasteMap) note() string {
	if !c.P.feed.undrawn && c.P.partUndrawn() {
		return c.shows() + " " + c.P.W.PartUndrawn
	}
	return c.shows()
}

// shows says what the picture shows.
func (c *TasteMap) shows() string {
	switch {
	case c.P.feed.undrawn:
		return c.P.W.MapUndrawn
	case c.P.Taste == nil:
		return c.P.W.MapAsleep
	case c.distances() && c.P.feed.radii != nil && !c.P.drawnByDistance():
		return c.P.W.Shown(c.P.Engine.Shown())
	case c.distances() && c.P.Ordered():
		return c.P.W.DistanceNote + " " + c.P.W.InOrder
	case c.distances():
		return c.P.W.DistanceNote + " " + c.P.W.NotInOrder
	}
	return c.P.W.Shown(c.P.Engine.Shown())
}

func (c *TasteMap) textItem(s recommender.Suggestion) string {
	if s.Certainty == recommender.Unsaid {
		return c.P.Titled(s.Item)
	}
	return c.P.W.TextItem(c.P.Titled(s.Item), c.P.W.certainty(s.Certainty), s.Distance)
}

func (c *TasteMap) textWidth() string {
	if c.P.Taste == nil {
		return c.P.W.TextAsleep
	}
	text := ""
	if c.calibrated() && drawableEllipses(&c.P.Ellipses) {
		text = c.P.W.TextWidth(c.P.Ellipses[2].A)
	}
	if c.calibrated() && c.P.Second != nil && drawableEllipses(c.P.Second) {
		text += " " + c.P.W.TextSecond(c.P.W.isolate(c.P.Called(1-c.P.Log.Who)), c.P.Second[2].A)
	}
	return text
}

// likes are named in the text, the latest first.
func (c *TasteMap) likes() []int {
	m := Marked{P: c.P, Of: LikedIt}
	return m.shown()
}

func (c *TasteMap) textClass() string { return class("map-text", "open", c.P.AsText) }

// rings tells whether the visitor's rings are on the picture and hold what the legend says they hold, so that it does.
func (c *TasteMap) rings() bool { return c.P.Taste != nil && !c.distances() && c.calibrated() }

// calibrated tells whether the rings were held against people whom no training saw.
func (c *TasteMap) calibrated() bool { return c.P.About.Reliability.People > 0 }

func (c *TasteMap) selected() bool { return c.P.Selected >= 0 }

func (c *TasteMap) selectedTitle() string {
	if !c.selected() {
		return ""
	}
	return c.P.Item(c.P.Selected).Title
}

// selectedNote tells of the opened title what is known: year, genres, distance.
func (c *TasteMap) selectedNote() string {
	if !c.selected() {
		return ""
	}
	it := c.P.Item(c.P.Selected)
	var parts []string
	if it.Year > 0 {
		parts = append(parts, year(it.Year))
	}
	parts = append(parts, c.P.genreNames(c.P.Selected)...)
	if c.P.Taste != nil {
		parts = append(parts, c.P.W.FromYou(c.P.Engine.Distance(c.P.Taste, c.P.Selected)))
	}
	return strings.Join(parts, " · ")
}

func (c *TasteMap) close() {
	c.P.Select(-1)
	focus("#map-canvas")
}
