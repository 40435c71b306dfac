//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	speech "github.com/pmlam/pmlam/ui/words"
)

// The parts of the page, as named by this test, in their order.
const (
	searching = "search"
	tasting   = "taste"
	keeping   = "data"
	next      = "next"
	mapping   = "map"
)

// desktop, tablet and phone list the parts shown on a screen of that width, by selected tab; "" without tabs.
var desktop = map[string][]string{"": {searching, tasting, keeping, next, mapping}}

func tablet(w *speech.Words) map[string][]string {
	return map[string][]string{w.TabNext: {searching, next, mapping}, w.TabTaste: {searching, tasting, mapping},
		w.TabData: {keeping, mapping}}
}

func phone(w *speech.Words) map[string][]string {
	return map[string][]string{w.TabNext: {searching, next}, w.TabMap: {mapping}, w.TabTaste: {searching, tasting},
		w.TabData: {keeping}}
}

// box is the position of a part of the page, in CSS pixels from the page's corner.
type box struct{ X, Y, Width, Height float64 }

// parts returns the boxes of the visible parts.
func (v *visitor) parts() map[string]box {
	v.Helper()
	return see[map[string]box](v, `(() => {
		const out = {};
		for (const [part, role, name] of [["search", "search", ""], ["taste", "region", `+quote(v.Language.Taste)+`], ["data", "region", `+quote(v.Language.Data)+`], ["map", "region", `+quote(v.Language.Map)+`]]) {
			for (const e of visitor.find(role, name)) {
				const r = e.getBoundingClientRect();
				out[part] = { X: r.left + scrollX, Y: r.top + scrollY, Width: r.width, Height: r.height };
			}
		}
		const list = document.getElementById("next"); // its name depends on the list
		if (visitor.shown(list)) {
			const r = list.getBoundingClientRect();
			out.next = { X: r.left + scrollX, Y: r.top + scrollY, Width: r.width, Height: r.height };
		}
		return out;
	})()`)
}

// At every width the right parts are shown, without overlaps and without horizontal scrolling.
func TestLayout(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, screen := range []struct {
		persona
		views map[string][]string
	}{
		{persona{Width: 1440, Height: 900}, desktop},
		{persona{Width: 1100, Height: 800, Dark: true}, desktop},
		{persona{Width: 900, Height: 1100}, tablet(words)},
		{persona{Width: 700, Height: 1000, Dark: true}, tablet(words)},
		{persona{Width: 390, Height: 844, Phone: true}, phone(words)},
		{persona{Width: 360, Height: 640, Phone: true, Dark: true}, phone(words)},
	} {
		t.Run(fmt.Sprintf("%d wide", screen.Width), func(t *testing.T) {
			t.Parallel()
			screen.NoCopy = true
			v := newVisitor(t, screen.persona)
			v.checkAllViews(screen.views)
			v.colours()
			v.noErrors()
		})
	}
}

// checkAllViews opens the page and checks its views, on the first visit and after three likes.
func (v *visitor) checkAllViews(views map[string][]string) {
	v.Helper()
	v.open(ours.address)
	v.sees("list", words.Starters)
	v.checkViews(views, "on the first visit")
	v.like(three...)
	v.lists(answer(visit(v, three...), recommend.Request{}))
	v.openFilters()
	v.checkViews(views, "after three likes")
}

// checkViews checks each view.
func (v *visitor) checkViews(views map[string][]string, when string) {
	v.Helper()
	var tabs []string
	// The first view is last, so that it is shown at the end.
	for _, name := range []string{v.Language.TabTaste, v.Language.TabData, v.Language.TabMap, v.Language.TabNext} {
		if views[name] != nil {
			tabs = append(tabs, name)
		}
	}
	if len(tabs) == 0 {
		if v.has("navigation", v.Language.Views) {
			v.Errorf("%s: there are tabs although everything fits", when)
		}
		v.checkView(views[""], when)
		return
	}
	names := see[[]string](v, `visitor.names("button", ["navigation", `+quote(v.Language.Views)+`])`)
	slices.Sort(names)
	if want := slices.Sorted(slices.Values(tabs)); !slices.Equal(names, want) {
		v.Errorf("%s: the tabs are %q, want %q", when, names, want)
	}
	for _, name := range tabs {
		v.tab(name)
		v.checkView(views[name], when+", "+name)
	}
}

// checkView checks the visible view.
func (v *visitor) checkView(want []string, when string) {
	v.Helper()
	v.settled()
	see[bool](v, "scrollTo(0, 0), true")
	if got := see[[2]float64](v, `[innerWidth, Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)]`); got[0] != float64(
		v.Width,
	) ||
		got[1] > float64(v.Width) {
		v.Errorf("%s: on a screen of %d px the page is %v px wide, laid out for %v; rightmost: %s", when, v.Width, got[1],
			got[0], v.widest())
	}
	parts := v.parts()
	for _, part := range []string{searching, tasting, keeping, next, mapping} {
		if _, shown := parts[part]; shown != slices.Contains(want, part) {
			v.Errorf("%s: part %q is shown: %v", when, part, shown)
		}
	}
	for i, a := range want {
		for _, b := range want[i+1:] {
			w := min(parts[a].X+parts[a].Width, parts[b].X+parts[b].Width) - max(parts[a].X, parts[b].X)
			h := min(parts[a].Y+parts[a].Height, parts[b].Y+parts[b].Height) - max(parts[a].Y, parts[b].Y)
			if w > 1 && h > 1 {
				v.Errorf("%s: %s %v and %s %v overlap by %.0f × %.0f", when, a, parts[a], b, parts[b], w, h)
			}
		}
	}
	for _, part := range want {
		if b := parts[part]; b.Width < 120 || b.Height < 40 {
			v.Errorf("%s: part %q is too small: %v", when, part, b)
		}
	}
	if slices.Contains(want, mapping) {
		until[bool](v, "the map to be painted, "+when, `visitor.painted().colours > 4`)
	}
	order := []float64{parts[searching].X, parts[next].X, parts[mapping].X}
	if v.RightToLeft {
		slices.Reverse(order)
	}
	if v.Width >= 1100 && !slices.IsSorted(order) {
		v.Errorf("%s: the columns are not in the order taste, list, map: %v", when, parts)
	}
	for _, spilt := range see[[]string](v, spilling) {
		v.Errorf("%s: text overflows: %s", when, spilt)
	}
	if v.Phone {
		for _, small := range see[[]string](v, "("+targets+")(44)") {
			v.Errorf("%s: too small to touch: %s", when, small)
		}
		// The end of the page can be scrolled above the tab bar.
		if over := see[float64](v, `(() => {
			scrollTo(0, document.documentElement.scrollHeight);
			const bar = visitor.find("navigation", `+quote(v.Language.Views)+`)[0].getBoundingClientRect().top;
			const end = Math.max(...["next", "taste", "data", "map", "search"].flatMap((c) => [...document.querySelectorAll("main ." + c)]).filter(visitor.shown).map((e) => e.getBoundingClientRect().bottom));
			scrollTo(0, 0);
			return end - bar;
		})()`); over > 1 {
			v.Errorf("%s: the tab bar covers the last %.0f pixels of the page", when, over)
		}
	}
}

// targets lists touch targets that are smaller than a number of CSS pixels in either direction. A box and its label are
// one target.
const targets = `(least) => [...document.querySelectorAll("button, a[href], input, [role=button]")].filter(visitor.shown).flatMap((e) => {
	const boxes = [e, ...(e.labels ?? [])].map((x) => x.getBoundingClientRect());
	const width = Math.max(...boxes.map((b) => b.width)), height = Math.max(...boxes.map((b) => b.height));
	const r = boxes[0];
	if (r.bottom + scrollY <= 0 || (width >= least - 0.5 && height >= least - 0.5)) {
		return []; // invisible until focused, or large enough
	}
	return [visitor.around(e) + " " + JSON.stringify(visitor.name(e)) + " " + Math.round(width) + " × " + Math.round(height)];
})`

// spilling lists buttons and links whose text overflows their box, where it could overlap a neighbour. Text for screen
// readers is in a box of one pixel.
const spilling = `[...document.querySelectorAll("button, a[href], label")].filter(visitor.shown).flatMap((e) => {
	const box = e.getBoundingClientRect(), words = document.createRange();
	const out = (r) => r.left < box.left - 1 || r.right > box.right + 1;
	for (const text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT); text.nextNode();) {
		words.selectNodeContents(text.currentNode);
		if (text.currentNode.parentElement.getBoundingClientRect().width > 1 && [...words.getClientRects()].some(out)) {
			return [visitor.around(e) + " " + JSON.stringify(visitor.name(e))];
		}
	}
	return [];
})`

// widest names the rightmost element.
func (v *visitor) widest() string {
	v.Helper()
	return see[string](v, `(() => {
		let best = document.body, right = 0;
		for (const e of document.querySelectorAll("body *")) {
			const r = e.getBoundingClientRect();
			if (visitor.shown(e) && r.right > right) {
				[best, right] = [e, r.right];
			}
		}
		return visitor.around(best) + " to " + right;
	})()`)
}

// colours checks that the background follows the visitor's preference, and that the button for it works.
func (v *visitor) colours() {
	v.Helper()
	// Any CSS colour, as one pixel.
	const ground = `(() => {
		const g = new OffscreenCanvas(1, 1).getContext("2d");
		g.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
		g.fillRect(0, 0, 1, 1);
		const [r, green, b] = g.getImageData(0, 0, 1, 1).data;
		return (r + green + b) / 3 < 128 ? "dark" : "light";
	})()`
	want := "light"
	if v.Dark {
		want = "dark"
	}
	if got := see[string](v, ground); got != want {
		v.Errorf("a visitor who prefers %s sees %s", want, got)
	}
	// From automatic via light to dark.
	v.press(v.Language.Theme(v.Language.ThemeAuto))
	v.press(v.Language.Theme(v.Language.ThemeLight))
	v.sees("button", v.Language.Theme(v.Language.ThemeDark))
	if got := see[string](v, ground); got != "dark" {
		v.Errorf("after choosing dark the page is %s", got)
	}
	v.reload()
	if got := see[string](v, ground); got != "dark" {
		v.Errorf("after choosing dark and a reload the page is %s", got)
	}
}
