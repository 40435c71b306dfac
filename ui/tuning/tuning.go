package tuning

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/markup"
)

// Tuning are the controls over the list: the way of looking, the filters, and how safe and how varied.
type Tuning struct {
	Tuning *State
}

// others are the ways of looking after the first.
func (c *Tuning) others() []recommend.Mode {
	return []recommend.Mode{recommend.HiddenGems, recommend.OutsideBubble}
}

// behind reports whether a way of looking is not in the first row: only the present one is, after the first, and none
// while all of them are shown below.
func (c *Tuning) behind(present bool) bool { return c.Tuning.Open || !present }

// set is how many of the filters and sliders are not as at first.
func (c *Tuning) set() int {
	n := c.Tuning.Filters()
	for _, v := range []float64{c.Tuning.Settings().Exploration, c.Tuning.Settings().Diversity} {
		if v > 0 {
			n++
		}
	}
	return n
}

// rows lead to titles like those that the visitor liked last.
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

// mostRows is how many likes have a row of their own.
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

// slid returns a slider's place in [0,1].
func slid(e vugu.DOMEvent) float64 {
	v, err := strconv.ParseFloat(e.PropString("target", "value"), 64)
	if err != nil {
		return 0
	}
	return v / 100
}

// place is the opposite of slid.
func place(v float64) string { return strconv.Itoa(int(v*100 + 0.5)) }
