package mapview

import (
	"strings"

	"github.com/vugu/vugu"
	js "github.com/vugu/vugu/js"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/tuning"
)

// Map is the taste map: all titles, and the visitor among them. A script paints the picture into an element that stays
// empty here. Around it are its buttons, its texts, and its description in words.
type Map struct {
	Map     *State
	List    *list.State
	Marking *marking.Marking
	Tuning  *tuning.State
}

func (c *Map) created(host js.Value) { c.Map.Mount(host) }

func (c *Map) distances() bool { return c.Map.Settings().Distances }

// note describes the picture and its accuracy.
func (c *Map) note() string {
	if !c.Map.Undrawn && c.Map.partUndrawn() {
		return c.shows() + " " + c.Map.W.PartUndrawn
	}
	return c.shows()
}

// shows describes the current view.
func (c *Map) shows() string {
	switch {
	case c.Map.Undrawn:
		return c.Map.W.MapUndrawn
	case c.List.Taste == nil:
		return c.Map.W.MapAsleep
	case c.distances() && c.List.Radii != nil && !c.Map.drawnByDistance():
		return c.Map.W.MapNote
	case c.distances() && c.List.Ordered():
		return c.Map.W.DistanceNote + " " + c.Map.W.InOrder
	case c.distances():
		return c.Map.W.DistanceNote + " " + c.Map.W.NotInOrder
	}
	return c.Map.W.MapNote
}

func (c *Map) textItem(s recommend.Suggestion) string {
	if s.Certainty == recommend.Unsaid {
		return c.Map.Titled(s.Item)
	}
	return c.Map.W.TextItem(c.Map.Titled(s.Item), c.Map.W.Certainty(s.Certainty), s.Distance)
}

// textTastes places the tastes of the visitor and of the second person: "Horror · 40% of your taste, in “The 1980s”".
func (c *Map) textTastes() (lines []string) {
	for who, p := range []*recommend.Places{&c.List.Places, &c.List.Second} {
		if who == 1 {
			who = 1 - c.Map.Who()
		} else {
			who = c.Map.Who()
		}
		for k, label := range c.Map.labels(p, who) {
			e := &p.Tastes[k].Ellipses[0]
			lines = append(lines, c.Map.W.TextTaste(label, c.Map.regionAt(e.X, e.Y)))
		}
	}
	return lines
}

// textOfTastes introduces them.
func (c *Map) textOfTastes() string {
	if c.List.Taste == nil {
		return c.Map.W.TextAsleep
	}
	return c.Map.W.TextTastes
}

// regions links to the lists of all named regions while the text is shown. Hidden links would be useless stops for the
// keyboard.
func (c *Map) regions() vugu.HTML {
	if !c.Map.AsText {
		return ""
	}
	return markup.Row(c.Map.W.Regions, c.Map.regionLinks())
}

// likes lists the likes that the text names, latest first.
func (c *Map) likes() []int {
	m := marking.Marked{Marking: c.Marking, Of: keep.Liked}
	return m.Shown()
}

func (c *Map) textClass() string { return markup.Class("map-text", "open", c.Map.AsText) }

// rings reports whether the picture has rings with the shares that the legend names.
func (c *Map) rings() bool {
	return c.List.Places.Calibrated && drawablePlaces(&c.List.Places) && !c.distances()
}

// ringsText explains the rings, and the dashed ones of the second person.
func (c *Map) ringsText() string {
	text := c.Map.W.MapRings
	if len(c.List.Second.Tastes) > 0 {
		text += " " + c.Map.W.TextSecond(c.Map.W.Isolate(c.Map.Called(1-c.Map.Who())))
	}
	return text
}

func (c *Map) selected() bool { return c.Map.Selected >= 0 }

func (c *Map) selectedTitle() string {
	if !c.selected() {
		return ""
	}
	return c.Map.Entry(c.Map.Selected).Title
}

// selectedNote gives the opened title's year, genres and distance.
func (c *Map) selectedNote() string {
	if !c.selected() {
		return ""
	}
	it := c.Map.Entry(c.Map.Selected)
	var parts []string
	if it.Year > 0 {
		parts = append(parts, markup.Year(it.Year))
	}
	parts = append(parts, c.Map.GenreNames(c.Map.Selected)...)
	if c.List.Taste != nil {
		parts = append(parts, c.Map.W.FromYou(c.Map.Engine.Distance(c.List.Taste, c.Map.Selected)))
	}
	return strings.Join(parts, " · ")
}

func (c *Map) close() {
	c.Map.Select(-1)
	browser.Focus("#map-canvas")
}
