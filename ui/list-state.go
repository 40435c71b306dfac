package ui

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
)

// Go shows a view in the list's place, and puts it into the page's address.
func (l *ListState) Go(v View) {
	l.arrive(v)
	browser.SetAddress(v.Fragment())
}

// arrive shows the view that the address names. Titles and genres that this catalogue does not have lead to the list.
func (l *ListState) arrive(v View) {
	similar := -1
	switch v.Kind {
	case SimilarView:
		i, ok := l.Log.Item(v.Like)
		if similar = i; !ok {
			v, similar = View{}, -1
		}
	case GenreView:
		if l.Engine.Count(recommend.Visit{}, recommend.Filter{Genres: []string{v.Genre}}) == 0 {
			v = View{}
		}
	case RegionView:
		if !slices.Contains(l.regions, v.Region) {
			v = View{}
		}
	}
	if v == l.View {
		return
	}
	l.View, l.Similar = v, similar
	l.Shown, l.Why, l.tabs.Tab, l.Instead = pageSize, -1, TabNext, nil
	l.feed.dirty |= feedDim | feedDistances
	l.Titles, l.Asked = nil, false // what stood there is no answer to this
	l.nameDocument()
	l.refresh(true)
	browser.Focus("#next")
}

// nameDocument has the browser's tab and its history name the view.
func (l *ListState) nameDocument() {
	heading := ""
	if l.View.Kind != OwnView {
		heading = l.heading()
	}
	browser.SetTitle(heading)
}

// follow is called with the address's fragment: at the start, and on every back, forward, link and typed fragment.
func (l *ListState) follow(fragment string) {
	if v, ok := ParseView(fragment); ok {
		l.arrive(v)
	}
}

// heading names the view.
func (l *ListState) heading() string {
	switch v := l.View; v.Kind {
	case BrowseView:
		return l.W.Browse
	case TogetherView:
		if l.Log.Other == "" {
			return l.W.ForTwo
		}
		return l.W.NextForBoth(l.W.Isolate(l.Log.Other))
	case GenreView:
		return l.W.GenreName(v.Genre)
	case DecadeView:
		return l.W.Decade(v.Decade)
	case RegionView:
		return l.regionName(l.filter(v).Region - 1)
	case SimilarView:
		return l.W.Similar(l.W.Isolate(l.Item(l.Similar).Title))
	}
	if l.Borrowing() {
		return l.W.SharedLeads
	}
	if m := l.Log.Settings.Mode; m > 0 {
		return l.W.Modes[m]
	}
	return l.W.Next
}

// viewNote describes what the view shows.
func (l *ListState) viewNote() string {
	switch l.View.Kind {
	case BrowseView:
		return l.W.BrowseNote
	case TogetherView:
		if !l.Log.Together() {
			return l.W.ForTwoNote
		}
		return l.W.ForBothNote
	case SimilarView:
		return l.W.SimilarNote
	case GenreView, DecadeView, RegionView:
		all := l.count(View{Kind: l.View.Kind, Genre: l.View.Genre, Decade: l.View.Decade, Region: l.View.Region})
		if l.Left == 0 {
			return l.W.BrowseCount(all, all, 0, 0)
		}
		from := min(l.View.Page*browsePage, l.Left)
		return l.W.BrowseCount(all, all-l.Left, from+1, from+len(l.Titles))
	}
	return l.W.ModeNotes[l.Log.Settings.Mode]
}

// orders returns the orders that there are: without likes there is no best first.
func (l *ListState) orders() []recommend.Order {
	all := []recommend.Order{recommend.BestFirst, recommend.BestKnown, recommend.Newest, recommend.ByTitle}
	if len(l.Log.Now().Visit.Likes) == 0 {
		return all[1:]
	}
	return all
}

// order is the order that the view asks for, if there is such a one.
func (l *ListState) order() recommend.Order {
	if l.View.Order == recommend.BestFirst && len(l.Log.Now().Visit.Likes) == 0 {
		return recommend.BestKnown
	}
	return l.View.Order
}

// Borrowing reports whether the list goes by a taste that was received.
func (l *ListState) Borrowing() bool { return l.borrowed != nil && l.View.Kind == OwnView }

// borrow has the list go by a taste that was received, nil: again the visitor's own recommendations.
func (l *ListState) borrow(taste *recommend.Visit) {
	l.borrowed = taste
	l.Why, l.Shown, l.Instead = -1, pageSize, nil
	if l.View.Kind == OwnView {
		l.refresh(true)
	} else {
		l.Go(View{})
	}
}

// borrowedVisit is the borrowed taste; all that the visitor has marked themselves counts as seen.
func (l *ListState) borrowedVisit() recommend.Visit {
	own := &l.Log.Now().Visit
	return recommend.Visit{
		Likes: l.borrowed.Likes, Dislikes: l.borrowed.Dislikes, Seen: slices.Concat(own.Likes, own.Dislikes, own.Seen),
	}
}

// wanted is how many likes it takes until the invitation goes.
const wanted = 3

// First reports whether this visitor still has to pick their first titles. Where there is a list for two already, that
// comes first.
func (l *ListState) First() bool {
	return l.Ready && len(l.Log.Now().Visit.Likes) < wanted && !l.Borrowing() &&
		(l.View.Kind == OwnView || l.View.Kind == TogetherView && l.Log.Other != "" && !l.Log.Together())
}

// HasList reports whether there is a list to show.
func (l *ListState) HasList() bool {
	return l.Ready && (len(l.Log.Now().Visit.Likes) > 0 || l.View.Kind != OwnView || l.Borrowing())
}

// Ordered reports whether the list goes by Engine.Radii: whether nearest is first.
func (l *ListState) Ordered() bool {
	s := &l.Log.Settings
	return l.View.Kind == OwnView && !l.Borrowing() && len(l.Instead) == 0 &&
		recommend.Mode(s.Mode) != recommend.OutsideBubble && s.Exploration == 0 && s.Diversity == 0
}

// startAnew shows the list of whoever the page is shown for now.
func (l *ListState) startAnew() {
	l.Instead, l.Taste = nil, nil
	l.Shown, l.Why = pageSize, -1
	l.feed.dirty |= feedMarks
	l.refresh(false)
}

// forget shows the visitor's own list, as at first.
func (l *ListState) forget() {
	if l.View.Kind != OwnView {
		browser.SetAddress("")
		browser.SetTitle("")
	}
	l.View, l.Similar, l.Instead = View{}, -1, nil
	l.Why, l.Shown = -1, pageSize
}

// More shows ten more.
func (l *ListState) More() {
	l.Shown = min(l.Shown+pageSize, maxShown)
	l.refresh(true)
}

// CanMore reports whether there may be more to show.
func (l *ListState) CanMore() bool { return len(l.Titles) == l.Shown && l.Shown < maxShown }

// ShowSimilar shows titles like item i in the list's place; −1 goes back.
func (l *ListState) ShowSimilar(i int) {
	if i < 0 {
		l.Go(View{})
		return
	}
	l.Go(View{Kind: SimilarView, Like: l.Item(i).ID})
}

// ToggleWhy opens or closes the explanation of item i's card, and finds out, in the background, what liking it would
// change.
func (l *ListState) ToggleWhy(i int) {
	if l.Why == i {
		i = -1
	}
	l.Why, l.Change = i, nil
	if i < 0 || l.Taste == nil || l.Borrowing() || l.Mark(i) != Unmarked {
		return
	}
	turn, visit, taste, request := l.turn.Load(), l.Log.Now().Visit, l.Taste, l.ownRequest()
	l.background(func() {
		browser.NextTurn()
		c := l.Engine.Change(visit, taste, request, i)
		l.env.Lock()
		if l.overtaken(turn) || l.Why != i {
			l.env.UnlockOnly()
			return
		}
		l.Change = &c
		l.env.UnlockRender()
	})
}

// ToggleTrust opens or closes the answer to "How do we know?", in every card alike.
func (l *ListState) ToggleTrust() { l.TrustOn = !l.TrustOn }

// CopyList copies the first ten of the list as text, or saves them as a file where the page may not copy.
func (l *ListState) CopyList() {
	because := l.W.ListBecause
	if l.Borrowing() {
		because = l.W.BecauseTheyLike
	}
	browser.ShareList(l.Name, l.listTitle(), because, l.W.ListCopied)
}

// listTitle is what the list is called as text.
func (l *ListState) listTitle() string {
	if l.View.Kind == OwnView && !l.Borrowing() && len(l.Titles) >= pageSize {
		return l.W.ListTitle
	}
	return l.heading()
}

// nextOnMap is how many of the list's titles are named on the map.
const nextOnMap = 10

// OnMap returns the titles that the map names: the first of the list.
func (l *ListState) OnMap() []recommend.Suggestion { return l.Titles[:min(len(l.Titles), nextOnMap)] }

// mostInstead is how many of the titles that were shown make way at most; after that the earliest may come again.
const mostInstead = 60

// Different shows something different: what is shown makes way, and what comes lies as far from it as what is near the
// visitor can. It is for visitors with tastes beside those that they have marked. It is no better guess: on MovieLens
// small a visitor's own list has more of what they like (core/lab/docs/uncertainty.md). It can be undone.
func (l *ListState) Different() {
	gone := make([]int, len(l.Titles))
	for k, s := range l.Titles {
		gone[k] = s.Item
	}
	all := slices.Concat(l.Instead, gone)
	l.Instead = all[max(len(all)-mostInstead, 0):]
	l.Shown, l.Why = pageSize, -1
	l.ask(question{gone: gone})
}

// Usual shows the list as it comes.
func (l *ListState) Usual() {
	l.Instead, l.Shown, l.Why = nil, pageSize, -1
	l.refresh(true)
}

// dealt announces what has gone and what has come, and offers to take it back.
func (l *ListState) dealt(gone []int) {
	var went, came []string
	for _, i := range gone {
		went = append(went, l.W.Isolate(l.Item(i).Title))
	}
	for _, s := range l.Titles {
		came = append(came, l.W.Isolate(l.Item(s.Item).Title))
	}
	before := l.Instead[:max(len(l.Instead)-len(gone), 0)]
	l.offer.offer(l.W.Dealt(went, came), func() {
		l.Instead, l.Shown, l.Why = before, pageSize, -1
		l.refresh(false)
	})
}
