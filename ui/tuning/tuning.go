package tuning

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/markup"
)

// Tuning are the controls over the list: the mode, the filters, and the sliders for exploration and diversity.
type Tuning struct {
	Tuning *State
}

// others are the modes after the first.
func (c *Tuning) others() []recommend.Mode {
	return []recommend.Mode{recommend.HiddenGems, recommend.OutsideBubble}
}

// behind reports whether a mode is left out of the first row. The row shows the first mode and the current one; while
// the panel is open, which has all modes, just the first.
func (c *Tuning) behind(present bool) bool { return c.Tuning.Open || !present }

// set returns the number of filters and sliders that differ from their default.
func (c *Tuning) set() int {
	n := c.Tuning.Filters()
	for _, v := range []float64{c.Tuning.Settings().Exploration, c.Tuning.Settings().Diversity} {
		if v > 0 {
			n++
		}
	}
	return n
}

// rows links to titles like the visitor's latest likes.
func (c *Tuning) rows() vugu.HTML {
	var links []markup.Link
	if likes := c.Tuning.Now().Visit.Likes; c.Tuning.Open {
		for _, i := range likes[max(len(likes)-mostRows, 0):] {
			t := c.Tuning.Entry(i)
			to := address.View{Kind: address.Similar, Like: t.ID}
			links = append(links, markup.Link{Text: c.Tuning.W.Similar(c.Tuning.Named(i)), Class: "gx",
				To: to.Fragment()})
		}
	}
	return markup.Row(c.Tuning.W.ModesLabel, links)
}

// mostRows is the number of likes that get a link.
const mostRows = 3

func (c *Tuning) modeOn(m recommend.Mode) bool { return c.own() && c.Tuning.Mode() == m }

// own reports whether the list follows these settings.
func (c *Tuning) own() bool { return c.Tuning.View().Kind == address.Own }

func (c *Tuning) together() bool { return c.Tuning.View().Kind == address.Together }

func (c *Tuning) browsing() bool {
	return c.Tuning.View().Browses() || c.Tuning.View().Kind == address.Browse
}

func (c *Tuning) decadeOn(d int) bool { return int(c.Tuning.Settings().Decade) == d }

func (c *Tuning) explore(e vugu.DOMEvent) { c.Tuning.SetExploration(slid(e)) }
func (c *Tuning) vary(e vugu.DOMEvent)    { c.Tuning.SetDiversity(slid(e)) }

// slid returns a slider's value in [0,1].
func slid(e vugu.DOMEvent) float64 {
	v, err := strconv.ParseFloat(e.PropString("target", "value"), 64)
	if err != nil {
		return 0
	}
	return v / 100
}

// place is the inverse of slid.
func place(v float64) string { return strconv.Itoa(int(v*100 + 0.5)) }
