package ui

import (
	"errors"
	"strings"
	"time"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/visit"
)

// Storage brings the log and the store together. An event is pending in the log until the store has committed it
// together with whatever other tabs have written meanwhile; what then is stored is shown.
type Storage struct {
	*Session
	Device browser.Figures // the browser's figures of its storage
	Notice string          // something went wrong; it stays until that has passed

	store       Store // nil: there is none
	busy, dirty bool  // a goroutine is at work; there is more to do
	erase       erasing
	failures    int // in a row
	noticed     noticed
}

// erasing is what is to be erased before anything else is written.
type erasing uint8

const (
	eraseNothing erasing = iota
	eraseMarks           // what was marked
	eraseAll             // and the settings, and the copy of the page for use without a network
)

// save stores the log, in the background: once, however often it is called meanwhile. A failure is shown, the page goes
// on, and it is tried again.
func (s *Storage) save() {
	s.dirty = true
	s.work()
}

// work stores or erases what there is to store or erase, if no goroutine is at it.
func (s *Storage) work() {
	if s.busy || s.store == nil {
		return
	}
	s.busy = true
	pending := s.Log.Pending()
	s.background(func() {
		if pending > manyMarks {
			browser.NextTurn()
		}
		s.env.Lock()
		for s.dirty || s.erase != eraseNothing {
			s.dirty = false
			if what := s.erase; what != eraseNothing {
				s.env.UnlockOnly()
				err := s.store.Erase()
				if what == eraseAll {
					browser.Forget()
				}
				s.env.Lock()
				s.erased(what, err)
				continue
			}
			t, began := s.Log.Begin(), s.Log.Began
			s.env.UnlockOnly()
			err := s.store.Update(visit.Keys(), t.Run)
			if began {
				browser.Painted() // the list that a like brings goes first
			}
			s.env.Lock()
			s.kept(t, err)
		}
		first := !s.Ready
		s.busy = false
		s.Ready = true
		s.env.UnlockRender()
		if first {
			s.afterwards(s.on.idle)
		}
	})
}

// kept takes in what came of a transaction, and shows what is stored where that is not what is shown.
func (s *Storage) kept(t *visit.Transaction, err error) {
	switch {
	case s.Log.Stale(t):
		return
	case err != nil:
		s.failed(err)
		return
	}
	was, began := s.Log.Settings, s.Log.Began
	o := s.Log.Commit(t)
	s.failures = 0
	switch {
	case o.Newer:
		s.notice(noticeNewer)
	case o.Damaged:
		s.notice(noticeDamaged)
	}
	if s.noticed >= noticeBlocked && s.noticed <= noticeErase {
		s.notice(noticeNone)
		s.announce(s.W.StoredAgain)
	}
	if !began {
		s.takeScriptsSettings()
	}
	s.adopt(o, &was)
	if began && len(s.Log.Now().Likes) >= wanted && !s.Log.Settings.Asked {
		// There is something to lose now, and the visitor is here: a good moment, once.
		s.Log.Settings.Asked = true
		s.dirty = true
		s.persist()
		return
	}
	s.figures()
}

// takeScriptsSettings takes over the colours and the language that the page's scripts keep too: they are quicker, and a
// page that is left at once may not have stored them.
func (s *Storage) takeScriptsSettings() {
	if t, ok := browser.Theme(); ok && t != s.Log.Settings.Theme {
		s.Log.Settings.Theme = t
		s.dirty = true
	}
	if tag, ok := browser.ChosenLanguage(); ok && tag != s.Log.Settings.Language {
		s.Log.Settings.Language = tag
		s.dirty = true
	}
}

// adopt shows what a transaction has changed.
func (s *Storage) adopt(o visit.Outcome, was *Settings) {
	if o.Person {
		s.feed.dirty |= feedMarks
	}
	if o.Returned {
		s.on.person()
	}
	settings := !was.Same(&s.Log.Settings)
	s.on.settings(was)
	if settings {
		s.feed.dirty |= feedDim | feedDistances
	}
	if o.Marks || settings {
		s.on.refresh(false)
	}
}

// failed shows that nothing can be stored now, and tries again later.
func (s *Storage) failed(err error) {
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
		s.env.Lock()
		if s.failures == turn {
			s.save()
		}
		s.env.UnlockOnly()
	}()
}

// changedElsewhere is called when another tab has changed or erased what is stored, or may have.
func (s *Storage) changedElsewhere(erased bool) {
	s.env.Lock()
	defer s.env.UnlockRender()
	if !erased {
		s.save()
		return
	}
	s.on.erase(false)
	if s.busy {
		s.save() // what is being stored may come after it
	}
	s.announce(s.W.Erased)
}

// noticed is what a notice is about: it goes when that has passed.
type noticed uint8

const (
	noticeNone noticed = iota
	noticeBlocked
	noticeFull
	noticeErase
	noticeDamaged
	noticeNewer
)

// notice shows that something went wrong.
func (s *Storage) notice(about noticed) {
	w := s.W
	s.noticed = about
	s.Notice = [...]string{"", w.StoreBlocked, w.StoreFull, w.EraseFailed, w.StateDamaged, w.StateNewer}[about]
}

// erased is called when the store was asked to erase.
func (s *Storage) erased(what erasing, err error) {
	s.erase = eraseNothing
	if err != nil {
		s.notice(noticeErase)
		return
	}
	s.dirty = s.dirty || what == eraseMarks && !s.Log.Settings.Same(&Settings{})
	s.announce(s.W.Erased)
	s.figures()
}

// eraseStore erases what is stored.
func (s *Storage) eraseStore(what erasing) {
	if s.store == nil {
		s.announce(s.W.Erased)
		return
	}
	s.erase = what
	s.work()
}

// figures asks the browser how much this site stores, in the background; persist asks it to keep that even when space
// is short.
func (s *Storage) figures() { browser.AskFigures(s.learn) }
func (s *Storage) persist() { browser.AskToPersist(s.learn) }

// learn shows the browser's figures. It is called without the render lock.
func (s *Storage) learn(now browser.Figures) {
	s.env.Lock()
	if s.Device == now {
		s.env.UnlockOnly()
		return
	}
	s.Device = now
	s.env.UnlockRender()
}

// SaveAside hands the visitor what was stored and could not be read.
func (s *Storage) SaveAside() {
	s.background(func() {
		var b []byte
		err := s.store.Update([]string{visit.AsideKey}, func(values [][]byte) error {
			b = values[0]
			return nil
		})
		s.env.Lock()
		if err == nil && b != nil {
			browser.Download(strings.ToLower(s.Name)+"-set-aside.msgpack", "application/octet-stream", b)
		}
		s.env.UnlockRender()
	})
}
