package ui

import (
	"strings"

	"github.com/vugu/vugu"
	js "github.com/vugu/vugu/js"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
)

// TasteMap is the living picture: all titles, and the visitor among them. The picture itself is painted by a script
// into an element that stays empty here; around it stand its buttons, its words, and all it shows as text.
type TasteMap struct {
	Map     *MapState
	List    *ListState
	Marking *Marking
	Tuning  *TuningState
}

func (c *TasteMap) created(host js.Value) { c.Map.mount(host) }

func (c *TasteMap) distances() bool { return c.Map.Log.Settings.Distances }

// note describes what the picture shows and how accurate it is.
func (c *TasteMap) note() string {
	if !c.Map.Undrawn && c.Map.partUndrawn() {
		return c.shows() + " " + c.Map.W.PartUndrawn
	}
	return c.shows()
}

// shows describes the present view.
func (c *TasteMap) shows() string {
	switch {
	case c.Map.Undrawn:
		return c.Map.W.MapUndrawn
	case c.List.Taste == nil:
		return c.Map.W.MapAsleep
	case c.distances() && c.Map.feed.radii != nil && !c.Map.drawnByDistance():
		return c.Map.W.MapNote
	case c.distances() && c.List.Ordered():
		return c.Map.W.DistanceNote + " " + c.Map.W.InOrder
	case c.distances():
		return c.Map.W.DistanceNote + " " + c.Map.W.NotInOrder
	}
	return c.Map.W.MapNote
}

func (c *TasteMap) textItem(s recommend.Suggestion) string {
	if s.Certainty == recommend.Unsaid {
		return c.Map.Titled(s.Item)
	}
	return c.Map.W.TextItem(c.Map.Titled(s.Item), c.Map.W.Certainty(s.Certainty), s.Distance)
}

// textTastes says where the visitor's tastes lie, and those of the second person: "40%: around “1980s horror”".
func (c *TasteMap) textTastes() (lines []string) {
	add := func(p *recommend.Places, before string) {
		for k, share := range c.Map.shares(p) {
			e := &p.Tastes[k].Ellipses[0]
			lines = append(lines, before+c.Map.W.TextTaste(share, c.Map.regionAt(e.X, e.Y)))
		}
	}
	add(&c.List.Places, "")
	if len(c.List.Second.Tastes) > 0 {
		add(&c.List.Second, c.Map.W.Isolate(c.Map.Called(1-c.Map.Log.Who))+" · ")
	}
	return lines
}

// textOfTastes stands before them.
func (c *TasteMap) textOfTastes() string {
	if c.List.Taste == nil {
		return c.Map.W.TextAsleep
	}
	return c.Map.W.TextTastes
}

// regions lead to the lists of all regions that have a name, while the text is shown: links that nobody sees are no
// stops for the keyboard.
func (c *TasteMap) regions() vugu.HTML {
	if !c.Map.AsText {
		return ""
	}
	return row(c.Map.W.Regions, c.Map.regionLinks())
}

// likes are named in the text, the latest first.
func (c *TasteMap) likes() []int {
	m := Marked{Marking: c.Marking, Of: LikedIt}
	return m.shown()
}

func (c *TasteMap) textClass() string { return class("map-text", "open", c.Map.AsText) }

// rings reports whether rings are on the picture and hold the shares that the legend names.
func (c *TasteMap) rings() bool {
	return c.List.Places.Calibrated && drawablePlaces(&c.List.Places) && !c.distances()
}

// ringsText says what the rings hold, and whose the dashed ones are.
func (c *TasteMap) ringsText() string {
	text := c.Map.W.MapRings
	if len(c.List.Second.Tastes) > 0 {
		text += " " + c.Map.W.TextSecond(c.Map.W.Isolate(c.Map.Called(1-c.Map.Log.Who)))
	}
	return text
}

func (c *TasteMap) selected() bool { return c.Map.Selected >= 0 }

func (c *TasteMap) selectedTitle() string {
	if !c.selected() {
		return ""
	}
	return c.Map.Item(c.Map.Selected).Title
}

// selectedNote is the opened title's year, genres and distance.
func (c *TasteMap) selectedNote() string {
	if !c.selected() {
		return ""
	}
	it := c.Map.Item(c.Map.Selected)
	var parts []string
	if it.Year > 0 {
		parts = append(parts, year(it.Year))
	}
	parts = append(parts, c.Map.genreNames(c.Map.Selected)...)
	if c.List.Taste != nil {
		parts = append(parts, c.Map.W.FromYou(c.Map.Engine.Distance(c.List.Taste, c.Map.Selected)))
	}
	return strings.Join(parts, " · ")
}

func (c *TasteMap) close() {
	c.Map.Select(-1)
	browser.Focus("#map-canvas")
}
