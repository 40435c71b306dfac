package ui

import (
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
)

// HistoryState is what was said when. The store has the latest mark of every title, so each title is one step; what
// was taken back is none.
type HistoryState struct {
	*Session
	marking *Marking

	On        bool      // it is shown
	variances []float64 // recommend.Taste.Variance after the first like, after later ones, after the last
	of        []int     // the likes that the variances are of
}

// step is a title that was marked.
type step struct{ id, title, text, day string }

// manySteps are shown, the latest; drawnLikes are drawn, evenly from the first to the last.
const (
	manySteps  = 60
	drawnLikes = 40
)

// Toggle shows the history or puts it away.
func (h *HistoryState) Toggle() {
	if h.On = !h.On; h.On {
		h.background(h.measure)
	}
}

// steps are the latest, the latest first.
func (h *HistoryState) steps() (out []step) {
	all := h.Log.Entries(h.Log.Who)
	for k := len(all) - 1; k >= 0 && len(out) < manySteps; k-- {
		e := all[k]
		if e.Mark == Unmarked {
			continue
		}
		title := e.Title
		if title == "" {
			title = e.ID
		}
		title = h.W.Isolate(title)
		out = append(out, step{e.ID, title, h.marking.said(e.Mark, title), h.W.Date(keep.Date(e.At))})
	}
	return out
}

// takeBack takes one step back. That can be undone too.
func (h *HistoryState) takeBack(s step) {
	e := h.Log.Mark(keep.Change{ID: s.id})
	h.marking.offerUndo(h.W.Removed(s.title), e)
	h.marking.changed()
}

// measure works out how well the taste was known after each like, where that is shown. It is called without the render
// lock, and works out as many tastes as are drawn.
func (h *HistoryState) measure() {
	h.env.Lock()
	v, known := h.Log.Now().Visit, h.of
	on := h.On && !slices.Equal(v.Likes, known)
	h.env.UnlockOnly()
	if !on {
		return
	}
	var variances []float64
	drawn := min(len(v.Likes), drawnLikes)
	for k := range drawn {
		browser.NextTurn()
		n := 1 + k*(len(v.Likes)-1)/max(drawn-1, 1)
		t := h.Engine.Taste(recommend.Visit{Likes: v.Likes[:n]}, nil)
		variances = append(variances, t.Variance())
	}
	h.locked(func() { h.variances, h.of = variances, v.Likes })
}

// line draws the variances in a box of 100 by 24, from 0 up, as the path of a line; "" for fewer than two.
func (h *HistoryState) line() string {
	if len(h.variances) < 2 || !(h.variances[0] > 0) {
		return ""
	}
	top := slices.Max(h.variances)
	var b strings.Builder
	for k, s := range h.variances {
		b.WriteString([...]string{"M", "L"}[min(k, 1)] + decimal(float64(k)/float64(len(h.variances)-1)*100, 1) + " " +
			decimal(23-22*s/top, 1))
	}
	return b.String()
}
