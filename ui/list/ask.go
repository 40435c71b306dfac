package list

import (
	"slices"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/tuning"
	"github.com/pmlam/pmlam/ui/undo"
)

// State is the list of recommendations, or of the titles of another view: the current question and the latest answer.
type State struct {
	*store.Store
	offer    *undo.Offer
	Aside    func() int // the title that the visitor's own list leaves out, shown above it; −1: none
	idle     []func()
	answered []func()

	Similar  int                  // of address.Similar: the item; −1: another view
	borrowed *recommend.Visit     // the received taste that the list is ranked for; nil: the visitor's own
	Shown    int                  // the most recommendations shown
	at       address.View         // the view that Shown belongs to
	lengths  map[address.View]int // Shown of views that the visitor has left
	Instead  []int                // shown titles that make way for others

	turn     atomic.Uint64 // of the latest question
	complete uint64        // of the last question with a complete answer
	Answers  uint64        // counts answers
	Placed   uint64        // counts changes of Places and Second
	Asked    bool          // the answer is for the current marks, so an empty list is final
	answer                 // the latest
	Radii    []float32     // Engine.Radii, never changed in place; nil until the settings ask for distances

	LastSure int // the last title that the guarantee covers; −1: none

	Why     int               // the card with its explanation open; −1: none
	Doing   int               // the narrow card with all its actions shown; −1: none
	Change  *recommend.Change // the effect of liking Why; nil: not known yet
	TrustOn bool              // the answer to "How do we know?" is open
	Copied  string            // the outcome of copying the list as text, or ""

	distances bool // keep.Settings.Distances at the latest event
}

// PageSize is the number of recommendations at first, and the number that each "more" adds. maxShown bounds the list,
// since every event builds the whole page.
const (
	PageSize = 10
	maxShown = 200
)

// browsePage is the number of titles on a page of a genre or decade.
const browsePage = 20

// answer is the engine's answer to a question.
type answer struct {
	Titles []recommend.Suggestion
	Taste  *recommend.Taste // nil: no likes
	Loosen []Loosening      // for an empty list: filters whose removal brings titles back
	// of address.Together: each title's suggestion for the visitor and for the second person
	Pair       []recommend.Shared
	OtherTaste *recommend.Taste // of address.Together: the second person's
	// of views with a filter: titles that pass it and are neither marked nor replaced
	Left      int
	restarted bool // no other titles were left, so the list starts over

	// Places of Taste and OtherTaste on the map. They come after the list; until then the previous ones stay.
	Places, Second recommend.Places

	states bool // chances are stated, now or later
}

// question is a question to the engine: everything that determines the answer.
type question struct {
	turn     uint64
	visit    recommend.Visit
	whose    recommend.Visit // the visit that the list is ranked for: the visitor's, or the borrowed one
	borrowed bool
	others   recommend.Visit // of address.Together
	who      int
	warm     *recommend.Taste
	view     address.View
	similar  int
	aside    int // State.Aside
	request  recommend.Request

	announce bool  // announce the number of recommendations
	gone     []int // titles that make way, to be announced; nil: none
}

// refresh asks the engine again, in the background, and drops all earlier questions. With announce, the number of
// recommendations is announced.
func (l *State) refresh(announce bool) { l.ask(question{announce: announce}) }

// ask asks the engine again. The caller sets announce and gone of q, and ask sets the rest.
func (l *State) ask(q question) {
	q.turn = l.turn.Add(1)
	q.visit = l.Now().Visit // its lists are new after every change
	q.whose, q.borrowed = q.visit, l.Borrowing()
	if len(q.visit.Likes) == 0 && l.View().Kind == address.Own && !q.borrowed {
		l.settle(answer{})
		l.Asked = false
		l.complete = q.turn
		l.Tasks.Afterwards(l.rested)
		return
	}
	if q.borrowed {
		q.whose = l.borrowedVisit()
	}
	if l.View().Kind == address.Together && l.Together() {
		q.others = l.Partner().Visit
	}
	if q.aside = -1; l.Aside != nil {
		q.aside = l.Aside()
	}
	q.who, q.warm, q.request, q.view, q.similar = l.Who(), l.Taste, l.request(), l.View(), l.Similar
	l.Tasks.Background(func() { l.work(&q) })
}

// work answers a question unless it is overtaken: first the list, then the rest.
func (l *State) work(q *question) {
	begin(len(q.visit.Likes) + len(q.visit.Dislikes) + len(q.visit.Seen))
	if l.Overtaken(q.turn) {
		return
	}
	a := answer{}
	if len(q.visit.Likes) > 0 {
		a.Taste = l.Engine.Taste(q.visit, q.warm)
		if l.Overtaken(q.turn) {
			return
		}
	}
	taste := l.fill(&a, q)
	l.Tasks.Lock()
	if l.Overtaken(q.turn) {
		l.Tasks.Unlock()
		return
	}
	l.settle(a)
	l.Asked = true
	l.Speak() // an earlier announcement may not be rendered yet
	switch {
	case q.gone != nil:
		l.dealt(q.gone)
	case q.announce && l.View().Kind != address.Own:
		l.Announce(l.heading() + ". " + l.viewNote())
	case q.announce:
		l.Announce(l.W.Updated(len(a.Titles)))
	}
	l.Tasks.UnlockRender()
	l.Tasks.Afterwards(func() { l.rest(q, taste, &a) })
}

// rest computes the parts of an answer that come after the list.
func (l *State) rest(q *question, taste *recommend.Taste, a *answer) {
	l.assure(q, taste, a.Titles)
	l.place(q, a)
	l.measure(q.turn)
	l.finish(q.turn)
	if !l.Overtaken(q.turn) { // otherwise the newer question is at work
		l.rested()
	}
}

// fill lists the titles for a question, and returns the taste that ranks them.
func (l *State) fill(a *answer, q *question) *recommend.Taste {
	taste := a.Taste
	if q.borrowed {
		taste = l.Engine.Taste(q.whose, nil)
	}
	switch q.view.Kind {
	case address.Browse:
	case address.Together:
		l.fillTogether(a, q)
	case address.Similar:
		a.Titles = l.Engine.Similar(q.similar, q.visit, q.request.K)
	case address.Genre, address.Decade, address.Region:
		a.Left = l.Engine.Count(q.visit, q.request.Filter)
		t := a.Taste
		if t == nil {
			t = l.Engine.Taste(q.visit, nil)
		}
		a.Titles = l.Engine.Recommend(q.visit, t, q.request)
	default:
		if q.aside >= 0 {
			q.whose.Seen = append(slices.Clip(q.whose.Seen), q.aside)
		}
		q.request.Later, a.states = true, l.About.Reliability.States(q.whose)
		a.Titles = l.Engine.Recommend(q.whose, taste, q.request)
		if instead := &q.request.Instead; len(a.Titles) == 0 && len(*instead) > 0 {
			a.restarted, *instead = true, nil
			a.Titles = l.Engine.Recommend(q.whose, taste, q.request)
		}
		shown := q.whose
		shown.Seen = slices.Concat(shown.Seen, q.request.Instead)
		a.Left = l.Engine.Count(shown, q.request.Filter)
		if len(a.Titles) == 0 {
			a.Loosen = loosenings(l.Engine, q.whose, taste, q.request)
		}
	}
	return taste
}

// fillTogether lists titles near both people, or none if one of them has no likes.
func (l *State) fillTogether(a *answer, q *question) {
	if len(q.others.Likes) == 0 {
		return
	}
	a.OtherTaste = l.Engine.Taste(q.others, nil)
	a.Pair = l.Engine.Together(q.visit, q.others, a.Taste, a.OtherTaste, q.request)
	for _, s := range a.Pair {
		a.Titles = append(a.Titles, s.Each[0])
	}
	if q.who == 1 {
		for i := range a.Pair {
			a.Pair[i].Each[0], a.Pair[i].Each[1] = a.Pair[i].Each[1], a.Pair[i].Each[0]
		}
	}
}

// finish records that the answer to a question is complete.
func (l *State) finish(turn uint64) {
	l.Tasks.Lock()
	defer l.Tasks.Unlock()
	if l.Overtaken(turn) {
		return
	}
	l.complete = turn
	for _, f := range l.answered {
		f()
	}
}

// begin starts work that the visitor waits for. It uses the current turn of the event loop, or the next one after a
// large import, whose own turn is long.
func begin(marks int) {
	if marks > manyMarks {
		browser.NextTurn()
		return
	}
	browser.TurnBegan()
}

const manyMarks = 500

// assure computes how certain a list's titles are, if that takes random draws. The list is drawn first.
func (l *State) assure(q *question, t *recommend.Taste, list []recommend.Suggestion) {
	of := l.About.Reliability.Of
	if !q.request.Later || of != recommend.Staying || !l.About.Reliability.States(q.whose) {
		return
	}
	browser.Painted()
	if l.Overtaken(q.turn) {
		return
	}
	items := make([]int, len(list))
	for i := range list {
		items[i] = list[i].Item
	}
	chances := l.Engine.Stability(q.whose, t, q.request, items)
	l.Tasks.Lock()
	if l.Overtaken(q.turn) {
		l.Tasks.Unlock()
		return
	}
	for i, chance := range chances {
		list[i].Chance, list[i].Certainty = chance, of.Certainty(chance)
	}
	l.Tasks.UnlockRender()
}

// place computes the places of a question's tastes on the map. The list is drawn first.
func (l *State) place(q *question, a *answer) {
	if a.Taste == nil {
		return
	}
	browser.Painted()
	if l.Overtaken(q.turn) {
		return
	}
	places, second := l.Engine.Places(q.visit, a.Taste), recommend.Places{}
	if a.OtherTaste != nil {
		second = l.Engine.Places(q.others, a.OtherTaste)
	}
	l.Tasks.Lock()
	if l.Overtaken(q.turn) {
		l.Tasks.Unlock()
		return
	}
	l.Places, l.Second = places, second
	l.Placed++
	l.Tasks.UnlockRender()
}

// measure computes the radii of an answer, if the map shows distances. The list comes first.
func (l *State) measure(turn uint64) {
	l.Tasks.Lock()
	visit, taste, wanted := l.Now().Visit, l.Taste, l.Settings().Distances
	l.Tasks.Unlock()
	if !wanted || taste == nil {
		return
	}
	radii := l.Engine.Radii(visit, taste)
	l.Tasks.Lock()
	if l.Overtaken(turn) {
		l.Tasks.Unlock()
		return
	}
	l.Radii = radii
	l.Tasks.UnlockRender()
}

// Turn returns the number of the latest question. It may be called without the render lock.
func (l *State) Turn() uint64 { return l.turn.Load() }

// Complete returns the number of the last question with a complete answer.
func (l *State) Complete() uint64 { return l.complete }

// Overtaken reports whether there is a newer question. It may be called without the render lock.
func (l *State) Overtaken(turn uint64) bool { return l.turn.Load() != turn }

// WhenIdle calls f, without the render lock, whenever the engine is idle.
func (l *State) WhenIdle(f func()) { l.idle = append(l.idle, f) }

// WhenAnswered calls f whenever an answer is complete.
func (l *State) WhenAnswered(f func()) { l.answered = append(l.answered, f) }

// rested calls the functions of WhenIdle once the screen is up to date. If a question is open, its own end does so. It
// is called without the render lock.
func (l *State) rested() {
	browser.Painted()
	l.Tasks.Lock()
	open := l.Overtaken(l.complete)
	l.Tasks.Unlock()
	if open {
		return
	}
	for _, f := range l.idle {
		f()
	}
}

// settle takes in an answer.
func (l *State) settle(a answer) {
	for i := range a.Titles {
		s := &a.Titles[i]
		for _, old := range l.Titles {
			if a.states && s.Certainty == recommend.Unsaid && old.Item == s.Item {
				s.Chance, s.Certainty = old.Chance, old.Certainty // until the new ones are computed
			}
		}
	}
	if a.Taste != nil {
		a.Places = l.Places
	}
	if a.OtherTaste != nil {
		a.Second = l.Second
	}
	if l.answer = a; a.restarted {
		l.Instead = nil
	}
	l.LastSure = l.lastSure()
	l.Copied = ""
	if l.Why >= 0 && !slices.ContainsFunc(a.Titles, func(s recommend.Suggestion) bool { return s.Item == l.Why }) {
		l.Why = -1
	}
	l.explain()
	if !l.Settings().Distances || a.Taste == nil {
		l.Radii = nil // otherwise the map keeps them until the new ones arrive
	}
	l.Answers++
	l.Placed++
}

// request returns the request for the current view and settings.
func (l *State) request() recommend.Request {
	if v := l.View(); v.Browses() {
		return recommend.Request{K: browsePage, Skip: v.Page * browsePage, Filter: l.Filter(v), Order: l.order()}
	}
	return l.OwnRequest()
}

// OwnRequest returns the request for the visitor's own list.
func (l *State) OwnRequest() recommend.Request {
	s := l.Settings()
	return recommend.Request{
		K: l.Shown, Mode: recommend.Mode(s.Mode), Filter: tuning.Filter(&s),
		Diversity: s.Diversity, Exploration: s.Exploration, Seed: s.Seed, Instead: l.Instead,
	}
}
