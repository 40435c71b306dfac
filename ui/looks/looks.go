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
	theme uint8 // as shown by the browser
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

// SetTheme sets the colours: 0 for the system's, 1 for light, 2 for dark.
func (l *Looks) SetTheme(t uint8) { l.Set(func(s *keep.Settings) { s.Theme = t % 3 }) }

// SetLanguage sets the language.
func (l *Looks) SetLanguage(tag string) {
	l.Set(func(s *keep.Settings) { s.Language = tag })
	l.Announce(l.W.NowIn)
}
