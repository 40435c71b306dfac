package store

import (
	"errors"
	"strings"
	"time"

	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// storage stores the log on the disk. An event is pending in the log until the disk has committed it, together with the
// changes of other tabs; then the result is shown.
type storage struct {
	Device browser.Figures // the browser's figures of this site's storage
	Notice string          // a current problem; shown until it is over

	disk        Disk // nil: nothing is kept
	busy, dirty bool // a goroutine is at work; it has more to do
	erase       erasing
	failures    int // in a row
	noticed     noticed
}

// erasing is the part to erase before anything else is written.
type erasing uint8

const (
	eraseNothing erasing = iota
	eraseMarks           // the marks
	eraseAll             // the marks, the settings and the offline copy of the page
)

// save stores the log in the background; calls in the meantime are served by one run. A failure is shown and retried
// while the page goes on.
func (s *Store) save() {
	s.dirty = true
	s.work()
}

// work starts a goroutine that stores or erases, unless it is running.
func (s *Store) work() {
	if s.busy || s.disk == nil {
		return
	}
	s.busy = true
	pending := s.log.Pending()
	s.Tasks.Background(func() {
		if pending > manyEvents {
			browser.NextTurn()
		}
		s.Tasks.Lock()
		for s.dirty || s.erase != eraseNothing {
			s.dirty = false
			if what := s.erase; what != eraseNothing {
				s.Tasks.Unlock()
				err := s.disk.Erase()
				if what == eraseAll {
					browser.Forget()
				}
				s.Tasks.Lock()
				s.erased(what, err)
				continue
			}
			t, began := s.log.Begin(), s.log.Began
			s.Tasks.Unlock()
			err := s.disk.Update(visit.Keys(), t.Run)
			if began {
				browser.Painted() // the new list is drawn first
			}
			s.Tasks.Lock()
			s.kept(t, err)
		}
		s.busy = false
		if !s.Ready {
			s.Ready = true
			s.tell(Event{Ready: true})
		}
		s.Tasks.UnlockRender()
	})
}

// kept takes in the result of a transaction, and shows the stored visit where it differs.
func (s *Store) kept(t *visit.Transaction, err error) {
	switch {
	case s.log.Stale(t):
		return
	case err != nil:
		s.failed(err)
		return
	}
	was, began := s.log.Settings, s.log.Began
	o := s.log.Commit(t)
	s.failures = 0
	switch {
	case o.Newer:
		s.notice(noticeNewer)
	case o.Damaged:
		s.notice(noticeDamaged)
	}
	if s.noticed >= noticeBlocked && s.noticed <= noticeErase {
		s.notice(noticeNone)
		s.Announce(s.W.StoredAgain)
	}
	if !began {
		s.takeScriptsSettings()
	}
	s.adopt(o, &was)
	if began && len(s.log.Now().Likes) >= Wanted && !s.log.Settings.Asked {
		// Ask for persistence once, now that the visitor is here and has something to lose.
		s.log.Settings.Asked = true
		s.dirty = true
		s.Persist()
		return
	}
	s.figures()
}

// takeScriptsSettings adopts the colours and the language that the page's scripts store too. The scripts are faster: a
// page that is left at once may not have stored them.
func (s *Store) takeScriptsSettings() {
	if t, ok := browser.Theme(); ok && t != s.log.Settings.Theme {
		s.log.Settings.Theme = t
		s.dirty = true
	}
	if tag, ok := browser.ChosenLanguage(); ok && tag != s.log.Settings.Language {
		s.log.Settings.Language = tag
		s.dirty = true
	}
}

// adopt shows the changes of a transaction.
func (s *Store) adopt(o visit.Outcome, was *keep.Settings) {
	now := &s.log.Settings
	if o.Marks || o.Person || !was.Same(now) {
		e := Event{Marks: o.Marks, Partner: o.Marks || o.Person, Person: o.Returned, Tuned: tuned(was, now)}
		s.translated(&e)
		s.tell(e) // without storing again: tabs would notify each other forever
	}
}

// failed shows that nothing can be stored, and retries later.
func (s *Store) failed(err error) {
	s.failures++
	type noRoom interface {
		error
		NoRoom()
	}
	if _, full := errors.AsType[noRoom](err); full {
		s.notice(noticeFull)
	} else {
		s.notice(noticeBlocked)
	}
	turn := s.failures
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(time.Second << min(turn, 4)) // from two seconds to sixteen
		s.Tasks.Lock()
		if s.failures == turn {
			s.save()
		}
		s.Tasks.Unlock()
	}()
}

// changedElsewhere is called when another tab has, or may have, changed or erased the stored visit.
func (s *Store) changedElsewhere(erased bool) {
	s.Tasks.Lock()
	defer s.Tasks.UnlockRender()
	if !erased {
		s.save()
		return
	}
	s.forget(false)
	if s.busy {
		s.save() // it may have changed after the running transaction read it
	}
	s.Announce(s.W.Erased)
}

// noticed is the subject of a notice. The notice stays until the problem is over.
type noticed uint8

const (
	noticeNone noticed = iota
	noticeBlocked
	noticeFull
	noticeErase
	noticeDamaged
	noticeNewer
)

// notice shows a problem.
func (s *Store) notice(about noticed) {
	w := s.W
	s.noticed = about
	s.Notice = [...]string{"", w.StoreBlocked, w.StoreFull, w.EraseFailed, w.StateDamaged, w.StateNewer}[about]
}

// erased is called with the result of an erasure.
func (s *Store) erased(what erasing, err error) {
	s.erase = eraseNothing
	if err != nil {
		s.notice(noticeErase)
		return
	}
	s.dirty = s.dirty || what == eraseMarks && !s.log.Settings.Same(&keep.Settings{})
	s.Announce(s.W.Erased)
	s.figures()
}

func (s *Store) eraseDisk(what erasing) {
	if s.disk == nil {
		s.Announce(s.W.Erased)
		return
	}
	s.erase = what
	s.work()
}

// figures asks the browser for this site's use of storage, in the background.
func (s *Store) figures() { browser.AskFigures(s.learn) }

// Persist asks the browser to keep the stored visit even when space is short.
func (s *Store) Persist() { browser.AskToPersist(s.learn) }

// learn shows the browser's figures. It is called without the render lock.
func (s *Store) learn(now browser.Figures) {
	s.Tasks.Lock()
	if s.Device == now {
		s.Tasks.Unlock()
		return
	}
	s.Device = now
	s.Tasks.UnlockRender()
}

// SaveAside gives the visitor a file of the stored bytes that could not be read.
func (s *Store) SaveAside() {
	s.Tasks.Background(func() {
		var b []byte
		err := s.disk.Update([]string{visit.AsideKey}, func(values [][]byte) error {
			b = values[0]
			return nil
		})
		s.Tasks.Lock()
		if err == nil && b != nil {
			browser.Download(strings.ToLower(s.Name)+"-set-aside.msgpack", "application/octet-stream", b)
		}
		s.Tasks.UnlockRender()
	})
}

// Unread reports that the disk could not be read so far, so it may hold a visit.
func (s *Store) Unread() bool { return !s.log.Began && s.failures > 0 }

// EraseMarks erases both people's marks, here and on the disk, and the set-aside bytes. Settings stay.
func (s *Store) EraseMarks() {
	s.forget(true)
	s.eraseDisk(eraseMarks)
}

// EraseAll erases everything that this page has stored on the device.
func (s *Store) EraseAll() {
	s.forget(false)
	s.eraseDisk(eraseAll)
}

// forget resets the store to a first visit. With settings, the settings stay.
func (s *Store) forget(settings bool) {
	s.log.Erase(settings)
	s.dirty = false
	s.notice(noticeNone)
	e := Event{Erased: true, View: s.view != address.View{}}
	if s.view.Kind != address.Own {
		browser.SetAddress("")
	}
	s.view = address.View{}
	s.translated(&e)
	s.tell(e)
}
