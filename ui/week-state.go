package ui

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
)

// WeekState is the pick for the week: one title, drawn from what is known of the visitor by the week and their likes,
// so that no network is asked. It is written down and stays all week, whatever they mark meanwhile. Nothing that was
// picked before is picked again.
type WeekState struct {
	*Session
	list    *ListState
	storage *Storage

	now    func() time.Time
	change *recommend.Change // what liking it would change; nil: not known
	of     int               // the title that change is of
	drawn  bool              // since the page was opened
}

// pick is a title with the week it was picked for, counted from that of 1 January 1970; weeks begin on Mondays, in UTC.
type pick struct{ week, item int }

const (
	mostPicks = 52  // are kept
	pickDraw  = 0.5 // recommend.Request.Exploration of the draw
)

// picks are those that the catalogue has, the latest last.
func (s *WeekState) picks() (out []pick) {
	for _, p := range s.Log.Settings.Picks {
		week, id, _ := strings.Cut(p, " ")
		n, err := strconv.Atoi(week)
		if i, known := s.Log.Item(id); known && err == nil {
			out = append(out, pick{n, i})
		}
	}
	return out
}

// Pick is the pick for this week; −1: there is none.
func (s *WeekState) Pick() int {
	all := s.picks()
	if len(all) == 0 || all[len(all)-1].week != s.week() {
		return -1
	}
	return all[len(all)-1].item
}

func (s *WeekState) week() int { return int(s.now().Unix()/86400+3) / 7 }

// First reports whether the pick is shown before the visitor's own list: it was there when the page was opened.
func (s *WeekState) First() bool { return !s.drawn && s.shown() }

// Last reports whether the pick is shown after the list: it was drawn since, and must not move the list under the
// visitor's hand.
func (s *WeekState) Last() bool { return s.drawn && s.shown() }

func (s *WeekState) shown() bool {
	return s.Log.Who == 0 && s.list.HasList() && s.list.View.Kind == OwnView && !s.list.Borrowing() && s.Pick() >= 0
}

// choose picks a title where there is none for this week and the visitor likes a few, and works out what liking it
// would change. It is called without the render lock, when nothing waits for the engine.
func (s *WeekState) choose() {
	s.env.Lock()
	v, taste, turn, item, week := s.Log.Now().Visit, s.list.Taste, s.list.turn.Load(), s.Pick(), s.week()
	if !s.Ready || s.Log.Who != 0 || taste == nil || len(v.Likes) < wanted || item >= 0 && s.Mark(item) != Unmarked {
		s.env.UnlockOnly()
		return
	}
	request := recommend.Request{K: 1, Exploration: pickDraw, Seed: s.seed(week), Later: true}
	shown := s.list.ownRequest()
	open := v
	for _, p := range s.picks() {
		open.Seen = append(slices.Clip(open.Seen), p.item)
	}
	s.env.UnlockOnly()
	browser.NextTurn()
	found := item >= 0
	if !found {
		for _, best := range s.Engine.Recommend(open, taste, request) {
			item = best.Item
		}
	}
	if item < 0 || s.list.overtaken(turn) {
		return
	}
	text := strconv.Itoa(week) + " " + s.Item(item).ID
	if keep.Shorten(text) != text {
		return // nothing could be stored any more beside so long an id
	}
	change := s.Engine.Change(v, taste, shown, item)
	s.env.Lock()
	if s.list.overtaken(turn) {
		s.env.UnlockOnly()
		return
	}
	if !found {
		all := append(slices.Clip(s.Log.Settings.Picks), text)
		s.Log.Settings.Picks = all[max(len(all)-mostPicks, 0):]
		s.drawn = true
		s.storage.save()
	}
	s.change, s.of = &change, item
	s.env.UnlockRender()
}

// seed follows from the week and from what the visitor likes.
func (s *WeekState) seed(week int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strconv.Itoa(week) + " " + strings.Join(s.Log.Now().Likes, " ")))
	return h.Sum64()
}

// oneMore says what liking one more title would change; "" where that is not known.
func (s *Session) oneMore(c *recommend.Change) string {
	if c == nil {
		return ""
	}
	named := func(items []int) (out []string) {
		for _, i := range items {
			out = append(out, s.W.Isolate(s.Item(i).Title))
		}
		return out
	}
	return s.W.OneMore(named(c.In), named(c.Out), c.Variance)
}
