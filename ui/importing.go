package ui

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// Stage is how far bringing a file has come.
type Stage uint8

// The stages.
const (
	Waiting   Stage = iota // for a file
	Working                // on one
	Reviewing              // what was found; nothing is applied yet
)

// Importing is the state of "Bring your taste". The zero value waits for a file.
type Importing struct {
	Stage   Stage
	Doing   string  // what is being done
	Done    float64 // how much of it, in [0,1]
	Problem Saying  // why the latest file could not be read, or nil

	Library *importer.Library
	Matches []importer.Match
	Meaning importer.Meaning
	Chosen  []int // by match: the item that it is taken for, or −1
	Found   []int // matches that are certain
	Doubts  []int // matches to be checked
	Missing []int // matches that are not in the catalogue
	Wished  int   // entries of watchlists, which count in none of these
	Adds    Tally // what agreeing would do

	rated, guessed, unrated bool // there are ratings, on a scale that is not told; there are titles without

	ShowFound, ShowMissing bool
	DoubtsShown            int

	Last    *Imported // what was added since the page was opened
	stop    *atomic.Bool
	matcher *importer.Matcher // made at the first file; used by one goroutine at a time
}

// Tally counts titles by what they become.
type Tally struct {
	Likes, Dislikes, Seen int
	Kept                  int // marked here already, and left as they are
}

// Imported is what an import has added.
type Imported struct {
	Text  Saying
	event visit.Event
}

// Saying is a text that stays on the page for longer, in whatever language it is read.
type Saying func(w *Words) string

// slice is how long the page works without a breath, and showsEvery how often it tells how far it is. A step between two
// looks at the clock takes a few milliseconds on a slow phone, and all of it should fit between two frames there.
const (
	slice      = 5 * time.Millisecond
	showsEvery = 300 * time.Millisecond
	doubtsStep = 10 // how many doubts are shown at first and with each "more"
)

var errStopped = errors.New("ui: the visitor stopped the import")

// Bring reads files in the background, in small slices, and shows what was found in them. Nothing of it is applied.
func (p *Page) Bring(files []importer.File) {
	if len(files) == 0 || p.Import.Stage == Working {
		return
	}
	m := &p.Import
	m.drop()
	m.Stage, m.Doing, m.stop = Working, p.W.BringReading(files[0].Name), &atomic.Bool{}
	w := &worker{p: p, stop: m.stop, matcher: m.matcher}
	p.announce(m.Doing)
	p.background(func() {
		breathe()
		w.began, w.shown = time.Now(), time.Now()
		library, err := importer.Read(files, inflate, w.rest)
		var matches []importer.Match
		if err == nil {
			w.say(p.W.BringLooking(len(library.Entries)))
			matches, err = w.match(library)
		}
		p.env.Lock()
		defer p.env.UnlockRender()
		m.Stage, m.matcher = Waiting, w.matcher
		switch {
		case err == errStopped:
			p.announce(p.W.BringStopped)
		case err != nil:
			m.Problem = func(w *Words) string { return w.BringProblem(importer.AsError(err)) }
		default:
			p.review(library, matches)
		}
	})
}

// BringUnread says that a file could not be handed over.
func (p *Page) BringUnread(name string, tooLarge bool) {
	p.Import.drop()
	p.Import.Problem = func(w *Words) string {
		if tooLarge {
			return w.BringProblem(&importer.Error{Reason: importer.TooLarge, File: name})
		}
		return w.BringUnreadable(name)
	}
}

// worker does long work in slices, outside of the render lock.
type worker struct {
	p            *Page
	stop         *atomic.Bool
	matcher      *importer.Matcher
	began, shown time.Time
}

// rest is an importer.Pause: where the slice is over it lets the browser in, and now and then shows how far it is.
func (w *worker) rest(done, total int) error {
	if w.stop.Load() {
		return errStopped
	}
	if time.Since(w.began) < slice {
		return nil
	}
	if time.Since(w.shown) >= showsEvery {
		w.p.env.Lock()
		w.p.Import.Done = fraction(float64(done), float64(total))
		w.p.env.UnlockRender()
		w.shown = time.Now()
	}
	breathe()
	w.began = time.Now()
	return nil
}

func (w *worker) say(text string) {
	w.p.env.Lock()
	w.p.Import.Doing, w.p.Import.Done = text, 0
	w.p.env.UnlockRender()
	breathe()
	w.began = time.Now()
}

func (w *worker) match(l *importer.Library) ([]importer.Match, error) {
	if w.matcher == nil {
		m, err := importer.NewMatcher(w.p.Engine, w.rest)
		if err != nil {
			return nil, err
		}
		w.matcher = m
	}
	return w.matcher.Match(l, w.rest)
}

// review shows what was found.
func (p *Page) review(l *importer.Library, matches []importer.Match) {
	m := &p.Import
	m.Stage, m.Library, m.Matches, m.Meaning = Reviewing, l, matches, importer.DefaultMeaning
	m.Chosen, m.DoubtsShown = make([]int, len(matches)), doubtsStep
	for _, s := range l.Sources {
		m.guessed = m.guessed || !s.Told
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		_, rated := l.Share(e)
		m.rated = m.rated || e.Rated
		m.unrated = m.unrated || !rated && e.Kind == importer.Had
	}
	for i := range matches {
		x := &matches[i]
		m.Chosen[i] = x.Likely()
		e := &l.Entries[x.Entry]
		_, rated := l.Share(e)
		switch {
		case e.Kind == importer.Wished && !rated:
			m.Wished++
			m.Chosen[i] = -1
		case x.Again:
		case x.Item >= 0:
			m.Found = append(m.Found, i)
		case len(x.Candidates) > 0:
			m.Doubts = append(m.Doubts, i)
		default:
			m.Missing = append(m.Missing, i)
		}
	}
	p.weigh()
	p.announce(p.W.BringFound(len(m.Found), len(m.Doubts), len(m.Missing)) + " " + p.W.BringAdds(m.Adds))
}

// weigh counts what agreeing would do. O(entries).
func (p *Page) weigh() {
	m := &p.Import
	m.Adds = Tally{}
	p.each(func(_ string, mark Mark, kept bool) {
		switch {
		case kept:
			m.Adds.Kept++
		case mark == LikedIt:
			m.Adds.Likes++
		case mark == NotForMe:
			m.Adds.Dislikes++
		default:
			m.Adds.Seen++
		}
	})
}

// each goes through what agreeing would mark, in the order of the file, each title once; kept tells that it is marked
// here already.
func (p *Page) each(f func(id string, mark Mark, kept bool)) {
	m := &p.Import
	if m.Library == nil {
		return
	}
	met := make(map[int]struct{}, len(m.Chosen))
	for i, item := range m.Chosen {
		if item < 0 {
			continue
		}
		mark := marked[m.Meaning.Mark(m.Library, &m.Library.Entries[m.Matches[i].Entry])]
		if _, twice := met[item]; twice || mark == Unmarked {
			continue
		}
		met[item] = struct{}{}
		f(p.Item(item).ID, mark, p.Log.Now().ByItem[item] != Unmarked)
	}
}

// marked are the page's marks for the importer's.
var marked = [...]Mark{importer.Ignored: Unmarked, importer.Liked: LikedIt, importer.Disliked: NotForMe, importer.Seen: SeenIt}

// AgreeImport adds what was found to what the visitor said, as one change.
func (p *Page) AgreeImport() {
	m := &p.Import
	if m.Stage != Reviewing {
		return
	}
	var changes []keep.Change
	p.each(func(id string, mark Mark, kept bool) {
		if !kept {
			changes = append(changes, keep.Change{ID: id, Mark: mark})
		}
	})
	sources, adds := m.Library.Sources, m.Adds
	text := func(w *Words) string { return w.BringDone(w.formats(sources), adds) }
	m.drop()
	if len(changes) == 0 {
		return
	}
	last := &Imported{text, p.Log.Mark(changes...)}
	m.Last = last
	p.offer(&Undo{Text: text(p.W), back: func() {
		if p.Import.Last == last {
			p.Import.Last = nil
		}
		p.undo([]visit.Event{last.event})
	}})
	p.changed()
}

// TakeImportBack takes away what the latest import added, but for titles that were marked anew since.
func (p *Page) TakeImportBack() {
	last := p.Import.Last
	if last == nil {
		return
	}
	p.Import.Last, p.Undo = nil, nil
	p.undo([]visit.Event{last.event})
	p.announce(p.W.BringTakenBack)
}

// CancelImport stops the work, or puts away what was found. Nothing has changed then.
func (p *Page) CancelImport() {
	if p.Import.stop != nil {
		p.Import.stop.Store(true)
	}
	if p.Import.Stage == Reviewing {
		p.Import.drop()
		p.announce(p.W.BringStopped)
	}
}

// drop forgets the latest file, but not what was added of earlier ones.
func (m *Importing) drop() {
	*m = Importing{Last: m.Last, matcher: m.matcher, stop: m.stop, Stage: Waiting}
}

// forgetImport stops what is being read and forgets what was, as when everything is erased.
func (p *Page) forgetImport() {
	m := &p.Import
	if m.stop != nil {
		m.stop.Store(true)
	}
	stage := m.Stage
	m.drop()
	m.Last = nil
	if stage == Working {
		m.Stage = Working // until the work has noticed
	}
}

// Choose takes match i for the item, −1 for none.
func (p *Page) Choose(i, item int) {
	p.Import.Chosen[i] = item
	p.weigh()
}

// ChooseAll takes every doubt for its first candidate, or for none.
func (p *Page) ChooseAll(first bool) {
	m := &p.Import
	for _, i := range m.Doubts {
		m.Chosen[i] = -1
		if first {
			m.Chosen[i] = m.Matches[i].Candidates[0].Item
		}
	}
	p.weigh()
	p.announce(p.W.BringAdds(m.Adds))
}

// SetScale changes the highest rating of the tables of which it is not told.
func (p *Page) SetScale(v float64) {
	for i := range p.Import.Library.Sources {
		if s := &p.Import.Library.Sources[i]; !s.Told {
			s.Scale = v
		}
	}
	p.weigh()
}

// filesCame takes in what was chosen, or dropped anywhere on the page; unread names a file that could not be handed
// over, because there is too much or because it is gone.
func (p *Page) filesCame(files []importer.File, unread string, large, dropped bool) {
	if dropped {
		p.GoImport()
	}
	if unread != "" {
		p.BringUnread(unread, large)
		return
	}
	p.Bring(files)
}

// GoImport shows where files are chosen.
func (p *Page) GoImport() {
	p.SetTab(TabTaste)
	focus("#import-file")
}
