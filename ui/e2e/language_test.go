//go:build !js

package e2e

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
	speech "github.com/pmlam/pmlam/ui/words"
)

// said lists all texts of the page, including hidden ones, a line for each element and attribute.
const said = `(() => {
	const out = [document.title, document.querySelector("meta[name=description]").content, document.getElementById("live").textContent];
	for (const e of document.querySelectorAll("body *")) {
		if (!e.checkVisibility() || e.closest("script")) continue;
		for (const a of ["aria-label", "title", "placeholder"]) if (e.hasAttribute(a)) out.push(e.getAttribute(a));
		for (const n of e.childNodes) if (n.nodeType === Node.TEXT_NODE && n.data.trim() !== "") out.push(n.data);
	}
	return out.map((s) => s.replace(/\\s+/g, " ").trim());
})()`

// english matches words that German sentences do not contain.
var english = regexp.MustCompile(
	`(?i)\b(the|and|your?|is|of|not|to|with|this|that|from|likes?|seen|more|page|titles|films|for|than|are|what|it|we|by|on|no|all|yet|works|made|show|open|save|close|undo)\b`,
)

// checkGerman fails if the page has English text, except titles, data set names, licence texts and names of languages.
func (v *visitor) checkGerman(state string) {
	v.Helper()
	about := native.About()
	foreign := []string{about.Licence, about.Attribution, about.Dataset, "English", "The StoryGraph"}
	for i := range native.Len() {
		title := native.Item(i).Title
		brief, _, _ := strings.Cut(title, " (")
		foreign = append(foreign, title, brief)
	}
	foreign = slices.DeleteFunc(foreign, func(s string) bool { return len(s) < 3 }) // "M" occurs in too many words
	slices.SortFunc(foreign, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for i, s := range foreign {
		foreign[i] = strings.Join(strings.Fields(s), " ")
	}
	for _, line := range see[[]string](v, said) {
		left := line
		for _, s := range foreign {
			left = strings.ReplaceAll(left, s, "#")
		}
		if word := english.FindString(left); word != "" {
			v.Errorf("%s: %q is not German: %q", state, word, line)
		}
	}
}

// With German as the language, the whole page is German, from the first byte to screen reader announcements, on desktop
// and phone; its layout is as good as the English one, and no rule of axe-core is broken.
func TestGerman(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	german := inGerman()
	t.Run("on a desktop", func(t *testing.T) {
		t.Parallel()
		v := newVisitor(t, persona{Language: german})
		v.open(ours.address)
		if got := see[[]string](v, `[document.documentElement.lang, document.documentElement.dir, document.title]`); !slices.Equal(
			got,
			[]string{"de", "ltr", "Ellipsis: was als Nächstes?"},
		) {
			t.Errorf("language, direction and title are %q", got)
		}
		v.sees("list", german.Starters)
		v.checkGerman("the first visit")
		v.search("qqqqzzzz")
		v.reads(german.NoMatchAdvice)
		v.checkGerman("no match")
		v.like(three...)
		v.lists(answer(visit(t, three...), recommend.Request{}))
		v.checkGerman("three likes")
		v.openFilters()
		v.press(german.GenreName("Comedy"), "group", german.Genres)
		v.attribute("button", german.GenreName("Comedy"), "aria-pressed", "true", "group", german.Genres)
		v.press(firstOf(t, v, "Warum? "), "list", german.Recommendations)
		v.press(german.HowKnown)
		v.press(german.AsText)
		v.press(german.About)
		v.press(german.Erase)
		v.sees("button", german.EraseYes)
		v.checkGerman("with everything open")
		see[bool](v, `(scrollTo(0, 0), true)`) // what is scrolled under the head is no target
		v.accessible(script, "with everything open, in German")
		v.press(german.AsText)
		v.press(german.ViewDistance)
		v.attribute("button", german.ViewDistance, "aria-pressed", "true")
		v.checkGerman("the map of distances")
		v.chooseImport(written(
			t,
			"meine.csv",
			[]byte(
				"Title,Year,Rating\nHeat,1995,5\nAlien,,4\nGattaca,1997,2\nQqzz,1990,1\nStar Wars,,5\nMatrix,1999,\n",
			),
		))
		v.sees("button", german.BringAgree)
		v.checkGerman("what a file holds")
		v.press(german.BringCancel)
		v.do(chromedp.Navigate(ours.address + "#browse"))
		v.reads(german.BrowseNote)
		v.checkGerman("genres and decades")
		v.do(chromedp.Navigate(ours.address + "#genre=Sci-Fi"))
		until[bool](v, "the genre in the title", `document.title.startsWith("Science-Fiction")`)
		v.checkGerman("a genre")
		v.noErrors()
	})
	t.Run("on a phone", func(t *testing.T) {
		t.Parallel()
		v := newVisitor(t, persona{Width: 360, Height: 640, Phone: true, Dark: true, Language: german})
		v.open(ours.address)
		v.sees("list", german.Starters)
		v.checkViews(phone(german), "on the first visit, in German")
		v.like(three...)
		v.lists(answer(visit(t, three...), recommend.Request{}))
		v.openFilters()
		v.checkViews(phone(german), "after three likes, in German")
		for _, tab := range []string{german.TabMap, german.TabTaste, german.TabData} {
			v.tab(tab)
			v.checkGerman(tab)
			v.accessible(script, tab+", in German")
		}
		v.noErrors()
	})
	t.Run("before the program runs", func(t *testing.T) {
		t.Parallel()
		h := ownHost(t)
		v := newVisitor(t, persona{Language: german})
		defer h.replace(".msgpack", flipped(t))()
		v.open(h.address)
		v.reads(german.ModelDamaged)
		v.reads(german.FailureKept)
		w := newVisitor(t, persona{Language: german, Before: "delete globalThis.WebAssembly"})
		w.must(w.driver.navigate(ours.address)) // it never finishes loading
		w.reads("Diese Seite braucht WebAssembly")
		w.checkGerman("without WebAssembly")
	})
}

// Switching the language takes effect at once, in all tabs, and for later visits, even offline.
func TestLanguageIsChosen(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{})
	german := inGerman()
	speaks := func(v *visitor, w *speech.Words) {
		t.Helper()
		v.reads(w.Private)
		v.sees("region", w.Map)
		until[bool](
			v,
			"the language "+w.Tag,
			`document.documentElement.lang === `+quote(
				w.Tag,
			)+` && document.querySelector("canvas")?.getAttribute("aria-label").startsWith(`+quote(
				w.MapCanvas(native.Len()),
			)+`)`,
		)
		v.Language = w
	}
	v.open(h.address)
	v.like("Heat")
	other := v.anotherTab()
	other.open(h.address)
	v.press(german.Own, "group", words.Language)
	speaks(v, german)
	v.attribute("button", german.Own, "aria-pressed", "true", "group", german.Language)
	v.announced(german.NowIn)
	v.reads("Von vielen geliebt, und weil dir Heat gefällt")
	v.checkGerman("after the choice")
	if role, name := v.focused(); role != "button" || name != german.Own {
		t.Errorf("the focus went to the %s %q", role, name)
	}
	speaks(other, german)
	v.reload()
	speaks(v, german)
	v.siteStored()
	restore := v.down(h)
	v.reload()
	speaks(v, german)
	restore()
	v.press("English", "group", german.Language)
	speaks(v, words)
	speaks(other, words)
	v.noErrors()
}

// rightToLeft mirrors the page as words.js does for a right-to-left language.
const rightToLeft = `new MutationObserver(() => { if (document.documentElement.dir !== "rtl") document.documentElement.dir = "rtl"; })
	.observe(document, { attributes: true, subtree: true, childList: true, attributeFilter: ["dir"] })`

// The mirrored page is laid out as well: nothing overlaps or needs scrolling, directional parts are mirrored, and
// others are not.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, screen := range []struct {
		persona
		views map[string][]string
	}{
		{persona{Width: 1440, Height: 900}, desktop},
		{persona{Width: 900, Height: 1100}, tablet(words)},
		{persona{Width: 360, Height: 640, Phone: true}, phone(words)},
	} {
		t.Run(fmt.Sprintf("%d wide", screen.Width), func(t *testing.T) {
			t.Parallel()
			screen.RightToLeft, screen.Before = true, rightToLeft
			v := newVisitor(t, screen.persona)
			v.checkAllViews(screen.views)
			v.checkMirrored()
			if screen.views[""] != nil {
				v.labels("turned round")
			}
			v.noErrors()
		})
	}
}

// checkMirrored checks that directional parts point left.
func (v *visitor) checkMirrored() {
	v.Helper()
	wrong := see[[]string](v, `(() => {
		const out = [], at = (e) => e.getBoundingClientRect(), shown = visitor.shown;
		for (const s of [...document.querySelectorAll(".slider")].filter(shown)) {
			const [from, , to] = [...s.children].map(at);
			if (from.left < to.right) out.push("a slider's " + s.textContent);
		}
		for (const b of [...document.querySelectorAll(".bar")].filter(shown)) {
			const line = at(b.querySelector(".bar-line")), rect = at(b.querySelector("rect"));
			if (Math.abs(line.right - rect.right) > 1) out.push("the bar of " + b.textContent);
			if (at(b.querySelector(".bar-name")).left < line.right) out.push("the name of the bar of " + b.textContent);
		}
		for (const c of [...document.querySelectorAll(".card")].filter(shown)) {
			if (at(c.querySelector(".tile")).left < at(c.querySelector(".card-title")).left) out.push("the tile of " + c.textContent);
		}
		for (const e of document.querySelectorAll(".title, .starter-title, .reason b")) {
			if (getComputedStyle(e).direction !== "ltr" || !getComputedStyle(e).unicodeBidi.includes("isolate")) out.push("the title " + e.textContent);
		}
		return out;
	})()`)
	for _, s := range wrong {
		v.Errorf("not mirrored: %s", s)
	}
}

// Zoomed to 200% and 400%, everything is there in one column, without horizontal scrolling (WCAG 2.2, 1.4.4 and
// 1.4.10). The same holds with the browser's text at twice the size.
func TestZoom(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, screen := range []persona{
		{Width: 640, Height: 400, Scale: 2}, // 1280 × 800 at 200%
		{Width: 320, Height: 256, Scale: 4}, // 1280 × 1024 at 400%
		{Width: 320, Height: 256, Language: inGerman()},
	} {
		t.Run(fmt.Sprintf("%d wide, %s", screen.Width, cmp.Or(screen.Language, words).Tag), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, screen)
			w := v.Language
			v.open(ours.address)
			v.sees("list", w.Starters)
			v.checkViews(phone(w), "on the first visit")
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			v.openFilters()
			v.press(firstOf(t, v, w.WhyTitle("")), "list", w.Recommendations)
			v.checkViews(phone(w), "after three likes")
			v.noErrors()
		})
	}
}
