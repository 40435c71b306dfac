// Package history lists all marks step by step, and shows how the taste got more certain.
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

// State is the history of marks. The store has the latest mark of every title, so each title is one step; removed marks
// are left out.
type State struct {
	*store.Store
	marking *marking.Marking
	offer   *undo.Offer

	On        bool      // the history is open
	variances []float64 // recommend.Taste.Variance after the first like, after later ones, after the last
	of        []int     // the likes that variances belongs to
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

// step is one marked title.
type step struct{ id, title, text, day, month string }

// month is a page of the diary: its name ("" for marks without a date), the numbers of its marks, and its listed steps.
type month struct {
	name, marks string
	steps       []step
}

// months groups the latest steps, latest first. The numbers count all marks of a month, and later months are listed
// without steps.
func (h *State) months() (out []month) {
	counts := map[string]*[len(keep.Marks)]int{}
	var names []string
	all := h.Diary()
	for k := len(all) - 1; k >= 0; k-- {
		e := &all[k]
		name := h.W.Month(keep.Date(e.Time()))
		if counts[name] == nil {
			counts[name] = new([len(keep.Marks)]int)
			names = append(names, name)
		}
		counts[name][e.Mark-keep.Liked]++
	}
	steps := h.steps(all)
	for _, name := range names {
		n := 0
		for n < len(steps) && steps[n].month == name {
			n++
		}
		c := counts[name]
		out = append(out, month{name, h.W.Counted(c[0], c[1], c[2], c[3]), steps[:n]})
		steps = steps[n:]
	}
	return out
}

// manySteps is the number of steps listed, the latest; drawnLikes the number drawn, evenly spaced from the first to the
// last.
const (
	manySteps  = 60
	drawnLikes = 40
)

// Toggle opens or closes the history.
func (h *State) Toggle() {
	if h.On = !h.On; h.On {
		h.Tasks.Background(h.measure)
	}
}

// steps returns the latest steps of a diary, latest first.
func (h *State) steps(all []keep.Entry) (out []step) {
	for k := len(all) - 1; k >= 0 && len(out) < manySteps; k-- {
		e := all[k]
		title := e.Title
		if title == "" {
			title = e.ID
		}
		title = h.W.Isolate(title)
		date := keep.Date(e.Time())
		day := h.W.Date(date)
		if e.Stars > 0 {
			day = strings.TrimPrefix(day+" · "+h.W.Starred(e.Stars), " · ")
		}
		out = append(out, step{e.ID, title, h.marking.Said(e.Mark, title), day, h.W.Month(date)})
	}
	return out
}

// takeBack undoes one step, which can be undone too.
func (h *State) takeBack(s step) {
	h.offer.Events(h.W.Removed(s.title), h.Change(keep.Change{ID: s.id}))
}

// measure computes the variance after each like that is drawn, while the history is open. It is called without the
// render lock, and computes a taste for each point.
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

// line returns the path of the variances in a box of 100 by 24, starting from 0, or "" for fewer than two.
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
