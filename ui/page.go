package ui

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/visit"
	"github.com/vugu/vugu"
)

// Config is what New needs. Only Engine is required.
type Config struct {
	Engine  recommender.Engine
	Store   Store  // nil: nothing is kept, and the page says so
	Words   *Words // nil: in the language of the document
	Name    string // of the site; "": the words' own
	Version string // of the program, shown under Your data
}

// pageSize is how many recommendations are shown at first and how many each "more" adds. The whole page is synced at
// every event, so the list has an end: maxShown.
const (
	pageSize    = 10
	maxShown    = 50
	startersOf  = 12
	searchShows = 8
	wanted      = 3 // likes, until the invitation goes
)

// Tab is the part of the page that a narrow screen shows.
type Tab uint8

// The tabs, in the order of the tab bar.
const (
	TabNext Tab = iota
	TabMap
	TabTaste
	TabData
)

// Page is the state machine: what the page knows and every change a visitor can make. Its methods are called with the
// render lock held, as event handlers are; Wait alone is called without it.
type Page struct {
	W       *Words
	Name    string
	Version string
	Engine  recommender.Engine
	About   recommender.About
	Hint    string // what the empty search box names

	owner     string   // the name that the site's owner gave it, or ""
	languages []*Words // among which the visitor can choose
	env       vugu.EventEnv

	Log    *visit.Log
	Device Figures // what the browser says of its storage

	// What follows from it.
	Taste    *recommender.Taste
	List     []recommender.Suggestion
	Ellipses recommender.Ellipses  // of the taste
	Pair     []recommender.Shared  // of TogetherView: the list, with what each title is to the visitor and to the second person
	Second   *recommender.Ellipses // of TogetherView: of the other's taste
	Loosen   []Loosening
	Asked    bool    // List answers the present likes, so that an empty one means something
	Widest   float64 // the largest spread seen: the scale of the small ellipses

	// What is being looked at.
	Ready    bool
	Tab      Tab
	Query    string
	Found    []recommender.Found // for searched, which may be an earlier query
	Starters []int
	starters int // page of the starters
	Shown    int // how many recommendations at most
	View     View
	Similar  int                 // of SimilarView: the item; −1: another view
	Left     int                 // of GenreView and DecadeView: titles that the visitor has not marked
	Instead  []int               // what was shown and makes way for something different
	gone     []int               // what was shown until just now; nil: nothing has to be said of it
	Why      int                 // the card that explains itself; −1: none
	Change   *recommender.Change // what liking it would change; nil: not known yet
	Selected int                 // the title opened on the map; −1: none
	Tuning   bool
	AsText   bool
	Erasing  bool
	Opened   *Opened // a backup, to be looked at before anything is done
	AboutOn  bool
	TrustOn  bool
	All      [4]bool // by Mark: the whole list is shown
	Naming   bool    // whoever's page it is is asked for another name
	typed    string  // a name, as far as it is typed
	Undo     *Undo
	Notice   string // something went wrong; stays
	Said     string // the latest announcement for screen readers
	SaidTurn int    // counts announcements, so that the same words can be said twice
	spoken   int    // SaidTurn of the last one that was said

	Offline Offline
	Import  Importing // "Bring your taste"

	Sharing  Sharing   // what goes out
	Received *Received // what came with the address; nil: nothing

	genreGroups []uint8        // by item: what it is coloured by
	decades     []int          // that the catalogue knows, newest first
	counts      map[string]int // how many titles the genres and decades have

	searched  string // what Found answers
	searching bool   // somebody is at it

	turn    atomic.Uint64 // of the latest question
	jobs    sync.WaitGroup
	keeper  keeper
	noticed noticed
	feed    feed
}

// Undo is the offer to take the latest change back.
type Undo struct {
	Text string
	back func()
}

// newPage returns the page of somebody of whom nothing is known yet.
func newPage(c Config) *Page {
	if c.Engine == nil {
		panic("ui: New needs an Engine")
	}
	w := c.Words
	if w == nil {
		w = Spoken()
	}
	p := &Page{
		W: w, Name: or(c.Name, w.Name), owner: c.Name, languages: all(), Version: c.Version, Engine: c.Engine, About: c.Engine.About(),
		Log:   visit.New(c.Engine, Rest),
		Shown: pageSize, Similar: -1, Why: -1, Selected: -1,
	}
	p.keeper.store = c.Store
	Rest()
	p.genreGroups = groupGenres(c.Engine)
	Rest()
	p.decades = listDecades(c.Engine)
	p.feed.pictured = pictureOf(c.Engine, Rest)
	p.feed.undrawn = p.feed.pictured.undrawn
	p.Hint = hint(c.Engine)
	p.Starters = c.Engine.Starters(startersOf, 0)
	p.feed.dirty = feedAll
	breathe() // to build the page for the first time is a task by itself
	return p
}

// start reads what was kept and shows it. It does so once.
func (p *Page) start(env vugu.EventEnv) {
	if p.env != nil {
		return
	}
	p.env = env
	p.watchOffline()
	p.takeFiles()
	p.takeShared()
	p.watchAddress()
	if p.keeper.store == nil {
		p.notice(noticeBlocked)
		p.Ready = true
		return
	}
	p.keeper.store.Listen(p.changedElsewhere)
	p.save()
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(impatience)
		p.env.Lock()
		if p.Ready {
			p.env.UnlockOnly()
			return
		}
		p.Ready = true
		p.env.UnlockRender()
	}()
}

// impatience is how long the page waits for what was kept before it shows itself without. What is said meanwhile and what
// was kept come together as soon as the store answers.
const impatience = 2 * time.Second

// background runs f in a goroutine that Wait waits for.
func (p *Page) background(f func()) {
	p.jobs.Add(1)
	go func() {
		defer p.jobs.Done()
		f()
	}()
}

// Wait returns when nothing is being computed or saved. For tests.
func (p *Page) Wait() { p.jobs.Wait() }

// Item returns the catalogue's entry.
func (p *Page) Item(i int) *catalogue.Item { return p.Engine.Item(i) }

// Mark returns what the visitor said of item i.
func (p *Page) Mark(i int) Mark { return p.Log.Now().ByItem[i] }

// First tells whether this visitor still has to pick their first titles.
func (p *Page) First() bool {
	return p.Ready && len(p.Log.Now().Visit.Likes) < wanted && !p.Looking() &&
		(p.View.Kind == OwnView || p.View.Kind == TogetherView && p.Log.Other != "")
}

// HasList tells whether there is a list to show.
func (p *Page) HasList() bool {
	return p.Ready && (len(p.Log.Now().Visit.Likes) > 0 || p.View.Kind != OwnView || p.Looking())
}

// Titled returns "Heat, 1995", for a sentence or to stand by itself.
func (p *Page) Titled(i int) string { return p.W.isolate(titled(p.Item(i))) }

func titled(it *catalogue.Item) string {
	if it.Year == 0 {
		return it.Title
	}
	return it.Title + ", " + strconv.Itoa(it.Year)
}

// announce has screen readers say something when they have time.
func (p *Page) announce(text string) {
	p.Said = text
	p.SaidTurn++
}

// speak says what was announced, once.
func (p *Page) speak() {
	if p.spoken != p.SaidTurn {
		p.spoken = p.SaidTurn
		say(p.Said)
	}
}

// SetTab shows another part of the page on a narrow screen.
func (p *Page) SetTab(t Tab) {
	p.Tab = t
	p.feed.dirty |= feedSize
}

// listDecades returns the decades in which the catalogue has items, newest first.
func listDecades(e recommender.Engine) []int {
	var out []int
	for i := range e.Len() {
		if i&1023 == 1023 {
			Rest()
		}
		if y := e.Item(i).Year; y > 0 && !slices.Contains(out, y/10*10) {
			out = append(out, y/10*10)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}
