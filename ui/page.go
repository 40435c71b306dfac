package ui

import (
	"time"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/visit"
	"github.com/pmlam/pmlam/ui/words"
)

// Config is what New needs. Only Engine is required.
type Config struct {
	Engine recommend.Engine
	Store  Store        // nil: nothing is kept, and the page says so
	Words  *words.Words // nil: in the language of the document
	Name   string       // of the site; "": the words' own
	// what the site's owner has set about titles (docs/deploy.md): what is said of them, where they are, their pictures
	Owner            words.Owner
	Places, Pictures string
	Price            string // a text on each card, with columns in braces; "": none
	Version          string // of the program, shown under Your data
}

// Page holds the parts of the page, each with the state that one or a few components show, and joins them. A part knows
// those above it in this list; what goes the other way are the Session's hooks. All methods of the parts are called
// with the render lock held, as event handlers are, unless their comment states otherwise.
type Page struct {
	*Session
	Tabs     *TabState
	Offer    *UndoState
	Storage  *Storage
	List     *ListState
	Tuning   *TuningState
	Marking  *Marking
	Search   *SearchState
	Starters *StarterState
	Week     *WeekState
	Pair     *PairState
	History  *HistoryState
	Map      *MapState
	Import   *Importing
	Sharing  *Sharing
	Received *ReceivedState
	Backup   *BackupState
	People   *PeopleState
	Offline  *OfflineState
	Looks    *Looks
	Data     *DataState
}

// newPage returns the page of a first visit.
func newPage(c Config) *Page {
	if c.Engine == nil {
		panic("ui: New needs an Engine")
	}
	s := &Session{Log: visit.New(c.Engine)}
	yield.Now()
	s.Catalogue = newCatalogue(c.Engine)
	s.owned = owned{readPlaces(c.Places), c.Pictures, c.Price}
	c.Owner.Undated = len(s.decades) == 0
	s.Language = newLanguage(c.Words, c.Name, c.Owner)
	p := &Page{Session: s}
	p.Tabs = &TabState{Session: s}
	p.Offer = &UndoState{Session: s}
	p.Storage = &Storage{Session: s, store: c.Store}
	p.List = &ListState{Session: s, tabs: p.Tabs, offer: p.Offer, Shown: pageSize, Similar: -1, Why: -1,
		Doing: -1}
	p.Tuning = &TuningState{Session: s, list: p.List, storage: p.Storage}
	p.Marking = &Marking{Session: s, list: p.List, storage: p.Storage, offer: p.Offer}
	p.Map = newMap(s, p.List, p.Tuning, p.Storage)
	p.Search = &SearchState{Session: s, Hint: hint(c.Engine)}
	p.Starters = &StarterState{Session: s}
	p.Week = &WeekState{Session: s, list: p.List, storage: p.Storage, now: time.Now}
	p.History = &HistoryState{Session: s, marking: p.Marking}
	p.Pair = &PairState{Session: s, marking: p.Marking, list: p.List}
	p.Import = &Importing{Session: s, marking: p.Marking, tabs: p.Tabs, offer: p.Offer}
	p.Sharing = &Sharing{Session: s, list: p.List}
	p.Received = &ReceivedState{Session: s, list: p.List, marking: p.Marking, tabs: p.Tabs}
	p.Backup = &BackupState{Session: s, marking: p.Marking}
	p.People = &PeopleState{Session: s, list: p.List, storage: p.Storage, offer: p.Offer, received: p.Received}
	p.Offline = &OfflineState{Session: s}
	p.Looks = &Looks{Session: s, storage: p.Storage, list: p.List, offer: p.Offer, sharing: p.Sharing, backup: p.Backup}
	p.Data = &DataState{Session: s, Version: c.Version, storage: p.Storage}
	s.on = hooks{
		refresh: p.List.refresh, settings: p.Looks.follow, person: p.changePerson, erase: p.forget,
		answered: p.Map.update, idle: p.think,
	}
	browser.NextTurn() // to build the page for the first time is a task by itself
	return p
}

// impatience is how long the page waits for what was kept before it shows itself without. What is marked meanwhile and
// what was kept come together as soon as the store answers.
const impatience = 2 * time.Second

// start reads what was kept and shows it. It does so once.
func (p *Page) start(env vugu.EventEnv) {
	if p.env != nil {
		return
	}
	p.env = env
	browser.WatchCopy(func(c browser.Copy) { p.locked(func() { p.Offline.set(c) }) })
	browser.TakeFiles(importer.MaxBytes, func(f browser.Files) { p.locked(func() { p.Import.take(f) }) })
	browser.TakeShared(func(what, text string) {
		p.locked(func() {
			if what == "taste" {
				p.Received.Receive(text)
			} else {
				p.Sharing.handed(what == "link", text)
			}
		})
	})
	browser.WatchAddress(func(fragment string) { p.locked(func() { p.List.follow(fragment) }) })
	if p.Storage.store == nil {
		p.Storage.notice(noticeBlocked)
		p.Ready = true
		p.afterwards(p.think)
		return
	}
	p.Storage.store.Listen(p.Storage.changedElsewhere)
	p.Storage.save()
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

// think works out what nothing waits for, once the screen shows what there is; while a question is open it is left to
// the end of that. It is called without the render lock.
func (p *Page) think() {
	browser.Painted()
	p.env.Lock()
	open := p.List.overtaken(p.feed.turn)
	p.env.UnlockOnly()
	if open {
		return
	}
	p.Pair.ask() // what can be pressed goes first
	p.Week.choose()
	p.History.measure()
}

// changePerson brings the page to whoever it is shown for now.
func (p *Page) changePerson() {
	p.Offer.Undo, p.Backup.Opened = nil, nil
	p.People.stopNaming()
	p.Import.forget()
	p.Pair.Titles, p.Pair.skipped = nil, nil // they were thought of for the other person
	p.List.startAnew()
}

// forget makes the page that of a first visit; with settings, the settings stay.
func (p *Page) forget(settings bool) {
	was := p.Log.Settings
	p.Log.Erase(settings)
	p.Storage.dirty = false
	p.Looks.follow(&was)
	p.People.stopNaming()
	p.Backup.Opened, p.Offer.Undo, p.Data.Asked = nil, nil, false
	p.Import.forget()
	p.Received.forget()
	p.Sharing.Dislikes, p.Sharing.Later, p.Sharing.Result, p.List.Copied = false, false, "", ""
	p.Storage.notice(noticeNone)
	p.List.forget()
	p.Map.Selected, p.Tabs.Tab = -1, TabNext
	p.Search.ClearSearch()
	p.Starters.show(0)
	p.Pair.Titles, p.Pair.skipped, p.History.On = nil, nil, false
	p.feed.dirty |= feedAll
	p.List.refresh(false)
}
