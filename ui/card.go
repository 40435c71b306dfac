package ui

import (
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Card is one recommendation: the title, the reasons, the certainty, and the marks to give.
type Card struct {
	List    *ListState
	Marking *Marking
	S       recommend.Suggestion
}

func (c *Card) key() string    { return strconv.Itoa(c.S.Item) }
func (c *Card) title() string  { return c.List.Item(c.S.Item).Title }
func (c *Card) year() string   { return year(c.List.Item(c.S.Item).Year) }
func (c *Card) asked() bool    { return c.why() && c.List.Change != nil }
func (c *Card) tile() string   { return "tile " + c.List.GenreClass(c.S.Item) }
func (c *Card) why() bool      { return c.List.Why == c.S.Item }
func (c *Card) closer() string { return c.List.W.Closer(c.S.Match, c.List.Engine.Len()) }

// genres leads to each of the title's genres.
func (c *Card) genres() vugu.HTML {
	names := c.List.genreNames(c.S.Item)
	links := make([]Link, len(names))
	for k, g := range c.List.Item(c.S.Item).Genres {
		links[k] = Link{Text: names[k], To: View{Kind: GenreView, Genre: g}}
	}
	return vugu.HTML(anchors(links, " · "))
}

// yearLink leads to the title's decade.
func (c *Card) yearLink() vugu.HTML {
	y := c.List.Item(c.S.Item).Year
	if y <= 0 {
		return ""
	}
	return vugu.HTML(anchors([]Link{{Text: c.year(), To: View{Kind: DecadeView, Decade: y / 10 * 10}}}, ""))
}

// change describes what liking the title would change.
func (c *Card) change() string {
	if !c.asked() {
		return ""
	}
	named := func(items []int) (out []string) {
		for _, i := range items {
			out = append(out, c.List.W.Isolate(c.List.Item(i).Title))
		}
		return out
	}
	return c.List.W.OneMore(named(c.List.Change.In), named(c.List.Change.Out), c.List.Change.Area)
}

// because names the one or two likes with the largest shares.
func (c *Card) because() vugu.HTML {
	if s := c.shared(); s != nil {
		return vugu.HTML(c.forBoth(s))
	}
	titles := c.reasons(&c.S)
	switch {
	case len(titles) == 0:
		return ""
	case c.List.Borrowing():
		return vugu.HTML(c.List.W.BecauseTheyLike + " " + c.List.W.Join(titles))
	}
	return vugu.HTML(c.List.W.Because(titles))
}

// reasons names, as HTML, the one or two likes with the largest shares of a suggestion's score.
func (c *Card) reasons(s *recommend.Suggestion) (titles []string) {
	for _, r := range reasonsOf(s) {
		titles = append(titles, `<b dir="auto">`+html.EscapeString(c.List.Item(r.Item).Title)+"</b>")
	}
	return titles
}

// reasonsOf returns the one or two reasons with the largest shares; a second one below a third of the first is left
// out.
func reasonsOf(s *recommend.Suggestion) []recommend.Reason {
	n := min(len(s.Reasons), 2)
	if n == 2 && s.Reasons[1].Share < s.Reasons[0].Share/3 {
		n = 1
	}
	return s.Reasons[:n]
}

// sure is the certainty in words; in a list for two people because() holds it for each.
func (c *Card) sure() string {
	if c.shared() != nil {
		return ""
	}
	return c.List.W.Certainty(c.S.Certainty)
}

// sureNote explains the certainty, or why there is none.
func (c *Card) sureNote() string {
	r := c.List.About.Reliability
	switch {
	case c.S.Certainty != recommend.Unsaid:
		return c.List.W.CertainNote(r, c.S.Certainty, c.S.Chance)
	case r.People == 0:
		return c.List.W.Uncalibrated
	case len(c.List.Log.Now().Visit.Likes) == 0:
		return c.List.W.UnsureYet
	}
	return "" // it is being worked out
}

func (c *Card) share(r recommend.Reason) string {
	return c.List.W.ShareOf(c.List.Titled(r.Item), r.Share)
}

// certaintyClass colours the ellipse: the surer, the stronger.
func (c *Card) certaintyClass() string { return "mark sure" + strconv.Itoa(int(c.S.Certainty)) }

// The small ellipse has the shape and the slant of the title's ellipse on the map, and the size of the spread: the
// largest spread of this visit fills the box of 36 by 28.
const (
	markWidth  = 36.0
	markHeight = 28.0
)

func (c *Card) mark() (rx, ry, degrees float64) {
	e := c.List.Engine.ItemEllipses(c.S.Item)[0]
	aspect := 1.0
	if e.B > 0 && e.A > 0 {
		aspect = math.Sqrt(min(e.A/e.B, 4))
	}
	if !drawable(e.A, e.B, e.Angle) {
		e, aspect = model.Ellipse{}, 1
	}
	r := (markHeight/2 - 1.5) * fraction(c.S.Spread, c.List.Widest)
	return min(max(r*aspect, 2.5), markWidth/2-1), max(r/aspect, 2), -e.Angle * 180 / math.Pi
}

func (c *Card) markRX() string { rx, _, _ := c.mark(); return decimal(rx, 1) }
func (c *Card) markRY() string { _, ry, _ := c.mark(); return decimal(ry, 1) }
func (c *Card) markTurn() string {
	_, _, d := c.mark()
	return "rotate(" + decimal(d, 0) + " 18 14)"
}

func (c *Card) letters() string { return initials(c.title()) }

// shared returns what the card's title is to each of two people, where it stands in a list for both.
func (c *Card) shared() *recommend.Shared {
	for i := range c.List.Pair {
		if c.List.Pair[i].Item == c.S.Item {
			return &c.List.Pair[i]
		}
	}
	return nil
}

// forBoth gives for each of the two people, as HTML, the certainty that they like the title, and the reasons.
func (c *Card) forBoth(s *recommend.Shared) string {
	var lines []string
	for who := range s.Each {
		one := &s.Each[who]
		lines = append(lines, c.List.W.BothBecause(html.EscapeString(c.List.W.Isolate(c.List.Called(who))),
			c.reasons(one), c.List.W.Certainty(one.Certainty)))
	}
	return strings.Join(lines, "<br>")
}
