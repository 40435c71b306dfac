package ui

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
)

// answer is what a question to the engine brought.
type answer struct {
	states   bool // whether chances are stated, be it later
	taste    *recommend.Taste
	ellipses recommend.Ellipses
	list     []recommend.Suggestion
	loosen   []Loosening
	pair     []recommend.Shared
	second   *recommend.Ellipses
	left     int // titles of the genre or decade that is browsed, and that the visitor has not marked
}

// refresh asks the engine anew, in the background, and drops all earlier questions. With announce, screen readers hear
// how many recommendations came.
func (p *Page) refresh(announce bool) {
	turn := p.turn.Add(1)
	visit := recommend.Visit{
		Likes:    slices.Clone(p.Visit.Likes),
		Dislikes: slices.Clone(p.Visit.Dislikes),
		Seen:     slices.Clone(p.Visit.Seen),
	}
	looking, them := p.Looking(), recommend.Visit{}
	if looking {
		them = p.lookFor()
	}
	if len(visit.Likes) == 0 && p.View.Kind == OwnView && !looking {
		p.settle(&answer{})
		p.Asked = false
		p.feed.turn = turn
		return
	}
	warm, request, view, similar := p.Taste, p.request(), p.View, p.Similar
	gone, who := p.gone, p.Who
	others := recommend.Visit{}
	if view.Kind == TogetherView && p.Together() {
		others = p.Others // lists are made anew at every change
	}
	p.background(func() {
		begin(len(visit.Likes) + len(visit.Dislikes) + len(visit.Seen))
		if p.overtaken(turn) {
			return
		}
		a := &answer{}
		if len(visit.Likes) > 0 {
			a.taste = p.Engine.Taste(visit, warm)
			a.ellipses = p.Engine.TasteEllipses(a.taste)
			if p.overtaken(turn) {
				return
			}
		}
		whose, taste := visit, a.taste
		if looking {
			whose, taste = them, p.Engine.Taste(them, nil)
		}
		switch view.Kind {
		case BrowseView:
		case TogetherView:
			if len(others.Likes) == 0 {
				break // nobody, or somebody who likes nothing yet
			}
			t := p.Engine.Taste(others, nil)
			e := p.Engine.TasteEllipses(t)
			a.second, a.pair = &e, p.Engine.Together(visit, others, a.taste, t, request)
			for _, s := range a.pair {
				a.list = append(a.list, s.Each[0])
			}
			if who == 1 {
				for i := range a.pair {
					a.pair[i].Each[0], a.pair[i].Each[1] = a.pair[i].Each[1], a.pair[i].Each[0]
				}
			}
		case SimilarView:
			a.list = p.Engine.Similar(similar, request.K)
		case GenreView, DecadeView:
			a.left = p.Engine.Count(visit, request.Filter)
			t := a.taste
			if t == nil {
				t = p.Engine.Taste(visit, nil)
			}
			a.list = p.Engine.Recommend(visit, t, request)
		default:
			request.Later, a.states = true, p.About.Reliability.States(whose)
			a.list = p.Engine.Recommend(whose, taste, request)
			if len(a.list) == 0 && len(request.Instead) == 0 {
				a.loosen = p.loosen(whose, taste, request)
			}
		}
		p.env.Lock()
		if p.overtaken(turn) {
			p.env.UnlockOnly()
			return
		}
		p.settle(a)
		p.Asked = true
		p.speak() // what was announced may not have been rendered yet, and is said too
		switch {
		case gone != nil:
			p.dealt(gone)
		case announce && p.View.Kind != OwnView:
			p.announce(p.heading() + ". " + p.viewNote())
		case announce:
			p.announce(p.W.Updated(len(a.list)))
		}
		p.env.UnlockRender()
		p.assure(turn, whose, taste, request, a.list)
		p.measure(turn)
		p.complete(turn)
	})
}

// complete notes that all of the answer to that question is here, and tells the map.
func (p *Page) complete(turn uint64) {
	p.env.Lock()
	defer p.env.UnlockOnly()
	if p.overtaken(turn) {
		return
	}
	p.feed.turn = turn
	if p.feed.dirty == 0 { // else the render that is due tells it
		p.feed.dirty = feedTurn
		p.feedMap()
	}
}

// begin begins what the visitor waits for: in the turn that they pressed something in, or after a breath where there are so
// many marks, by an import, that this turn is long already.
func begin(marks int) {
	if marks > manyMarks {
		breathe()
		return
	}
	awake()
}

const manyMarks = 500

// assure says how sure the list of that question is, where that takes draws: after the list is on the screen, which does not
// wait for it.
func (p *Page) assure(turn uint64, v recommend.Visit, t *recommend.Taste, r recommend.Request, list []recommend.Suggestion) {
	of := p.About.Reliability.Of
	if !r.Later || of != recommend.Staying || !p.About.Reliability.States(v) {
		return
	}
	painted()
	if p.overtaken(turn) {
		return
	}
	items := make([]int, len(list))
	for i := range list {
		items[i] = list[i].Item
	}
	chances := p.Engine.Stability(v, t, r, items)
	p.env.Lock()
	if p.overtaken(turn) {
		p.env.UnlockOnly()
		return
	}
	for i, chance := range chances {
		list[i].Chance, list[i].Certainty = chance, of.Certainty(chance)
	}
	p.env.UnlockRender()
}

// measure works out the radii of the answer to that question, where the map shows distances: after the list, which does
// not wait for them.
func (p *Page) measure(turn uint64) {
	p.env.Lock()
	visit, taste, wanted := p.Visit, p.Taste, p.State.Settings.Distances
	p.env.UnlockOnly()
	if !wanted || taste == nil {
		return
	}
	radii := p.Engine.Radii(visit, taste)
	p.env.Lock()
	if p.overtaken(turn) {
		p.env.UnlockOnly()
		return
	}
	p.feed.radii = radii
	p.feed.dirty |= feedDistances
	p.env.UnlockRender()
}

func (p *Page) overtaken(turn uint64) bool { return p.turn.Load() != turn }

// settle takes an answer in.
func (p *Page) settle(a *answer) {
	for i := range a.list {
		s := &a.list[i]
		for _, old := range p.List {
			if a.states && s.Certainty == recommend.Unsaid && old.Item == s.Item {
				s.Chance, s.Certainty = old.Chance, old.Certainty // as sure as it was, until that is worked out anew
			}
		}
	}
	p.Pair, p.Second = a.pair, a.second
	p.Taste, p.Ellipses, p.List, p.Loosen, p.Left = a.taste, a.ellipses, a.list, a.loosen, a.left
	p.Sharing.Copied = ""
	for i := range a.list {
		p.Widest = max(p.Widest, a.list[i].Spread)
	}
	if !p.State.Settings.Distances || a.taste == nil {
		p.feed.radii = nil // else the map keeps them until the new ones are there
	}
	p.feed.dirty |= feedMarks | feedDistances
}

// request is the question that the present settings ask.
func (p *Page) request() recommend.Request {
	if v := p.View; p.Browsing() {
		return recommend.Request{K: browsePage, Skip: v.Page * browsePage, Filter: v.filter(), Order: p.order()}
	}
	return p.ownRequest()
}

// ownRequest is the question for the visitor's own list.
func (p *Page) ownRequest() recommend.Request {
	s := &p.State.Settings
	return recommend.Request{
		K: p.Shown, Mode: recommend.Mode(s.Mode), Filter: p.filter(),
		Diversity: s.Diversity, Exploration: s.Exploration, Seed: s.Seed, Instead: p.Instead,
	}
}

// Loosening is a filter without which there would be something to show.
type Loosening struct {
	Text  string
	apply func()
}

// Apply loosens.
func (l *Loosening) Apply() { l.apply() }

// loosen finds which filters, taken away alone, bring titles back; where none does alone, all together.
func (p *Page) loosen(v recommend.Visit, t *recommend.Taste, r recommend.Request) []Loosening {
	if len(r.Filter.Genres) == 0 && r.Filter.FromYear == 0 {
		return nil
	}
	r.K, r.Bare = 1, true
	var out []Loosening
	try := func(f recommend.Filter, text string, apply func()) {
		r.Filter = f
		if len(p.Engine.Recommend(v, t, r)) > 0 {
			out = append(out, Loosening{Text: text, apply: apply})
		}
	}
	full := r.Filter
	if len(full.Genres) > 0 {
		f := full
		f.Genres = nil
		try(f, p.W.AllGenres, func() { p.clearGenres(); p.tuned() })
	}
	if full.FromYear != 0 {
		f := full
		f.FromYear, f.ToYear = 0, 0
		try(f, p.W.AllDecades, func() { p.State.Settings.Decade = 0; p.tuned() })
	}
	if len(out) == 0 {
		try(recommend.Filter{}, p.W.AllGenres+", "+p.W.AllDecades, p.ClearFilters)
	}
	return out
}
