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

// State is the list of recommendations, or of the titles of another view: the present question and the latest answer.
type State struct {
	*store.Store
	offer    *undo.Offer
	idle     []func()
	answered []func()

	Similar  int              // of address.Similar: the item; −1: another view
	borrowed *recommend.Visit // a received taste that the list is ranked for; nil: the visitor's own
	Shown    int              // how many recommendations at most
	Instead  []int            // titles that were shown and make way for others

	turn     atomic.Uint64 // of the latest question
	complete uint64        // of the last question whose whole answer is here
	Answers  uint64        // counts the answers that were taken in
	Placed   uint64        // counts the changes of Places and Second
	Asked    bool          // the answer is one to the present marks, so that an empty list means something
	answer                 // the latest
	Radii    []float32     // Engine.Radii, not changed in place; nil until the settings ask for distances

	LastSure int // the last title of the list that the guarantee covers; −1: none

	Why     int               // the card that explains itself; −1: none
	Doing   int               // the narrow card that shows all its actions; −1: none
	Change  *recommend.Change // the effect of liking it; nil: not known yet
	TrustOn bool              // the answer to "How do we know?" is open
	Copied  string            // the outcome of copying the list as text, or ""

	distances bool // keep.Settings.Distances as of the latest event
}

// PageSize is how many recommendations are shown at first and how many each "more" adds. The whole page is built at
// every event, so the list has an end: maxShown.
const (
	PageSize = 10
	maxShown = 50
)

// browsePage is how many titles a page of a genre or decade has.
const browsePage = 20

// answer is the engine's answer to a question.
type answer struct {
	Titles []recommend.Suggestion
	Taste  *recommend.Taste // nil: nothing is liked
	Loosen []Loosening      // filters whose removal brings titles back, where the list is empty
	// of address.Together: the list, with each title's suggestion for the visitor and for the second person
	Pair       []recommend.Shared
	OtherTaste *recommend.Taste // of address.Together: the second person's
	// of views that have a filter: titles that pass it and that the visitor has not marked, nor were replaced
	Left      int
	restarted bool // no further titles were left, so the list begins anew

	// The places of Taste and OtherTaste on the map. They come after the list; until then the previous ones stay.
	Places, Second recommend.Places

	states bool // whether chances are stated, be it later
}

// question is a question to the engine, with everything that determines the answer.
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
	request  recommend.Request

	announce bool  // the number of recommendations is announced
	gone     []int // titles that make way, to be announced; nil: none
}

// refresh asks the engine anew, in the background, and drops all earlier questions. With announce, the number of
// recommendations is announced.
func (l *State) refresh(announce bool) { l.ask(question{announce: announce}) }

// ask asks the engine anew. The caller sets announce and gone of q, ask the rest.
func (l *State) ask(q question) {
	q.turn = l.turn.Add(1)
	q.visit = l.Now().Visit // its lists are made anew at every change
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
	q.who, q.warm, q.request, q.view, q.similar = l.Who(), l.Taste, l.request(), l.View(), l.Similar
	l.Tasks.Background(func() { l.work(&q) })
}

// work answers a question, unless it is overtaken: first the list, then rest.
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
	l.Speak() // an earlier announcement may not have been rendered yet
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

// rest computes the parts of an answer that the page does not wait for.
func (l *State) rest(q *question, taste *recommend.Taste, a *answer) {
	l.assure(q, taste, a.Titles)
	l.place(q, a)
	l.measure(q.turn)
	l.finish(q.turn)
	if !l.Overtaken(q.turn) { // else the newer question is at work
		l.rested()
	}
}

// fill lists the titles that the question asks for, and returns the taste that they are ranked for.
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

// fillTogether lists titles near both people; none where one of the two has no likes.
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

// finish notes that all of the answer to that question is here.
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

// begin begins work that the visitor waits for: in the turn of their press, or in the next one where an import has made
// so many marks that this turn is long already.
func begin(marks int) {
	if marks > manyMarks {
		browser.NextTurn()
		return
	}
	browser.TurnBegan()
}

const manyMarks = 500

// assure works out the certainties of the list of that question, where that takes draws: after the list is on the
// screen, which does not wait for it.
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

// place works out where the tastes of that question lie on the map: after the list is on the screen, which does not
// wait for that.
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

// measure works out the radii of the answer to that question, where the map shows distances: after the list, which does
// not wait for them.
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

// Turn is the number of the latest question. It may be called without the render lock.
func (l *State) Turn() uint64 { return l.turn.Load() }

// Complete is the number of the last question whose whole answer is here.
func (l *State) Complete() uint64 { return l.complete }

// Overtaken reports whether that is not the latest question any more. It may be called without the render lock.
func (l *State) Overtaken(turn uint64) bool { return l.turn.Load() != turn }

// WhenIdle has f called, without the render lock, when the engine has nothing to do.
func (l *State) WhenIdle(f func()) { l.idle = append(l.idle, f) }

// WhenAnswered has f called when all of an answer is there.
func (l *State) WhenAnswered(f func()) { l.answered = append(l.answered, f) }

// rested calls the functions of WhenIdle once the screen is up to date; while a question is open that is left to its
// end. It is called without the render lock.
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

// settle takes an answer in.
func (l *State) settle(a answer) {
	for i := range a.Titles {
		s := &a.Titles[i]
		for _, old := range l.Titles {
			if a.states && s.Certainty == recommend.Unsaid && old.Item == s.Item {
				s.Chance, s.Certainty = old.Chance, old.Certainty // as sure as it was, until that is worked out anew
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
	if !l.Settings().Distances || a.Taste == nil {
		l.Radii = nil // else the map keeps them until the new ones are there
	}
	l.Answers++
	l.Placed++
}

// request is the question that the present view and settings ask.
func (l *State) request() recommend.Request {
	if v := l.View(); v.Browses() {
		return recommend.Request{K: browsePage, Skip: v.Page * browsePage, Filter: l.Filter(v), Order: l.order()}
	}
	return l.OwnRequest()
}

// OwnRequest is the question for the visitor's own list.
func (l *State) OwnRequest() recommend.Request {
	s := l.Settings()
	return recommend.Request{
		K: l.Shown, Mode: recommend.Mode(s.Mode), Filter: tuning.Filter(&s),
		Diversity: s.Diversity, Exploration: s.Exploration, Seed: s.Seed, Instead: l.Instead,
	}
}
