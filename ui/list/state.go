package list

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
)

// New returns the state of a first visit.
func New(s *store.Store, offer *undo.Offer) *State {
	l := &State{Store: s, offer: offer, Shown: PageSize, Similar: -1, Why: -1, Doing: -1}
	s.Subscribe(l.follow)
	return l
}

// follow takes in a change of the store, and asks anew where the list depends on it.
func (l *State) follow(e store.Event) {
	stale := e.Marks || e.Tuned || e.Person || e.Words || e.View || e.Erased ||
		e.Partner && l.View().Kind == address.Together
	switch {
	case e.Erased:
		l.borrowed, l.Similar, l.Instead, l.Copied = nil, -1, nil, ""
		l.Shown, l.Why = PageSize, -1
	case e.View:
		l.arrive()
	case e.Here && (e.Marks || e.Tuned):
		l.Shown, l.Why = PageSize, -1
		if !e.Marks {
			l.Instead = nil
		}
	}
	if e.Person { // it is the list of somebody else
		l.Instead, l.Taste = nil, nil
		l.Shown, l.Why = PageSize, -1
	}
	if e.Words {
		l.Copied = ""
	}
	if e.View || e.Words {
		l.nameDocument()
	}
	if stale {
		l.refresh(e.Here && (e.Marks || e.Tuned || e.View || e.Partner && !e.Person))
	}
	if e.View && !e.Erased {
		browser.Focus("#next")
	}
	if e.Ready {
		l.Tasks.Afterwards(l.rested)
	}
	if on := l.Settings().Distances; on != l.distances {
		if l.distances = on; on && !stale && l.Taste != nil && l.Radii == nil {
			l.Tasks.Background(func() { l.measure(l.Turn()) })
		}
	}
}

// arrive shows the view that the store names now. What stood there is no answer to it.
func (l *State) arrive() {
	l.Similar = -1
	if v := l.View(); v.Kind == address.Similar {
		l.Similar, _ = l.Find(v.Like)
	}
	l.Shown, l.Why, l.Instead = PageSize, -1, nil
	l.Titles, l.Asked = nil, false
}

// nameDocument has the browser's tab and its history name the view.
func (l *State) nameDocument() {
	heading := ""
	if l.View().Kind != address.Own {
		heading = l.heading()
	}
	browser.SetTitle(heading)
}

// heading names the view.
func (l *State) heading() string {
	switch v := l.View(); v.Kind {
	case address.Browse:
		return l.W.Browse
	case address.Together:
		if l.Other() == "" {
			return l.W.ForTwo
		}
		return l.W.NextForBoth(l.W.Isolate(l.Other()))
	case address.Genre:
		return l.W.GenreName(v.Genre)
	case address.Decade:
		return l.W.Decade(v.Decade)
	case address.Region:
		return l.RegionName(l.Filter(v).Region - 1)
	case address.Similar:
		return l.W.Similar(l.Named(l.Similar))
	}
	if l.Borrowing() {
		return l.W.SharedLeads
	}
	if m := l.Settings().Mode; m > 0 {
		return l.W.Modes[m]
	}
	return l.W.Next
}

// viewNote describes the view.
func (l *State) viewNote() string {
	switch l.View().Kind {
	case address.Browse:
		return l.W.BrowseNote
	case address.Together:
		if !l.Together() {
			return l.W.ForTwoNote
		}
		return l.W.ForBothNote
	case address.Similar:
		return l.W.SimilarNote
	case address.Genre, address.Decade, address.Region:
		v := l.View()
		all := l.Count(address.View{Kind: v.Kind, Genre: v.Genre, Decade: v.Decade, Region: v.Region})
		if l.Left == 0 {
			return l.W.BrowseCount(all, all, 0, 0)
		}
		from := min(v.Page*browsePage, l.Left)
		return l.W.BrowseCount(all, all-l.Left, from+1, from+len(l.Titles))
	}
	return l.W.ModeNotes[l.Settings().Mode]
}

// orders returns the orders that there are: without likes there is no best first.
func (l *State) orders() []recommend.Order {
	all := []recommend.Order{recommend.BestFirst, recommend.BestKnown, recommend.Newest, recommend.ByTitle}
	if len(l.Now().Visit.Likes) == 0 {
		return all[1:]
	}
	return all
}

// order is the order that the view asks for, if there is such a one.
func (l *State) order() recommend.Order {
	if l.View().Order == recommend.BestFirst && len(l.Now().Visit.Likes) == 0 {
		return recommend.BestKnown
	}
	return l.View().Order
}

// Borrowing reports whether the list is ranked for a received taste.
func (l *State) Borrowing() bool { return l.borrowed != nil && l.View().Kind == address.Own }

// Borrow has the list go by a taste that was received, nil: again the visitor's own recommendations.
func (l *State) Borrow(taste *recommend.Visit) {
	l.borrowed = taste
	l.Why, l.Shown, l.Instead = -1, PageSize, nil
	if l.View().Kind == address.Own {
		l.refresh(true)
	} else {
		l.Go(address.View{})
	}
}

// Return has the list go by the visitor's own taste again, where it did not; with announce, that is announced.
func (l *State) Return(announce bool) {
	looked := l.Borrowing()
	if l.borrowed = nil; looked {
		l.refresh(announce)
	}
}

// Borrowed reports whether a received taste takes the place of the visitor's in their own list.
func (l *State) Borrowed() bool { return l.borrowed != nil }

// borrowedVisit is the borrowed taste; the visitor's own marks count as seen.
func (l *State) borrowedVisit() recommend.Visit {
	own := &l.Now().Visit
	return recommend.Visit{
		Likes: l.borrowed.Likes, Dislikes: l.borrowed.Dislikes, Seen: slices.Concat(own.Likes, own.Dislikes, own.Seen),
	}
}

// NeedsOnboarding reports whether this visitor still has to pick their first titles. Where there is a list for two
// already, that comes first.
func (l *State) NeedsOnboarding() bool {
	return l.Ready && len(l.Now().Visit.Likes) < store.Wanted && !l.Borrowing() &&
		(l.View().Kind == address.Own || l.View().Kind == address.Together && l.Other() != "" && !l.Together())
}

// HasList reports whether there is a list to show.
func (l *State) HasList() bool {
	return l.Ready && (len(l.Now().Visit.Likes) > 0 || l.View().Kind != address.Own || l.Borrowing())
}

// Ordered reports whether the list is in the order of Engine.Radii, nearest first.
func (l *State) Ordered() bool {
	s := l.Settings()
	return l.View().Kind == address.Own && !l.Borrowing() && len(l.Instead) == 0 &&
		recommend.Mode(s.Mode) != recommend.OutsideBubble && s.Exploration == 0 && s.Diversity == 0
}

// Shuffle draws again.
func (l *State) Shuffle() { l.Tune(func(s *keep.Settings) { s.Seed++ }) }

// Relax takes filters away.
func (l *State) Relax(without Loosening) {
	l.Tune(func(s *keep.Settings) {
		if without.Genres {
			s.Genres = nil
		}
		if without.Decade {
			s.Decade = 0
		}
	})
}

// More shows ten more.
func (l *State) More() {
	l.Shown = min(l.Shown+PageSize, maxShown)
	l.refresh(true)
}

// CanMore reports whether there may be more to show.
func (l *State) CanMore() bool { return len(l.Titles) == l.Shown && l.Shown < maxShown }

// ShowSimilar shows titles like item i in the list's place; −1 goes back.
func (l *State) ShowSimilar(i int) {
	if i < 0 {
		l.Go(address.View{})
		return
	}
	l.Go(address.View{Kind: address.Similar, Like: l.Entry(i).ID})
}

// ToggleWhy opens or closes the explanation of item i's card, and finds out, in the background, the effect of
// liking it.
func (l *State) ToggleWhy(i int) {
	if l.Why == i {
		i = -1
	}
	l.Why, l.Change = i, nil
	if i < 0 || l.Taste == nil || l.Borrowing() || l.Mark(i) != keep.Unmarked {
		return
	}
	turn, visit, taste, request := l.Turn(), l.Now().Visit, l.Taste, l.OwnRequest()
	l.Tasks.Background(func() {
		browser.NextTurn()
		c := l.Engine.Change(visit, taste, request, i)
		l.Tasks.Lock()
		if l.Overtaken(turn) || l.Why != i {
			l.Tasks.Unlock()
			return
		}
		l.Change = &c
		l.Tasks.UnlockRender()
	})
}

// ToggleTrust opens or closes the answer to "How do we know?", in every card alike.
func (l *State) ToggleTrust() { l.TrustOn = !l.TrustOn }

// CopyList copies the first ten of the list as text, or saves them as a file where the page may not copy.
func (l *State) CopyList() {
	because := l.W.ListBecause
	if l.Borrowing() {
		because = l.W.BecauseTheyLike
	}
	browser.ShareList(l.Name, l.listTitle(), because, l.W.ListCopied)
}

// Handed shows the outcome of copying the list.
func (l *State) Handed(text string) {
	l.Copied = text
	l.Announce(text)
}

// ForgetCopied shows no outcome of copying the list any more.
func (l *State) ForgetCopied() { l.Copied = "" }

// listTitle is the heading of the list as text.
func (l *State) listTitle() string {
	if l.View().Kind == address.Own && !l.Borrowing() && len(l.Titles) >= PageSize {
		return l.W.ListTitle
	}
	return l.heading()
}

// nextOnMap is how many of the list's titles are named on the map.
const nextOnMap = 10

// OnMap returns the titles that the map names: the first of the list.
func (l *State) OnMap() []recommend.Suggestion { return l.Titles[:min(len(l.Titles), nextOnMap)] }

// mostInstead is how many of the titles that were shown make way at most; after that the earliest may come again.
const mostInstead = 60

// Different shows something different: the titles that are shown make way, and the next ones lie as far from them as
// titles near the visitor can. It is for visitors with further tastes than those that they have marked. It is not a
// better guess: on MovieLens small a visitor's own list has more titles that they like (core/lab/docs/uncertainty.md).
// It can be undone.
func (l *State) Different() {
	gone := make([]int, len(l.Titles))
	for k, s := range l.Titles {
		gone[k] = s.Item
	}
	all := slices.Concat(l.Instead, gone)
	l.Instead = all[max(len(all)-mostInstead, 0):]
	l.Shown, l.Why = PageSize, -1
	l.ask(question{gone: gone})
}

// Usual shows the list as it comes.
func (l *State) Usual() {
	l.Instead, l.Shown, l.Why = nil, PageSize, -1
	l.refresh(true)
}

// dealt announces the titles that went and came, and offers to take that back.
func (l *State) dealt(gone []int) {
	var went, came []string
	for _, i := range gone {
		went = append(went, l.Named(i))
	}
	for _, s := range l.Titles {
		came = append(came, l.Named(s.Item))
	}
	before := l.Instead[:max(len(l.Instead)-len(gone), 0)]
	l.offer.Show(l.W.Dealt(went, came), func() {
		l.Instead, l.Shown, l.Why = before, PageSize, -1
		l.refresh(false)
	})
}

// OneMore says the effect of liking one more title; "" where that is not known.
func (l *State) OneMore(c *recommend.Change) string {
	if c == nil {
		return ""
	}
	named := func(items []int) (out []string) {
		for _, i := range items {
			out = append(out, l.Named(i))
		}
		return out
	}
	return l.W.OneMore(named(c.In), named(c.Out), c.Variance)
}
