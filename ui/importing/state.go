package importing

import (
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/tabs"
	"github.com/pmlam/pmlam/ui/undo"
	"github.com/pmlam/pmlam/ui/visit"
	"github.com/pmlam/pmlam/ui/words"
)

// Stage is the progress of an import.
type Stage uint8

// The stages.
const (
	Waiting   Stage = iota // for a file
	Working                // on a file
	Reviewing              // matches; nothing is added yet
)

// State is the state of "Import your ratings".
type State struct {
	*store.Store
	tabs  *tabs.State
	offer *undo.Offer

	imported
	Last    *Imported // the latest import since the page was opened
	stop    *atomic.Bool
	next    func()            // called instead of showing the result; nil: none
	matcher *importer.Matcher // created for the first file; used by one goroutine at a time
}

// imported is the state of the latest file. The zero value waits for a file.
type imported struct {
	Stage   Stage
	Doing   string  // the current work, for display
	Done    float64 // the progress, in [0,1]
	Problem Saying  // why the latest file could not be read; nil: it could

	Library *importer.Library
	Matches []importer.Match
	Meaning importer.Meaning
	Chosen  []int       // by match: the chosen item, or −1
	Found   []int       // certain matches
	Doubts  []int       // matches to be checked
	Missing []int       // matches that are not in the catalogue
	Wished  int         // entries of watchlists, which are in none of these
	Series  int         // series and episodes that the catalogue lacks, which are in none of these
	Adds    words.Tally // the effect of adding the file

	files []importer.File
	// there are ratings; their scale is guessed; there are titles without a rating; there are titles of a list
	rated, guessed, unrated, listed bool

	ShowFound, ShowMissing bool
	DoubtsShown            int
}

// Imported is a finished import.
type Imported struct {
	Text  Saying
	event visit.Event
	offer *undo.Undo
}

// Saying is a text that stays on the page, in whatever language the page has.
type Saying func(w *words.Words) string

// showsEvery is the interval between updates of the progress.
const (
	showsEvery = 300 * time.Millisecond
	doubtsStep = 10 // the doubts shown at first, and added by each "more"
)

var errStopped = errors.New("importing: stopped by the visitor")

// New returns the state of a first visit.
func New(s *store.Store, tabs *tabs.State, offer *undo.Offer) *State {
	m := &State{Store: s, tabs: tabs, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Erased {
			m.forget()
		}
	})
	return m
}

// Bring reads files in the background, in small slices, and shows their matches without adding them. It drops files
// that are still being read.
func (m *State) Bring(files []importer.File) {
	if len(files) > 0 {
		m.then(func() { m.read(files, "") })
	}
}

// then stops any reading, which shows nothing, and calls f after its end.
func (m *State) then(f func()) {
	if m.Stage != Working {
		f()
		return
	}
	m.stop.Store(true)
	m.next = f
}

// RateBy reads the files again, with this column as the ratings.
func (m *State) RateBy(column string) {
	files := m.files
	m.then(func() { m.read(files, column) })
}

// read reads the files. ratings is the column chosen by the visitor, or "".
func (m *State) read(files []importer.File, ratings string) {
	m.drop()
	m.Stage, m.Doing, m.stop = Working, m.W.BringReading(files[0].Name), &atomic.Bool{}
	w := &worker{m: m, stop: m.stop, matcher: m.matcher}
	m.Announce(m.Doing)
	m.Tasks.Background(func() {
		browser.NextTurn()
		w.began, w.shown = time.Now(), time.Now()
		library, err := importer.Read(files, browser.Inflate, w.pause, ratings)
		var matches []importer.Match
		if err == nil {
			w.say(m.W.BringLooking(len(library.Entries)))
			matches, err = w.match(library)
		}
		m.Tasks.Lock()
		defer m.Tasks.UnlockRender()
		m.Stage, m.matcher = Waiting, w.matcher
		next := m.next
		m.next = nil
		switch {
		case next != nil:
			next()
		case w.stop.Load(): // perhaps just after the end
			m.Announce(m.W.BringStopped)
		case err != nil:
			m.Problem = func(w *words.Words) string { return w.BringProblem(importer.AsError(err)) }
		default:
			m.files = files
			m.review(library, matches)
		}
	})
}

// BringUnread shows that a file could not be read.
func (m *State) BringUnread(name string, tooLarge bool) {
	m.then(func() {
		m.drop()
		m.Problem = func(w *words.Words) string {
			if tooLarge {
				return w.BringProblem(&importer.Error{Reason: importer.TooLarge, File: name})
			}
			return w.BringUnreadable(name)
		}
	})
}

// worker does long work in slices, without the render lock.
type worker struct {
	m            *State
	stop         *atomic.Bool
	matcher      *importer.Matcher
	began, shown time.Time
}

// pause is an importer.Pause: it lets the browser in after each slice, and shows the progress every so often.
func (w *worker) pause(done, total int) error {
	if w.stop.Load() {
		return errStopped
	}
	if time.Since(w.began) < browser.Slice {
		return nil
	}
	if time.Since(w.shown) >= showsEvery {
		w.m.Tasks.Lock()
		w.m.Done = markup.Fraction(float64(done), float64(total))
		w.m.Tasks.UnlockRender()
		w.shown = time.Now()
	}
	browser.NextTurn()
	w.began = time.Now()
	return nil
}

func (w *worker) say(text string) {
	w.m.Tasks.Lock()
	w.m.Doing, w.m.Done = text, 0
	w.m.Tasks.UnlockRender()
	browser.NextTurn()
	w.began = time.Now()
}

func (w *worker) match(l *importer.Library) ([]importer.Match, error) {
	if w.matcher == nil {
		m, err := importer.NewMatcher(w.m.Engine, w.pause)
		if err != nil {
			return nil, err
		}
		w.matcher = m
	}
	return w.matcher.Match(l, w.pause)
}

// review shows the matches.
func (m *State) review(l *importer.Library, matches []importer.Match) {
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
		m.listed = m.listed || !rated && e.Kind == importer.Listed
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
		case x.Other:
			m.Series++
		case x.Again:
		case x.Item >= 0:
			m.Found = append(m.Found, i)
		case len(x.Candidates) > 0:
			m.Doubts = append(m.Doubts, i)
		default:
			m.Missing = append(m.Missing, i)
		}
	}
	m.weigh()
	m.Announce(m.W.BringFound(len(m.Found), len(m.Doubts), len(m.Missing)) + " " + m.W.BringAdds(m.Adds))
}

// weigh counts the effect of adding the file. O(entries).
func (m *State) weigh() {
	m.Adds = words.Tally{}
	m.each(func(_ *importer.Entry, _ string, mark keep.Mark, kept bool) {
		switch {
		case kept:
			m.Adds.Kept++
		case mark == keep.Liked:
			m.Adds.Likes++
		case mark == keep.NotForMe:
			m.Adds.Dislikes++
		default:
			m.Adds.Seen++
		}
	})
}

// each calls f once for every title that adding the file would mark, in the file's order. kept means that the title is
// already marked here.
func (m *State) each(f func(e *importer.Entry, id string, mark keep.Mark, kept bool)) {
	if m.Library == nil {
		return
	}
	met := make(map[int]struct{}, len(m.Chosen))
	for i, item := range m.Chosen {
		if item < 0 {
			continue
		}
		e := &m.Library.Entries[m.Matches[i].Entry]
		mark := marked[m.Meaning.Mark(m.Library, e)]
		if _, twice := met[item]; twice || mark == keep.Unmarked {
			continue
		}
		met[item] = struct{}{}
		f(e, m.Entry(item).ID, mark, m.Now().ByItem[item] != keep.Unmarked)
	}
}

// marked maps the importer's marks to the page's.
var marked = [...]keep.Mark{importer.Ignored: keep.Unmarked, importer.Liked: keep.Liked,
	importer.Disliked: keep.NotForMe, importer.Seen: keep.Seen}

// stars returns an entry's rating in half stars, or 0 without one. Thumbs are not stars.
func (m *State) stars(e *importer.Entry) uint8 {
	share, rated := m.Library.Share(e)
	if scale := max(e.Of, m.Library.Sources[e.Source].Scale); !rated || scale <= 1 {
		return 0
	}
	return uint8(max(math.Round(keep.MaxStars*share), 1))
}

// AgreeImport adds the matches to the visitor's marks, as one change.
func (m *State) AgreeImport() {
	if m.Stage != Reviewing {
		return
	}
	var changes []keep.Change
	m.each(func(e *importer.Entry, id string, mark keep.Mark, kept bool) {
		if !kept {
			d := keep.Details{Stars: m.stars(e), When: e.When}
			changes = append(changes, keep.Change{ID: id, Mark: mark, Details: &d})
		}
	})
	sources, adds := m.Library.Sources, m.Adds
	text := func(w *words.Words) string { return w.BringDone(w.Formats(sources), adds) }
	m.drop()
	if len(changes) == 0 {
		return
	}
	last := &Imported{Text: text, event: m.Change(changes...)}
	m.Last = last
	last.offer = m.offer.Show(text(m.W), func() {
		if m.Last == last {
			m.Last = nil
		}
		m.Undo(last.event)
	})
}

// TakeImportBack undoes the latest import, except for titles that were marked again since.
func (m *State) TakeImportBack() {
	last := m.Last
	if last == nil {
		return
	}
	m.Last = nil
	m.offer.Withdraw(last.offer)
	m.Undo(last.event)
	m.Announce(m.W.BringTakenBack)
}

// CancelImport stops the work, or drops the matches. It changes no marks.
func (m *State) CancelImport() {
	m.halt()
	if m.Stage == Reviewing {
		m.drop()
		m.Announce(m.W.BringStopped)
	}
}

// halt stops reading, and drops the work that waits for its end.
func (m *State) halt() {
	m.next = nil
	if m.stop != nil {
		m.stop.Store(true)
	}
}

// drop forgets the latest file, but not earlier imports.
func (m *State) drop() { m.imported = imported{} }

// forget stops reading and forgets earlier imports, as after erasing everything.
func (m *State) forget() {
	m.halt()
	stage := m.Stage
	m.drop()
	m.Last = nil
	if stage == Working {
		m.Stage = Working // until the work has stopped
	}
}

// Choose matches entry i with an item; −1 means none.
func (m *State) Choose(i, item int) {
	m.Chosen[i] = item
	m.weigh()
}

// ChooseAll resolves every doubt with its first candidate, or with none.
func (m *State) ChooseAll(first bool) {
	for _, i := range m.Doubts {
		m.Chosen[i] = -1
		if first {
			m.Chosen[i] = m.Matches[i].Candidates[0].Item
		}
	}
	m.weigh()
	m.Announce(m.W.BringAdds(m.Adds))
}

// SetScale changes the highest rating of tables that do not state it.
func (m *State) SetScale(v float64) {
	for i := range m.Library.Sources {
		if s := &m.Library.Sources[i]; !s.Told {
			s.Scale = v
		}
	}
	m.weigh()
}

// Take takes files that were chosen, or dropped anywhere on the page.
func (m *State) Take(f browser.Files) {
	if f.Dropped {
		m.GoImport()
	}
	if f.Unread != "" {
		m.BringUnread(f.Unread, f.Large)
		return
	}
	m.Bring(f.Files)
}

// GoImport shows the button for choosing files.
func (m *State) GoImport() {
	m.tabs.SetTab(tabs.Taste)
	browser.Focus("#import-file")
}
