//go:build !js

package e2e

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// Every request is for a file of the page; once the page is complete and cached, nothing is sent at all, whatever the
// visitor does. Both the browser's and the host's records are checked.
func TestNothingIsSent(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for name, host := range hosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			v := newVisitor(t, persona{Requests: true})
			v.open(h.address)
			v.sees("list", words.Starters)
			v.siteStored()
			sent, asked := v.requests(), h.count()
			loaded := h.since(0)
			ofThePage(t, h, sent)
			for _, request := range loaded {
				if method, path, _ := strings.Cut(request, " "); method != http.MethodGet {
					t.Errorf("the page sent %s %s", method, path)
				}
			}

			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			everything(t, v)

			v.press(words.Home) // a round trip through the page, so that pending requests are sent
			for _, address := range v.requests()[len(sent):] {
				t.Errorf("after the page was complete, it sent a request for %s", address)
			}
			for _, request := range h.since(asked) {
				t.Errorf("after the page was complete, the host received: %s", request)
			}
			v.noErrors()
		})
	}
}

// ofThePage checks that all addresses are files of the site on the host.
func ofThePage(t *testing.T, h *host, addresses []string) {
	t.Helper()
	if len(addresses) < 5 {
		t.Errorf("only %d requests were recorded, fewer than the page has: %q", len(addresses), addresses)
	}
	page, err := url.Parse(h.address)
	if err != nil {
		t.Fatal(err)
	}
	for i, address := range addresses {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		name, within := strings.CutPrefix(u.Path, page.Path)
		if u.Scheme != page.Scheme || u.Host != page.Host || !within {
			t.Errorf("a request went outside the site: %s", address)
			continue
		}
		if u.RawQuery != "" {
			t.Errorf("a request contains data: %s", address)
		}
		if name == "" {
			name = "index.html"
		}
		if _, err := os.Stat(filepath.Join(built, filepath.FromSlash(name))); err != nil {
			t.Errorf("a request is for a file outside the site: %s", address)
		}
		if slices.Contains(addresses[:i], address) {
			t.Errorf("%s was requested twice", address)
		}
	}
}

// everything uses every part of the page once.
func everything(t *testing.T, v *visitor) {
	t.Helper()
	v.openFilters()
	v.press(words.Modes[recommend.HiddenGems])
	v.lists(answer(visit(t, three...), recommend.Request{Mode: recommend.HiddenGems}))
	v.press(words.Modes[recommend.ForYou])
	v.press("Comedy")
	v.attribute("button", "Comedy", "aria-pressed", "true")
	v.press(words.ClearFilters)
	v.byDistance()
	v.attribute("button", words.ViewDistance, "aria-pressed", "true")
	v.press(words.ViewMap)
	v.press(words.ZoomIn)
	v.press(words.ZoomOut)
	v.press(words.AsText)
	v.press(words.AsText)
	v.press(words.About)
	v.search("zzzz")
	v.press(words.ClearSearch)
	first := v.headings()[0]
	v.press(firstOf(t, v, "Why? "), "list", "Recommendations")
	v.press(firstOf(t, v, "Not for me: "), "list", "Recommendations")
	v.wait("the first card to go", func() string {
		if slices.Contains(v.headings(), first) {
			return "it is still there"
		}
		return ""
	})
	v.press(words.Undo)
	v.lists(answer(visit(t, three...), recommend.Request{}))
}

// firstOf returns the full name of the first card's button with this prefix.
func firstOf(t *testing.T, v *visitor, prefix string) string {
	t.Helper()
	cards := v.cards()
	if len(cards) == 0 {
		t.Fatal("no cards")
	}
	for _, b := range cards[0].Buttons {
		if strings.HasPrefix(b, prefix) {
			return b
		}
	}
	t.Fatalf("the first card has no button %q…: %q", prefix, cards[0].Buttons)
	return ""
}

// openFilters shows the filters by genre and decade.
func (v *visitor) openFilters() {
	v.Helper()
	if !v.has("group", v.Language.Genres) {
		v.press(v.Language.Filter(0))
		v.sees("group", v.Language.Genres)
	}
}

// On a plain file server, under a sub-path and without our headers, the page gives the same ten and keeps them over a
// reload.
func TestPlainHost(t *testing.T) {
	t.Parallel()
	h := plainHost(t)
	v := newVisitor(t, persona{Requests: true})
	v.open(h.address)
	v.like(three...)
	want := answer(visit(t, three...), recommend.Request{})
	v.lists(want)
	explained(t, v)
	v.likesStored(three...)
	v.reload()
	v.lists(want)
	for _, address := range v.requests() {
		if !strings.HasPrefix(address, h.address) {
			t.Errorf("the page under %s requested %s", under, address)
		}
	}
	v.noErrors()
}
