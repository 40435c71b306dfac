//go:build !js

package e2e

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The browser is killed during and right after an update. One complete version then starts offline, and the update
// succeeds with the partial state.
func TestKilledDuringAnUpdate(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := newTinyHost(t, wholeSite, "one", "two", "three")
	profile := t.TempDir()
	const place = "k"
	come := func() *visitor { return newVisitor(t, persona{Profile: profile}) }
	starts := func(v *visitor) string {
		t.Helper()
		v.do(chromedp.Navigate(h.address(place)))
		return until[string](v, "the page", `document.documentElement?.dataset.stamps ?? ""`)
	}
	kept := func(v *visitor, version string) {
		t.Helper()
		until[bool](v, "the site to be kept", `globalThis.tiny?.known?.since > 0`)
		// The browser takes its time to persist the list of caches.
		v.wait("the browser to persist it", func() string {
			if mentions(t, profile, version) {
				return ""
			}
			return "no file of its caches names version " + version
		})
	}
	current := `document.querySelector("script[data-worker]").dataset.version`

	h.publish(place, published{Release: "one"})
	v := come()
	if got := starts(v); got != wholeSite.stampsOf("one") {
		t.Fatalf("the first visit shows %q", got)
	}
	version := see[string](v, current)
	for _, round := range []struct{ from, to, stall string }{
		{"one", "two", "style*"}, {"two", "three", ""},
	} {
		kept(v, version)
		stalled := make(chan bool, 9)
		h.publish(place, published{Release: round.to, File: round.stall})
		if round.stall != "" {
			h.stalls(place, stalled)
		}
		v.update()
		if round.stall == "" {
			until[bool](v, "the update to be there", "tiny.known.update")
		} else {
			<-stalled
		}
		if err := chromedp.FromContext(v.ctx).Browser.Process().Kill(); err != nil {
			t.Fatal(err)
		}
		h.stalls(place, nil)

		h.publish(place, published{Down: true})
		v = come()
		got := starts(v)
		if got != wholeSite.stampsOf(round.from) && (round.stall != "" || got != wholeSite.stampsOf(round.to)) {
			t.Fatalf("killed during the update from %s to %s, it starts with %q", round.from, round.to, got)
		}
		h.publish(place, published{Release: round.to})
		v.wait("the update", func() string {
			see[bool](v, lookForUpdate)
			if got := starts(v); got != wholeSite.stampsOf(round.to) {
				return "it starts with " + got
			}
			return ""
		})
		version = see[string](v, current)
	}
}

// mentions tells whether the lists of caches in a browser's profile contain the version.
func mentions(t *testing.T, profile, version string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(profile, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "index.txt" && strings.Contains(name, "CacheStorage") {
			b, err := os.ReadFile(name)
			found = found || err == nil && bytes.Contains(b, []byte(version))
		}
		return nil // the browser creates and removes files meanwhile
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
