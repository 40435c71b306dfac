package list

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/words"
)

// Card is one recommendation: the title, its reasons and certainty, and buttons for marks.
type Card struct {
	List    *State
	Marking *marking.Marking
	S       recommend.Suggestion
}

func (c *Card) key() string    { return strconv.Itoa(c.S.Item) }
func (c *Card) title() string  { return c.List.Entry(c.S.Item).Title }
func (c *Card) year() string   { return markup.Year(c.List.Entry(c.S.Item).Year) }
func (c *Card) changes() bool  { return c.why() && c.List.Change != nil }
func (c *Card) why() bool      { return c.List.Why == c.S.Item }
func (c *Card) detailed() bool { return c.Marking.Detailed == c.S.Item }
func (c *Card) closer() string { return c.List.W.Closer(c.S.Match, c.List.Engine.Len()) }

// heading is the title, as a link to the owner's page if there is one.
func (c *Card) heading() vugu.HTML {
	return vugu.HTML(c.List.Linked(c.S.Item, "", html.EscapeString(c.title())))
}

// face is the tile, as another link to that page, which the keyboard and screen readers skip.
func (c *Card) face() vugu.HTML {
	return vugu.HTML(c.List.Linked(c.S.Item, ` tabindex="-1"`, string(c.List.Face(c.S.Item))))
}

// all reports whether a narrow card shows all its actions.
func (c *Card) all() bool { return c.List.Doing == c.S.Item }

func (c *Card) toggleAll() {
	if c.all() {
		c.List.Doing = -1
	} else {
		c.List.Doing = c.S.Item
	}
}

// genres links to each of the title's genres, and to its decade.
func (c *Card) genres() vugu.HTML {
	names, it := c.List.GenreNames(c.S.Item), c.List.Entry(c.S.Item)
	links := make([]markup.Link, len(names))
	for k, g := range c.List.Genres(c.S.Item) {
		links[k] = markup.Link{Text: names[k], To: address.View{Kind: address.Genre, Genre: g}.Fragment()}
	}
	if d := it.Year / 10 * 10; d > 0 {
		to := address.View{Kind: address.Decade, Decade: d}
		links = append(links, markup.Link{Text: c.List.W.Decade(d), To: to.Fragment()})
	}
	return vugu.HTML(markup.Anchors(links, " · "))
}

// price is the owner's text for the title, or "" if the title lacks one of its columns.
func (c *Card) price() string {
	return c.List.Price(c.S.Item)
}

// because names the one or two likes with the largest shares and general popularity, and whether the owner features the
// title.
func (c *Card) because() vugu.HTML {
	why := c.likesBehind()
	if c.S.Pinned {
		return vugu.HTML(strings.TrimSpace(c.List.W.Pinned + " " + string(why)))
	}
	return why
}

// Reason is the reason on the card of a suggestion, as HTML.
func (l *State) Reason(s recommend.Suggestion) vugu.HTML {
	return (&Card{List: l, S: s}).because()
}

func (c *Card) likesBehind() vugu.HTML {
	if s := c.shared(); s != nil {
		return vugu.HTML(c.forBoth(s))
	}
	titles, general := c.reasons(&c.S)
	likes := ""
	switch {
	case len(titles) == 0:
	case c.List.Borrowing():
		likes = c.List.W.BecauseTheyLike + " " + c.List.W.Join(titles)
	default:
		likes = c.List.W.Because(titles)
	}
	return vugu.HTML(c.List.W.Reasoned(likes, general))
}

// reasons is reasonsOf with the names of the likes, as HTML.
func (c *Card) reasons(s *recommend.Suggestion) (titles []string, general words.Standing) {
	likes, general := reasonsOf(s)
	for _, r := range likes {
		titles = append(titles, `<b dir="auto">`+html.EscapeString(c.List.Brief(r.Item))+"</b>")
	}
	return titles, general
}

// reasonsOf returns the one or two likes with the largest shares, and the place of general popularity. A second like
// needs a third of the first's share. Likes as a whole and general popularity are ordered by share; the smaller is left
// out below a third of the larger.
func reasonsOf(s *recommend.Suggestion) (likes []recommend.Reason, general words.Standing) {
	likes = s.Reasons[:min(len(s.Reasons), 2)]
	if len(likes) == 2 && likes[1].Share < likes[0].Share/3 {
		likes = likes[:1]
	}
	switch {
	case s.General < 0.25:
		return likes, words.Unnamed
	case s.General <= 0.5:
		return likes, words.Named
	case s.General <= 0.75:
		return likes, words.NamedFirst
	}
	return nil, words.NamedFirst
}

// sure is the certainty in words. It is "" in a list for two people, where because covers both.
func (c *Card) sure() string {
	if c.shared() != nil {
		return ""
	}
	return c.List.sure(&c.S)
}

// lead is the whole reason in one line, for the explanation; "" without likes as reasons.
func (c *Card) lead() vugu.HTML {
	titles, _ := c.reasons(&c.S)
	if len(titles) == 0 || c.shared() != nil {
		return ""
	}
	return vugu.HTML(c.List.W.LovedBoth(titles))
}

// sureNote explains the certainty, or its absence, and says whether a title is new.
func (c *Card) sureNote() string {
	note := c.chanceNote()
	if c.List.Entry(c.S.Item).Count == 0 {
		note = strings.TrimSpace(note + " " + c.List.W.NobodyYet)
	}
	return note
}

func (c *Card) chanceNote() string {
	r := c.List.About.Reliability
	switch {
	case c.S.Certainty != recommend.Unsaid:
		said := c.List.W.ChanceOf(r.Of == recommend.Staying, c.S.Chance)
		if safer, equal, of := c.List.rank(&c.S); equal > 0 && equal < of {
			said += " " + c.List.W.SafetyIs(safer+1, of)
		}
		return said
	case r.People == 0:
		return c.List.W.Uncalibrated
	case len(c.List.Now().Visit.Likes) == 0:
		return c.List.W.UnsureYet
	}
	return "" // not computed yet
}

// led names the reasons with their shares; "" without reasons.
func (c *Card) led() string {
	shares := c.shares()
	if shares == nil {
		return ""
	}
	return c.List.W.LedHere(shares)
}

// shares lists the reasons with their shares, largest first.
func (c *Card) shares() (out []string) {
	w, ahead := c.List.W, 0 // of general popularity
	for _, r := range c.S.Reasons {
		if r.Share >= c.S.General {
			ahead++
		}
		out = append(out, w.ShareOf(c.List.Named(r.Item), r.Share))
	}
	if c.S.General >= 0.005 { // 0% is not worth a line
		out = slices.Insert(out, ahead, w.ShareOf(w.InGeneral, c.S.General))
	}
	return out
}

// filled is the chance as the dash of a circle of length 100, stretched over the range of the list's chances.
func (c *Card) filled() string { return markup.Decimal(100*c.List.stretched(&c.S), 0) + " 100" }

// ends reports whether this is the last title that the guarantee covers.
func (c *Card) ends() bool { return c.S.Item == c.List.LastSure }

// shared returns both people's suggestions for the title, or nil outside of a list for two.
func (c *Card) shared() *recommend.Shared {
	for i := range c.List.Pair {
		if c.List.Pair[i].Item == c.S.Item {
			return &c.List.Pair[i]
		}
	}
	return nil
}

// forBoth returns each person's certainty and reasons, as HTML.
func (c *Card) forBoth(s *recommend.Shared) string {
	var lines []string
	for who := range s.Each {
		one := &s.Each[who]
		titles, general := c.reasons(one)
		lines = append(lines, c.List.W.BothBecause(html.EscapeString(c.List.W.Isolate(c.List.Called(who))), titles,
			general != words.Unnamed, c.List.W.Certainty(one.Certainty)))
	}
	return strings.Join(lines, "<br>")
}
