package ui

import (
	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/after"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/data"
	"github.com/pmlam/pmlam/ui/history"
	"github.com/pmlam/pmlam/ui/importing"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/looks"
	"github.com/pmlam/pmlam/ui/mapview"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/offline"
	"github.com/pmlam/pmlam/ui/pair"
	"github.com/pmlam/pmlam/ui/people"
	"github.com/pmlam/pmlam/ui/search"
	"github.com/pmlam/pmlam/ui/sharing"
	"github.com/pmlam/pmlam/ui/starters"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/tabs"
	"github.com/pmlam/pmlam/ui/titles"
	"github.com/pmlam/pmlam/ui/tuning"
	"github.com/pmlam/pmlam/ui/undo"
	"github.com/pmlam/pmlam/ui/week"
	"github.com/pmlam/pmlam/ui/words"
)

// Config is the input of New. Only Engine is required.
type Config struct {
	Engine  recommend.Engine
	Disk    store.Disk   // nil: nothing is kept, and the page says so
	Words   *words.Words // nil: in the document's language
	Name    string       // the site's; "": the words' own
	Owner   words.Owner  // the owner's texts about titles (docs/deploy.md)
	Titles  titles.Owner // the owner's links, pictures and prices
	Version string       // the program's, shown under Your data
	Studio  string       // address of the studio; "": none
}

// Page is the store and the features of the page, in order of dependence.
type Page struct {
	*store.Store
	Tabs     *tabs.State
	Offer    *undo.Offer
	Marking  *marking.Marking
	Tuning   *tuning.State
	People   *people.State
	List     *list.State
	Map      *mapview.State
	Search   *search.State
	Import   *importing.State
	Starters *starters.State
	Pair     *pair.State
	Week     *week.State
	After    *after.State
	History  *history.State
	Sharing  *sharing.Sharing
	Received *sharing.Receiving
	Offline  *offline.State
	Looks    *looks.Looks
	Data     *data.State
	Backup   *data.Backup
}

// newPage returns the page of a first visit. Features hear of events in this order.
func newPage(c Config) *Page {
	if c.Engine == nil {
		panic("ui: New needs an Engine")
	}
	all := titles.New(c.Engine, c.Titles)
	yield.Now()
	s := store.New(all, c.Disk, c.Words, c.Name, c.Owner)
	p := &Page{Store: s}
	p.Tabs = tabs.New(s)
	p.Offer = undo.New(s)
	p.Marking = marking.New(s, p.Offer)
	p.Tuning = tuning.New(s)
	p.People = people.New(s, p.Offer)
	p.List = list.New(s, p.Offer)
	p.Map = mapview.New(s, p.List, p.Tuning, p.Tabs)
	p.Search = search.New(s)
	p.Import = importing.New(s, p.Tabs, p.Offer)
	p.Starters = starters.New(s, p.List, p.Marking, p.Offer)
	p.Pair = pair.New(s, p.List, p.Offer) // before others that wait for an idle engine: the visitor can press it
	p.Week = week.New(s, p.List)
	p.After = after.New(s, p.List, p.Marking)
	p.History = history.New(s, p.List, p.Marking, p.Offer)
	p.Sharing = sharing.New(s, p.List)
	p.Received = sharing.NewReceiving(s, p.List, p.People, p.Tabs, p.Offer)
	p.Offline = offline.New(s)
	p.Looks = looks.New(s)
	p.Data = data.New(s, c.Version, c.Studio)
	p.Backup = data.NewBackup(s, p.Offer)
	browser.NextTurn() // the first build of the page is a task of its own
	return p
}

// start connects the browser, then reads and shows the stored visit. Further calls do nothing.
func (p *Page) start(env vugu.EventEnv) {
	p.Begin(env, func() {
		browser.WatchCopy(func(c browser.Copy) { p.Tasks.Locked(func() { p.Offline.Set(c) }) })
		browser.TakePicks(func(id string, liked bool) { p.Tasks.Locked(func() { p.Starters.Take(id, liked) }) })
		if p.Imports() {
			browser.TakeFiles(importer.MaxBytes, func(f browser.Files) { p.Tasks.Locked(func() { p.Import.Take(f) }) })
		}
		browser.TakeShared(func(what, text string) { p.Tasks.Locked(func() { p.take(what, text) }) })
		browser.WatchUndo(func() { p.Tasks.Locked(p.Offer.TakeBack) })
		browser.WatchAddress(func(fragment string) { p.Tasks.Locked(func() { p.Follow(fragment) }) })
	})
}

// take handles a message of the scripts about sharing: a taste in the address, or the outcome of sharing a link or a
// list.
func (p *Page) take(what, text string) {
	switch what {
	case "taste":
		p.Received.Receive(text)
	case "link":
		p.Sharing.Handed(text)
	default:
		p.List.Handed(text)
	}
}
