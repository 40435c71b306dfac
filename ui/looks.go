package ui

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/words"
)

// Looks are the page's colours and language.
type Looks struct {
	*Session
	storage *Storage
	list    *ListState
	offer   *UndoState
	sharing *Sharing
	backup  *BackupState
}

// SetTheme chooses the colours: 0 as the system, 1 light, 2 dark.
func (l *Looks) SetTheme(t uint8) {
	was := l.Log.Settings
	l.Log.Settings.Theme = t % 3
	l.follow(&was)
	l.storage.save()
}

// SetLanguage chooses the language.
func (l *Looks) SetLanguage(tag string) {
	l.Log.Settings.Language = tag
	l.translate()
	l.storage.save()
	l.announce(l.W.NowIn)
}

// follow gives the page the colours and the language of the settings, where they differ from what they were.
func (l *Looks) follow(was *Settings) {
	now := &l.Log.Settings
	if now.Theme != was.Theme {
		browser.SetTheme(now.Theme)
		l.feed.dirty |= feedColours
	}
	if now.Language != was.Language {
		l.translate()
	}
}

// translate changes to the language of the settings. What was shown in another one for a moment, such as an offer to
// undo, is taken away.
func (l *Looks) translate() {
	w := words.Speak(browser.SetLanguage(l.Log.Settings.Language))
	if w.Tag == l.W.Tag {
		return
	}
	l.use(w)
	l.offer.Undo = nil
	l.storage.notice(l.storage.noticed)
	l.sharing.Result, l.list.Copied = "", ""
	if l.backup.Opened != nil && l.backup.Opened.Problem != "" {
		l.backup.Opened = nil
	}
	l.feed.dirty |= feedWords
	l.list.nameDocument()
	l.list.refresh(false) // its announcement and advice are in the language
}
