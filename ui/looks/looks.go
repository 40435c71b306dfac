// Package looks chooses the page's colours and language.
package looks

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/store"
)

// Looks are the page's colours and language.
type Looks struct {
	*store.Store
	theme uint8 // that the browser shows
}

// New returns the looks of a first visit. The colours follow the settings.
func New(s *store.Store) *Looks {
	l := &Looks{Store: s}
	s.Subscribe(func(store.Event) {
		if now := s.Settings().Theme; now != l.theme {
			l.theme = now
			browser.SetTheme(now)
		}
	})
	return l
}

// SetTheme chooses the colours: 0 as the system, 1 light, 2 dark.
func (l *Looks) SetTheme(t uint8) { l.Set(func(s *keep.Settings) { s.Theme = t % 3 }) }

// SetLanguage chooses the language.
func (l *Looks) SetLanguage(tag string) {
	l.Set(func(s *keep.Settings) { s.Language = tag })
	l.Announce(l.W.NowIn)
}
