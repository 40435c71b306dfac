//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	speech "github.com/pmlam/pmlam/ui/words"
)

// A phone shows at least three cards between the header and the tabs, in both languages, and "…" opens the other
// actions on a title.
func TestCardsOnAPhone(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, w := range []*speech.Words{inEnglish(), inGerman()} {
		t.Run(w.Tag, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Width: 390, Height: 844, Phone: true, Language: w})
			v.open(ours.address)
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			v.press(w.ClearSearch)
			v.dismiss()
			fit := see[[]float64](v, `(() => {
				const box = (s) => document.querySelector(s).getBoundingClientRect();
				document.querySelector(".card").scrollIntoView({ block: "start", behavior: "instant" });
				const top = box(".head").bottom, bottom = box(".tabs").top;
				return [...document.querySelectorAll(".card")].map((c) => c.getBoundingClientRect())
					.filter((r) => r.top >= top - 1 && r.bottom <= bottom + 1).map((r) => r.height);
			})()`)
			if len(fit) < 3 {
				t.Errorf("%d cards fit on a phone, with heights %.0f; want three", len(fit), fit)
			}
			if !see[bool](v, `getComputedStyle(document.querySelector(".legend")).maskImage.includes("gradient")`) {
				t.Error("nothing shows that the map's legend goes on")
			}
			title := see[string](v, `document.querySelector(".card .title").textContent`)
			list := []string{"list", w.Recommendations}
			if v.has("button", w.SeenTitle(title), list...) {
				t.Error("the card shows all actions before they are requested")
			}
			v.press(w.OtherTitle(title), list...)
			v.attribute("button", w.OtherTitle(title), "aria-expanded", "true", list...)
			v.sees("button", w.MoreLikeTitle(title), list...)
			v.press(w.SeenTitle(title), list...)
			v.announced(w.SawIt(v.Language.Isolate(title)))
			v.noErrors()
		})
	}
}

// The startup error fits a phone, including the digest in it.
func TestFailureFitsAPhone(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{Width: 360, Height: 640, Phone: true})
	defer h.replace(".msgpack", flipped(t))()
	v.open(h.address)
	v.reads("The page’s data is damaged.")
	if wide := see[float64](v, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the error is %v wide", wide)
	}
}

// Tabbing reaches the first film before the button that erases everything.
func TestFilmsComeBeforeErase(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("list", words.Starters)
	before := func(first, erase string) {
		t.Helper()
		order := see[[]int](v, fmt.Sprintf(`((all) => [%s, %s].map((name) => all.findIndex((e) => visitor.name(e) === name)))(
			[...document.querySelectorAll("button, a[href], input")].filter((e) => e.tabIndex === 0))`, quote(first), quote(erase)))
		if order[0] < 0 || order[1] < order[0] {
			t.Errorf("%q is tab stop %d, and %q tab stop %d", first, order[0], erase, order[1])
		}
	}
	before("Like "+native.Item(native.Starters(1, 0)[0]).Title, words.BackupOpen)
	v.like(three...)
	list := native.Recommend(visit(t, three...), native.Taste(visit(t, three...), nil), recommend.Request{K: 1})
	v.lists(answer(visit(t, three...), recommend.Request{}))
	before("Like "+native.Item(list[0].Item).Title, words.Erase)
}

// With forced colours, selected items differ from others, and their text is readable.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	for _, dark := range []bool{false, true} {
		t.Run(fmt.Sprintf("dark %v", dark), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Dark: dark, Forced: true})
			v.open(ours.address)
			v.sees("list", words.Starters)
			v.accessible(script, "the first visit")
			v.press("Like "+native.Item(native.Starters(1, 0)[0]).Title, "list", words.Starters)
			v.openFilters()
			v.press("Comedy", "group", words.Genres)
			v.accessible(script, "one picked")
			for _, alike := range see[[]string](v, `["starter", "chip", "mode", "dot"].filter((kind) => {
				const all = [...document.querySelectorAll("." + kind)].filter(visitor.shown);
				const on = (e) => e.getAttribute("aria-pressed") === "true" || e.classList.contains("on");
				const ground = (want) => all.filter((e) => on(e) === want).map((e) => getComputedStyle(e).backgroundColor)[0];
				const said = document.documentElement.appendChild(document.createElement("i"));
				said.style.cssText = "forced-color-adjust: none; color: HighlightText";
				const unread = getComputedStyle(all.find(on)).color !== getComputedStyle(said).color;
				said.remove();
				return unread || ground(true) === undefined || ground(false) === undefined || ground(true) === ground(false);
			})`) {
				t.Errorf("the selected one of %s looks like the others", alike)
			}
			if edges := see[string](v, `getComputedStyle(document.querySelector(".tile")).borderTopWidth`); edges != "1px" {
				t.Errorf("the tiles have the borders %q", edges)
			}
			v.noErrors()
		})
	}
}

// Targets are at least 44 pixels wide and high on a tablet, and 24 for a mouse, in every view.
func TestTargets(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, p := range []persona{{Width: 820, Height: 1180, Phone: true}, {Width: 1366, Height: 1024, Phone: true}, {}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			least := 44.0
			if !p.Phone {
				least = 24
			}
			check := func(when string) {
				t.Helper()
				for _, small := range see[[]string](v, fmt.Sprintf("(%s)(%v)", targets, least)) {
					t.Errorf("%s: smaller than %v pixels: %s", when, least, small)
				}
			}
			v.open(ours.address)
			v.sees("list", words.Starters)
			check("on the first visit")
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			v.openFilters()
			v.press(firstOf(t, v, "Why? "), "list", words.Recommendations)
			check("after three likes")
			if v.Width < 1100 {
				v.tab(words.TabTaste)
				check("the taste")
				v.tab(words.TabData)
			}
			v.press(words.About)
			v.press(words.Erase)
			check("the data")
			see[bool](v, `(location.hash = "#together", true)`)
			v.sees("textbox", words.PersonName)
			check("for two")
			see[bool](v, `(location.hash = "#browse", true)`)
			v.sees("heading", words.Browse)
			check("genres and decades")
		})
	}
}
