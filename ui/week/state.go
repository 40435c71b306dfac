// Package week shows a pick for the week.
package week

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/store"
)

// State is the pick for the week: one title, drawn for the visitor's taste and seeded by the week and their likes, so
// no server is needed. It is stored and stays all week, whatever the visitor marks meanwhile. No title is picked twice.
type State struct {
	*store.Store
	list *list.State

	Clock  func() time.Time
	change *recommend.Change    // the effect of liking the pick; nil: unknown
	reason recommend.Suggestion // the pick with its reasons
	of     int                  // the title of change and reason
	drawn  bool                 // since the page was opened
	fresh  bool                 // the page was opened in a new week: the pick has its place above the list
}

// New returns the state of a first visit.
func New(s *store.Store, list *list.State) *State {
	w := &State{Store: s, list: list, Clock: time.Now, of: -1}
	list.WhenIdle(w.choose)
	list.Aside = w.aside
	s.Subscribe(func(e store.Event) {
		if e.Ready {
			w.fresh = len(s.Now().Likes) >= store.Wanted && w.Pick() < 0
		}
	})
	return w
}

// pick is a title and its week, counted from the week of 1 January 1970. Weeks begin on Mondays, in UTC.
type pick struct{ week, item int }

const (
	mostPicks = 52  // that are kept
	pickDraw  = 0.5 // recommend.Request.Exploration of the draw
)

// picks returns the picks that are in the catalogue, the latest last.
func (s *State) picks() (out []pick) {
	for _, p := range s.Settings().Picks {
		week, id, _ := strings.Cut(p, " ")
		n, err := strconv.Atoi(week)
		if i, known := s.Find(id); known && err == nil {
			out = append(out, pick{n, i})
		}
	}
	return out
}

// Pick returns this week's pick, or −1.
func (s *State) Pick() int {
	all := s.picks()
	if len(all) == 0 || all[len(all)-1].week != s.week() {
		return -1
	}
	return all[len(all)-1].item
}

func (s *State) week() int { return int(s.Clock().Unix()/86400+3) / 7 }

// First reports whether the pick is above the list: it was there when the page was opened, or a new week had begun, so
// that its place was kept free.
func (s *State) First() bool { return (!s.drawn || s.fresh) && s.shown() && (s.fresh || s.Pick() >= 0) }

// Last reports whether the pick is below the list: it is newer than the page, and must not move the list under the
// visitor's hand. It is hidden while the list has it too.
func (s *State) Last() bool {
	pick := s.Pick()
	return s.drawn && !s.fresh && s.shown() && pick >= 0 &&
		!slices.ContainsFunc(s.list.Titles, func(o recommend.Suggestion) bool { return o.Item == pick })
}

func (s *State) shown() bool {
	return s.Who() == 0 && s.list.HasList() && s.View().Kind == address.Own && !s.list.Borrowing()
}

// aside returns the pick above the visitor's own list, which leaves it out, or −1.
func (s *State) aside() int {
	if !s.First() {
		return -1
	}
	return s.Pick()
}

// choose picks a title if this week has none and the visitor likes a few titles, and computes the effect of liking it.
// It is called without the render lock, while the engine is idle.
func (s *State) choose() {
	s.Tasks.Lock()
	v, taste, turn, item, week := s.Now().Visit, s.list.Taste, s.list.Turn(), s.Pick(), s.week()
	if !s.Ready || s.Who() != 0 || taste == nil || len(v.Likes) < store.Wanted ||
		item >= 0 && s.Mark(item) != keep.Unmarked {
		s.Tasks.Unlock()
		return
	}
	request := recommend.Request{K: 1, Exploration: pickDraw, Seed: s.seed(week), Later: true}
	shown := s.list.OwnRequest()
	open := v
	for _, p := range s.picks() {
		open.Seen = append(slices.Clip(open.Seen), p.item)
	}
	s.Tasks.Unlock()
	browser.NextTurn()
	found := item >= 0
	if !found {
		ten := shown
		ten.K, ten.Bare, ten.Later = max(ten.K, recommend.Top), true, true
		for _, s := range s.Engine.Recommend(v, taste, ten) {
			open.Seen = append(slices.Clip(open.Seen), s.Item)
		}
		for _, best := range s.Engine.Recommend(open, taste, request) {
			item = best.Item
		}
	}
	if item < 0 {
		s.Tasks.Locked(func() { s.fresh = false })
	}
	if item < 0 || s.list.Overtaken(turn) {
		return
	}
	text := strconv.Itoa(week) + " " + s.Entry(item).ID
	if keep.Shorten(text) != text {
		return // the id is too long to be stored with its week
	}
	change, reason := s.Engine.Change(v, taste, shown, item), s.reasons(v, taste, item)
	s.Tasks.Lock()
	if s.list.Overtaken(turn) {
		s.Tasks.Unlock()
		return
	}
	if !found {
		all := append(slices.Clip(s.Settings().Picks), text)
		s.drawn = true
		s.Set(func(now *keep.Settings) { now.Picks = all[max(len(all)-mostPicks, 0):] })
	}
	s.change, s.reason, s.of = &change, reason, item
	s.Tasks.UnlockRender()
}

// reasons returns an item with its reasons: the list for a visitor who has seen all others. O(I).
func (s *State) reasons(v recommend.Visit, t *recommend.Taste, item int) recommend.Suggestion {
	only := recommend.Visit{Likes: v.Likes, Dislikes: v.Dislikes}
	for i := range s.Engine.Len() {
		if i != item && !slices.Contains(v.Likes, i) && !slices.Contains(v.Dislikes, i) {
			only.Seen = append(only.Seen, i)
		}
	}
	for _, s := range s.Engine.Recommend(only, t, recommend.Request{K: 1, Later: true}) {
		return s
	}
	return recommend.Suggestion{Item: item, Certainty: recommend.Unsaid}
}

// seed derives a seed from the week and the visitor's likes.
func (s *State) seed(week int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strconv.Itoa(week) + " " + strings.Join(s.Now().Likes, " ")))
	return h.Sum64()
}
