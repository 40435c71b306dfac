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
	l := &State{Store: s, offer: offer, Shown: PageSize, Similar: -1, Why: -1, Doing: -1,
		lengths: map[address.View]int{}}
	s.Subscribe(l.follow)
	return l
}

// follow handles a change of the store, and asks again if the list depends on it.
func (l *State) follow(e store.Event) {
	stale := e.Marks || e.Tuned || e.Person || e.Words || e.View || e.Erased ||
		e.Partner && l.View().Kind == address.Together
	switch {
	case e.Erased:
		l.borrowed, l.Similar, l.Instead, l.Copied = nil, -1, nil, ""
		l.Shown, l.Why = PageSize, -1
		clear(l.lengths)
	case e.View:
		l.arrive()
	case e.Here && e.Tuned: // another list; marks keep the length
		l.Shown, l.Why = PageSize, -1
		if !e.Marks {
			l.Instead = nil
		}
	}
	if e.Person { // the list is another person's
		l.Instead, l.Taste = nil, nil
		l.Shown, l.Why = PageSize, -1
		clear(l.lengths)
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

// arrive shows the store's new view, as long as it was when the visitor left it. The old titles are not an answer to
// it.
func (l *State) arrive() {
	l.lengths[l.at] = l.Shown
	l.at, l.Similar = l.View(), -1
	if v := l.View(); v.Kind == address.Similar {
		l.Similar, _ = l.Find(v.Like)
	}
	l.Shown, l.Why, l.Instead = max(l.lengths[l.at], PageSize), -1, nil
	l.Titles, l.Asked = nil, false
}

// nameDocument gives the view's name to the browser's tab and history.
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
	if l.Settings().Exploration > 0 {
		return l.W.SurpriseNote
	}
	return l.W.ModeNotes[l.Settings().Mode]
}

// orders returns the available orders: without likes, "for you" is missing.
func (l *State) orders() []recommend.Order {
	all := []recommend.Order{recommend.BestFirst, recommend.BestKnown, recommend.Newest, recommend.ByTitle}
	if len(l.Now().Visit.Likes) == 0 {
		return all[1:]
	}
	return all
}

// order returns the view's order, or the first available one.
func (l *State) order() recommend.Order {
	if l.View().Order == recommend.BestFirst && len(l.Now().Visit.Likes) == 0 {
		return recommend.BestKnown
	}
	return l.View().Order
}

// Borrowing reports whether the list is ranked for a received taste.
func (l *State) Borrowing() bool { return l.borrowed != nil && l.View().Kind == address.Own }

// Borrow ranks the list for a received taste, or with nil for the visitor's own again.
func (l *State) Borrow(taste *recommend.Visit) {
	l.borrowed = taste
	l.Why, l.Shown, l.Instead = -1, PageSize, nil
	if l.View().Kind == address.Own {
		l.refresh(true)
	} else {
		l.Go(address.View{})
	}
}

// Return goes back to the visitor's own taste. With announce, that is announced.
func (l *State) Return(announce bool) {
	looked := l.Borrowing()
	if l.borrowed = nil; looked {
		l.refresh(announce)
	}
}

// Borrowed reports whether a received taste replaces the visitor's in their own list.
func (l *State) Borrowed() bool { return l.borrowed != nil }

// borrowedVisit returns the borrowed taste, with the visitor's own marks as seen.
func (l *State) borrowedVisit() recommend.Visit {
	own := &l.Now().Visit
	return recommend.Visit{
		Likes: l.borrowed.Likes, Dislikes: l.borrowed.Dislikes, Seen: slices.Concat(own.Likes, own.Dislikes, own.Seen),
	}
}

// NeedsOnboarding reports whether this visitor still has to pick their first titles. A list for two comes before that.
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

// Shuffle makes new random draws.
func (l *State) Shuffle() { l.Tune(func(s *keep.Settings) { s.Seed++ }) }

// Relax removes filters.
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

// More shows ten more titles.
func (l *State) More() {
	l.Shown = min(l.Shown+PageSize, maxShown)
	l.refresh(true)
}

// CanMore reports whether there may be more titles to show.
func (l *State) CanMore() bool { return len(l.Titles) == l.Shown && l.Shown < maxShown }

// ShowSimilar shows titles like item i instead of the list; −1 goes back.
func (l *State) ShowSimilar(i int) {
	if i < 0 {
		l.Go(address.View{})
		return
	}
	l.Go(address.View{Kind: address.Similar, Like: l.Entry(i).ID})
}

// ToggleWhy opens or closes the explanation on item i's card.
func (l *State) ToggleWhy(i int) {
	if l.Why == i {
		i = -1
	}
	l.Why, l.Change = i, nil
	l.explain()
}

// explain computes the effect of liking the title with the open explanation, in the background.
func (l *State) explain() {
	i := l.Why
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

// ToggleTrust opens or closes the answer to "How do we know?" on all cards.
func (l *State) ToggleTrust() { l.TrustOn = !l.TrustOn }

// CopyList copies the first ten titles as text, or saves them as a file if the page may not copy.
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

// ForgetCopied clears the outcome of copying the list.
func (l *State) ForgetCopied() { l.Copied = "" }

// listTitle is the heading of the list as text.
func (l *State) listTitle() string {
	if l.View().Kind == address.Own && !l.Borrowing() && len(l.Titles) >= PageSize {
		return l.W.ListTitle
	}
	return l.heading()
}

// nextOnMap is the number of the list's titles that the map names.
const nextOnMap = 10

// OnMap returns the first titles of the list, which the map names.
func (l *State) OnMap() []recommend.Suggestion { return l.Titles[:min(len(l.Titles), nextOnMap)] }

// mostInstead is the most shown titles that make way. Earlier ones may come again.
const mostInstead = 60

// Different replaces the shown titles by the next ones that lie as far from them as titles near the visitor can. It is
// for visitors with tastes beyond their marks, and is not a better guess: on MovieLens small, a visitor's own list has
// more titles that they like (core/lab/docs/uncertainty.md). It can be undone.
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

// Usual goes back to the list without replacements.
func (l *State) Usual() {
	l.Instead, l.Shown, l.Why = nil, PageSize, -1
	l.refresh(true)
}

// dealt announces the titles that went and came, and offers undo.
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
		l.Instead, l.Shown, l.Why = before, len(gone), -1
		l.refresh(false)
	})
}

// OneMore describes the effect of liking one more title, or returns "" if unknown.
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
