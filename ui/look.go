package ui

import "strings"

// Search looks titles up as they are typed, in the background: what was found for an earlier query stands until then, which
// in all but very large catalogues is the same turn.
func (p *Page) Search(query string) {
	p.Query = query
	if p.query() == "" {
		p.Found, p.searched = nil, ""
		return
	}
	if !p.searching {
		p.searching = true
		awake()
		p.background(p.search)
	}
}

// query is what is looked for.
func (p *Page) query() string { return strings.TrimSpace(p.Query) }

// search looks for what is typed until it has found that.
func (p *Page) search() {
	p.env.Lock()
	for q := p.query(); q != "" && q != p.searched; q = p.query() {
		p.env.UnlockOnly()
		found := p.Engine.Search(q, searchShows)
		p.env.Lock()
		if q != p.query() {
			continue
		}
		p.Found, p.searched = found, q
		if len(found) == 0 {
			p.announce(p.W.NoMatch(p.W.isolate(q), p.Engine.Len()))
		}
	}
	p.searching = false
	p.env.UnlockRender()
}

// ClearSearch puts the search away.
func (p *Page) ClearSearch() { p.Query, p.Found, p.searched = "", nil, "" }

// NoMatch tells whether the search found nothing.
func (p *Page) NoMatch() bool {
	q := p.query()
	return q != "" && q == p.searched && len(p.Found) == 0
}

// OtherStarters shows other titles to start from.
func (p *Page) OtherStarters() {
	p.starters++
	p.Starters = p.Engine.Starters(startersOf, p.starters)
}

// ShowSimilar shows titles like item i in the list's place; −1 goes back.
func (p *Page) ShowSimilar(i int) {
	if i < 0 {
		p.Go(View{})
		return
	}
	p.Go(View{Kind: SimilarView, Like: p.Item(i).ID})
}

// ToggleWhy opens or closes the explanation of item i's card, and finds out, in the background, what liking it would change.
func (p *Page) ToggleWhy(i int) {
	if p.Why == i {
		i = -1
	}
	p.Why, p.Change = i, nil
	if i < 0 || p.Taste == nil || p.Looking() || p.Mark(i) != Unmarked {
		return
	}
	turn, visit, taste, request := p.turn.Load(), p.Log.Now().Visit, p.Taste, p.ownRequest()
	p.background(func() {
		breathe()
		c := p.Engine.Change(visit, taste, request, i)
		p.env.Lock()
		if p.overtaken(turn) || p.Why != i {
			p.env.UnlockOnly()
			return
		}
		p.Change = &c
		p.env.UnlockRender()
	})
}

// Select opens item i on the map; −1 closes.
func (p *Page) Select(i int) {
	p.Selected = i
	p.feed.dirty |= feedSelected
}

// ShowDistances draws the map by the distance from the visitor, or by the plane again.
func (p *Page) ShowDistances(on bool) {
	p.Log.Settings.Distances = on
	p.feed.dirty |= feedDistances
	p.save()
	if on && p.Taste != nil && p.feed.radii == nil {
		p.background(func() { p.measure(p.turn.Load()) })
	}
}

// ToggleText shows in words what the map shows, or hides it.
func (p *Page) ToggleText() { p.AsText = !p.AsText }

// ToggleAbout opens or closes what is known of the model.
func (p *Page) ToggleAbout() { p.AboutOn = !p.AboutOn }

// ToggleAll shows the whole list of titles with that mark, or its latest few.
func (p *Page) ToggleAll(m Mark) { p.All[m] = !p.All[m] }
