package ui

import (
	"testing"
	"time"

	"github.com/pmlam/pmlam/ui/browser"
)

// What the page knows of its own copy, and what it says of it.
func TestOffline(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	since := time.Date(2026, time.March, 4, 23, 0, 0, 0, time.Local)
	for _, c := range []struct {
		now  browser.Copy
		says string
	}{
		{browser.Copy{}, v.p.W.CopyNever},
		{browser.Copy{Able: true}, v.p.W.CopySoon},
		{browser.Copy{Able: true, Refused: true}, v.p.W.CopyRefused},
		{browser.Copy{Able: true, Refused: true, Full: true}, v.p.W.CopyNoRoom},
		{browser.Copy{Able: true, Since: since, Refused: true}, "Works offline since 4 March 2026.<"},
		{browser.Copy{Able: true, Since: since, Full: true}, "Works offline since 4 March 2026. " + v.p.W.CopyFull},
	} {
		v.does(func() { v.p.Offline.set(c.now) })
		v.sees(c.says)
		v.misses(v.p.W.Restart, `class="away"`)
	}
	v.does(func() { v.p.Offline.set(browser.Copy{Able: true, Since: since, Away: true}) })
	v.sees(`<span class="away">Offline</span>`)
	if v.p.Announced != v.p.W.Away {
		t.Errorf("screen readers heard %q, want that there is no network", v.p.Announced)
	}
	turn := v.p.AnnouncedTurn
	v.does(func() { v.p.Offline.set(browser.Copy{Able: true, Since: since, Away: true, Refused: true}) })
	if v.p.AnnouncedTurn != turn {
		t.Errorf("screen readers heard %q, which is no news", v.p.Announced)
	}
	v.does(func() { v.p.Offline.set(browser.Copy{Able: true, Since: since, Update: true}) })
	v.sees(">Restart to update<")
	v.misses(`class="away"`)
	if v.p.Announced != v.p.W.UpdateWaits {
		t.Errorf("screen readers heard %q, want that a new version waits", v.p.Announced)
	}
}
