package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommend"
)

// Tuning are the controls over the list: the way of looking, the filters, and how safe and how varied.
type Tuning struct {
	Tuning *TuningState
	List   *ListState
}

func (c *Tuning) modes() []recommend.Mode {
	return []recommend.Mode{recommend.ForYou, recommend.HiddenGems, recommend.OutsideBubble}
}

func (c *Tuning) modeOn(m recommend.Mode) bool { return c.own() && c.Tuning.Mode() == m }

// own reports whether the list goes by what is set here.
func (c *Tuning) own() bool { return c.List.View.Kind == OwnView }

func (c *Tuning) together() bool { return c.List.View.Kind == TogetherView }

func (c *Tuning) browsing() bool { return c.List.View.browses() || c.List.View.Kind == BrowseView }

func (c *Tuning) decadeOn(d int) bool { return int(c.Tuning.Log.Settings.Decade) == d }

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
