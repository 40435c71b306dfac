//go:build !js

package e2e

import (
	"fmt"
	"path"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Whichever file of a new version cannot be had, and however: the update is refused, the version before goes on without
// a network, and the next update succeeds. Every file of every page is of one release.
func TestEveryFetchFails(t *testing.T) {
	needBrowser(t)
	h := newTinyHost(t, "one", "two")
	var files []string
	for name := range h.releases["two"] {
		if base := path.Base(name); base != "service-worker.js" && base != ".nojekyll" {
			files = append(files, base)
		}
	}
	v := h.driver(t)
	result := see[struct {
		Trials int
		Wrong  []string
	}](v, fmt.Sprintf("trials.all(%s, %s, %s, %s)", list(files), list(faults), quote(stampsOf("one")), quote(stampsOf("two"))))
	if want := len(files) * len(faults); result.Trials != want || want < 100 {
		t.Errorf("there were %d trials, want %d, which should be at least 100", result.Trials, want)
	}
	for _, w := range result.Wrong {
		t.Error(w)
	}
}

// A release that fails to start twice gives way to the one before: one that says so, one that does not, one whose tab is
// closed. One that was only left early does not.
func TestBadReleases(t *testing.T) {
	needBrowser(t)
	h := newTinyHost(t, "one", "two", "three", "broken", "silent", "slow")
	v := h.driver(t)
	for _, trial := range []struct{ name, script string }{
		{"says so", `trials.rollback("b1", "broken", "three", false)`},
		{"does not", `trials.rollback("b2", "silent", "three", false)`},
		{"closed", `trials.rollback("b3", "silent", "two", true)`},
		{"left early", `trials.impatience("b4", "slow")`},
		{"alone and damaged", `trials.alone("b5")`},
		{"two damaged", `trials.both("b7", ["one", "two"])`},
		{"tabs", `trials.tabs("b6", ["one", "two", "three"])`},
	} {
		t.Run(trial.name, func(t *testing.T) {
			v := *v
			v.TB = t
			for _, wrong := range see[[]string](&v, trial.script) {
				t.Error(wrong)
			}
		})
	}
}

// A page that is loaded again while a new worker waits, without a network and with nothing in the browser's own cache, has
// all of its files, of the release that waits, and counts as no failure. Chromium has been seen to take the page from its
// worker then and the page's files past it, once in three times on a busy machine.
func TestReloadWhileAWorkerWaits(t *testing.T) {
	needBrowser(t)
	h := newTinyHost(t, "one", "two")
	v := newVisitor(t, persona{Limit: 8 * time.Minute})
	seen := func() string {
		t.Helper()
		return until[string](v, "the page", `document.documentElement?.dataset.stamps ?? ""`)
	}
	for round := range 8 {
		place := fmt.Sprint("w", round)
		h.publish(place, published{Release: "one", Unkept: true})
		v.do(chromedp.Navigate(h.address(place)))
		seen()
		until[bool](v, "the site to be kept", `globalThis.tiny?.known?.since > 0`)
		v.do(chromedp.Reload()) // now it is the worker's
		if got := seen(); got != stampsOf("one") {
			t.Fatalf("round %d: the page of the older worker shows %q", round, got)
		}
		h.publish(place, published{Release: "two", Unkept: true})
		see[bool](v, `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => true)`)
		until[bool](v, "the update to be there", "tiny.known.update")
		until[bool](v, "the new worker to wait", `navigator.serviceWorker.getRegistration().then((r) => r.waiting !== null)`)
		h.publish(place, published{Down: true})
		see[bool](v, `delete document.documentElement.dataset.stamps && location.reload() === undefined`)
		if got := seen(); got != stampsOf("two") {
			t.Fatalf("round %d: loaded again it shows %q", round, got)
		}
		if n := see[int](v, fmt.Sprintf(failures, quote("site /"+place+"/ "))); n != 0 {
			t.Errorf("round %d: %d starts are held to have failed", round, n)
		}
	}
}

// failures is the script that adds up the failed starts that the records of versions hold, whose caches' names begin so.
const failures = `caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(%s)).map((cacheName) =>
	caches.match(new URL("?version", location.href), { cacheName }).then((record) => record.json())))).then((all) => all.reduce((sum, r) => sum + r.failures, 0))`
