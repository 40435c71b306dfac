package offline_test

import (
	"testing"
	"time"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/internal/uitest"
)

// The page describes each state of its copy, and announces only news.
func TestOffline(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	since := time.Date(2026, time.March, 4, 23, 0, 0, 0, time.Local)
	for _, c := range []struct {
		now  browser.Copy
		says string
	}{
		{browser.Copy{}, v.P.W.CopyNever},
		{browser.Copy{Able: true}, v.P.W.CopySoon},
		{browser.Copy{Able: true, Refused: true}, v.P.W.CopyRefused},
		{browser.Copy{Able: true, Refused: true, Full: true}, v.P.W.CopyNoRoom},
		{browser.Copy{Able: true, Since: since, Refused: true}, "Works offline (saved 4 March 2026).<"},
		{browser.Copy{Able: true, Since: since, Full: true}, "Works offline (saved 4 March 2026). " + v.P.W.CopyFull},
	} {
		v.Does(func() { v.P.Offline.Set(c.now) })
		v.Sees(c.says)
		v.Misses(v.P.W.Restart, `class="away"`)
	}
	v.Does(func() { v.P.Offline.Set(browser.Copy{Able: true, Since: since, Away: true}) })
	v.Sees(`<span class="away">Offline</span>`)
	if v.P.Announced != v.P.W.Away {
		t.Errorf("screen readers heard %q, want the loss of the network", v.P.Announced)
	}
	turn := v.P.AnnouncedTurn
	v.Does(func() { v.P.Offline.Set(browser.Copy{Able: true, Since: since, Away: true, Refused: true}) })
	if v.P.AnnouncedTurn != turn {
		t.Errorf("screen readers heard %q, which is not news", v.P.Announced)
	}
	v.Does(func() { v.P.Offline.Set(browser.Copy{Able: true, Since: since, Update: true}) })
	v.Sees(">Restart to update<")
	v.Misses(`class="away"`)
	if v.P.Announced != v.P.W.UpdateWaits {
		t.Errorf("screen readers heard %q, want news of the waiting version", v.P.Announced)
	}
}
