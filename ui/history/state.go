// Package history shows everything that was marked, step by step, and how the taste tightened.
package history

import (
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
)

// State is the history of marks. The store has the latest mark of every title, so each title is one step; marks that
// were taken back are left out.
type State struct {
	*store.Store
	marking *marking.Marking
	offer   *undo.Offer

	On        bool      // it is shown
	variances []float64 // recommend.Taste.Variance after the first like, after later ones, after the last
	of        []int     // the likes that the variances are of
}

// New returns the state of a first visit.
func New(s *store.Store, list *list.State, marking *marking.Marking, offer *undo.Offer) *State {
	h := &State{Store: s, marking: marking, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			h.On = false
		}
	})
	list.WhenIdle(h.measure)
	return h
}

// step is a title that was marked.
type step struct{ id, title, text, day string }

// manySteps are shown, the latest; drawnLikes are drawn, evenly from the first to the last.
const (
	manySteps  = 60
	drawnLikes = 40
)

// Toggle shows the history or puts it away.
func (h *State) Toggle() {
	if h.On = !h.On; h.On {
		h.Tasks.Background(h.measure)
	}
}

// steps are the latest, the latest first.
func (h *State) steps() (out []step) {
	all := h.Entries()
	for k := len(all) - 1; k >= 0 && len(out) < manySteps; k-- {
		e := all[k]
		if e.Mark == keep.Unmarked {
			continue
		}
		title := e.Title
		if title == "" {
			title = e.ID
		}
		title = h.W.Isolate(title)
		out = append(out, step{e.ID, title, h.marking.Said(e.Mark, title), h.W.Date(keep.Date(e.At))})
	}
	return out
}

// takeBack takes one step back. That can be undone too.
func (h *State) takeBack(s step) {
	h.offer.Events(h.W.Removed(s.title), h.Change(keep.Change{ID: s.id}))
}

// measure works out how well the taste was known after each like, where that is shown. It is called without the render
// lock, and works out as many tastes as are drawn.
func (h *State) measure() {
	h.Tasks.Lock()
	v, known := h.Now().Visit, h.of
	on := h.On && !slices.Equal(v.Likes, known)
	h.Tasks.Unlock()
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
	h.Tasks.Locked(func() { h.variances, h.of = variances, v.Likes })
}

// line draws the variances in a box of 100 by 24, from 0 up, as the path of a line; "" for fewer than two.
func (h *State) line() string {
	if len(h.variances) < 2 || !(h.variances[0] > 0) {
		return ""
	}
	top := slices.Max(h.variances)
	var b strings.Builder
	for k, s := range h.variances {
		x, y := float64(k)/float64(len(h.variances)-1)*100, 23-22*s/top
		b.WriteString([...]string{"M", "L"}[min(k, 1)] + markup.Decimal(x, 1) + " " + markup.Decimal(y, 1))
	}
	return b.String()
}
