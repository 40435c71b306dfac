//go:build !js

package e2e

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

var states = flag.String("states", "", "folder for pictures of all states")

// TestShotsOfStates writes screenshots of the page's states to the folder -states, relative to the root of the
// repository, for visual inspection. Without it nothing is done: each state has tests of its own.
func TestShotsOfStates(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	folder := *states
	if folder == "" {
		t.Skip("SKIPPED: run make screenshots to take pictures of the states")
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(root, folder)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	desk, tablet := persona{}, persona{Width: 820, Height: 1180, Phone: true}
	phone := persona{Width: 390, Height: 844, Phone: true, Scale: 2}
	for name, p := range map[string]persona{
		"desktop": desk, "tablet": tablet, "phone": phone, "small": {Width: 360, Height: 640, Phone: true},
		"zoom": {Width: 720, Height: 450, Scale: 2}, "wide": {Width: 1920, Height: 1080},
	} {
		for colours, change := range map[string]func(*persona){
			"light": func(*persona) {}, "dark": func(p *persona) { p.Dark = true },
			"forced": func(p *persona) { p.Forced = true }, "forced-dark": func(p *persona) { p.Forced, p.Dark = true, true },
			"german": func(p *persona) { p.Language = inGerman() },
		} {
			p := p
			change(&p)
			t.Run(name+"-"+colours, func(t *testing.T) {
				t.Parallel()
				newVisitor(t, p).tour(folder, name+"-"+colours)
			})
		}
	}
	for name, p := range map[string]persona{"desktop": desk, "tablet": tablet, "phone": phone} {
		t.Run("loading-"+name, func(t *testing.T) {
			t.Parallel()
			h := ownHost(t)
			held := make(chan struct{})
			defer close(held)
			defer h.replace(".msgpack", func(_ http.ResponseWriter, r *http.Request) {
				select {
				case <-held:
				case <-r.Context().Done():
				}
			})()
			v := newVisitor(t, p)
			v.must(chromedp.Do(v.ctx, chromedp.Evaluate[chromedp.Void](`location.href = `+quote(h.address)+`; undefined`)))
			until[bool](v, "the page to load", `document.querySelectorAll(".loading .starters-grid > *").length > 0`)
			v.shootNow(folder, "loading-"+name)
		})
		t.Run("damaged-"+name, func(t *testing.T) {
			t.Parallel()
			h := ownHost(t)
			v := newVisitor(t, p)
			defer h.replace(".msgpack", flipped(t))()
			v.open(h.address)
			v.reads("The page’s data is damaged.")
			v.shoot(folder, "damaged-"+name)
		})
		t.Run("away-"+name, func(t *testing.T) {
			t.Parallel()
			h := ownHost(t)
			v := newVisitor(t, p)
			v.open(h.address)
			v.likeForShots(three)
			if v.Width > 0 && v.Width < 1100 {
				v.tab(words.TabData) // shows when it is stored
			}
			v.siteStored()
			defer v.down(h)()
			v.reload()
			v.lists(answer(visit(t, three...), recommend.Request{}))
			see[bool](v, `(dispatchEvent(new Event("offline")), true)`)
			v.shoot(folder, "away-"+name)
		})
		t.Run("full-"+name, func(t *testing.T) {
			t.Parallel()
			p := p
			p.Before = `IDBFactory.prototype.open = () => { throw new DOMException("not here", "SecurityError"); };`
			v := newVisitor(t, p)
			v.open(ours.address)
			v.reads(words.StoreBlocked)
			v.like("Heat")
			v.shoot(folder, "full-"+name)
		})
		t.Run("failed-"+name, func(t *testing.T) {
			t.Parallel()
			p := p
			p.Before = `delete globalThis.WebAssembly`
			v := newVisitor(t, p)
			v.do(chromedp.Navigate(ours.address))
			v.reads("This page needs WebAssembly")
			v.shoot(folder, "failed-"+name)
		})
	}
}

// tour takes the screenshots of a visit.
func (v *visitor) tour(folder, name string) {
	v.Helper()
	w := v.Language
	first := func() string { return see[string](v, `document.querySelector(".card .title").textContent`) }
	shot := func(state string) { v.shoot(folder, name+"-"+state) }
	v.open(ours.address)
	v.sees("list", w.Starters)
	shot("first")
	v.search("qqqqzzzz")
	v.reads(w.NoMatchAdvice)
	shot("no-match")
	v.search("star")
	v.sees("list", w.SearchResults)
	shot("search")
	likes := []string{"Toy Story", "Spirited Away (Sen to Chihiro no kamikakushi)", "Heat", "Alien", "Amelie (Le Fabuleux destin d'Amélie Poulain)"}
	v.like(likes...)
	v.lists(answer(visit(v, likes...), recommend.Request{}))
	v.press(w.ClearSearch)
	shot("undo")
	v.dismiss()
	see[bool](v, `(document.activeElement.blur(), scrollTo(0, 0), true)`)
	shot("list")
	see[bool](v, `(document.querySelector(".card").scrollIntoView({ block: "start", behavior: "instant" }), true)`)
	shot("cards")
	if v.has("button", w.OtherTitle(first())) && v.Width < 1100 {
		v.press(w.OtherTitle(first()))
		shot("card-all")
	}
	v.press(w.WhyTitle(first()))
	see[bool](v, `(document.querySelector(".card").scrollIntoView({ block: "start", behavior: "instant" }), true)`)
	shot("why")
	v.press(w.WhyTitle(first()))
	v.openFilters()
	see[bool](v, `(scrollTo(0, 0), true)`)
	shot("filters")
	genre, decade := nothingOf(v)
	v.press(w.GenreName(genre), "group", w.Genres)
	v.press(w.Decade(decade), "group", w.Decades)
	v.reads(w.NothingLeft)
	see[bool](v, `(document.querySelector(".list-head").scrollIntoView({ block: "start", behavior: "instant" }), true)`)
	shot("nothing")
	v.press(w.ClearFilters)
	for _, address := range []string{"#browse", "#genre=Horror", "#together"} {
		see[bool](v, fmt.Sprintf(`(location.hash = %q, true)`, address))
		see[bool](v, `(scrollTo(0, 0), true)`)
		shot(address[1:])
	}
	if v.Width >= 1100 {
		see[bool](v, `(scrollTo(0, document.documentElement.scrollHeight), true)`)
		shot("end")
		return
	}
	for _, tab := range []string{w.TabTaste, w.TabData, w.TabMap} {
		if v.has("button", tab, "navigation", w.Views) {
			v.tab(tab)
			see[bool](v, `(scrollTo(0, 0), true)`)
			shot(tab)
		}
	}
}
