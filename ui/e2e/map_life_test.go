//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// A card with the pointer or the focus points to its title on the map: paths from the likes that led to it, which grow
// from there, or with reduced motion are there at once. A new like sends out a ring, and the glow blooms.
func TestMapLife(t *testing.T) {
	t.Parallel()
	const noted = `
		let frames = 0;
		const count = () => { frames++; requestAnimationFrame(count); };
		requestAnimationFrame(count);
		performance.now = () => 16 * frames;
		globalThis.seen = { paths: new Set(), rings: new Set(), blooms: new Set() };
		const g = CanvasRenderingContext2D.prototype, { quadraticCurveTo, arc, drawImage } = g;
		const m = () => document.querySelector(".map-host")?.map;
		g.quadraticCurveTo = function (...p) { if (this === m()?.context) seen.paths.add(m().traced); return quadraticCurveTo.apply(this, p); };
		g.arc = function (...p) { if (this === m()?.context && m().landed.length > 0 && m().landing < 1) seen.rings.add(p[2]); return arc.apply(this, p); };
		g.drawImage = function (...p) { if (this === m()?.context && this.globalAlpha < 1 && p.length === 5) seen.blooms.add(p[3]); return drawImage.apply(this, p); };`
	many := func(v *visitor, what string) int {
		return see[int](v, `[...seen.`+what+`].filter((t) => t < 1 || "`+what+`" !== "paths").length`)
	}
	for _, motion := range []bool{false, true} {
		v := newVisitor(t, persona{Motion: motion, Before: noted})
		v.open(ours.address)
		v.like(three...)
		said := visit(t, three...)
		v.lists(answer(said, recommend.Request{}))
		v.mapAtRest()
		see[bool](v, `(Object.values(seen).forEach((s) => s.clear()), true)`)
		v.like("Aliens")
		said.Likes = append(said.Likes, find(t, "Aliens"))
		v.lists(answer(said, recommend.Request{}))
		v.mapAtRest()
		rings, blooms := many(v, "rings"), many(v, "blooms")
		top := see[int](v, `Number(document.querySelector("#recommendations > .card").dataset.key)`)
		likes := see[int](v, fmt.Sprintf(`%s.because.get(%d)?.length ?? 0`, picture, top))
		if likes == 0 {
			t.Fatalf("the map knows no likes that led to %s", native.Item(top).Title)
		}
		for _, way := range []string{
			`document.querySelector("#recommendations > .card .title").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`,
			`document.querySelector("#recommendations > .card .why-button").focus()`} {
			see[bool](v, `(document.activeElement.blur(), document.body.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })), seen.paths.clear(), true)`)
			v.mapAtRest()
			if n := see[int](v, `seen.paths.size`); n > 0 {
				t.Errorf("without a card, paths are drawn")
			}
			see[bool](v, `(`+way+`, true)`)
			until[bool](v, "the whole path", `seen.paths.has(1)`)
			v.mapAtRest()
			if got := see[int](v, picture+`.current`); got != top {
				t.Errorf("the map points to title %d, want %d", got, top)
			}
			if n := many(v, "paths"); motion == (n < 3) {
				t.Errorf("motion %v: a path was drawn in %d parts", motion, n)
			}
		}
		if motion == (rings < 3) || motion == (blooms < 3) {
			t.Errorf("motion %v: after a like, %d rings and %d sizes of the glow were drawn", motion, rings, blooms)
		}
		v.noErrors()
	}
}

// The map fills the screen at the press of a button, and leaves it at the next.
func TestMapFullScreen(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	width := see[float64](v, picture+`.width`)
	v.press(words.FullScreen)
	until[bool](v, "the map alone", `document.fullscreenElement === document.querySelector(".panel.map")`)
	until[bool](v, "a larger map", fmt.Sprintf(`%s.width > %v && %[1]s.width >= innerWidth - 1`, picture, 1.5*width))
	v.press(words.FullScreen)
	until[bool](v, "the page", `document.fullscreenElement === null`)
	until[bool](v, "the map in the page", fmt.Sprintf(`Math.abs(%s.width - %v) < 1`, picture, width))
	v.noErrors()
}

// The map turns by a right angle where it then fills its window better: never both in a wide window and in a tall one,
// and every title stays within the window, with its neighbours.
func TestMapTurns(t *testing.T) {
	t.Parallel()
	turned := map[bool]bool{}
	for name, p := range map[string]persona{"wide": {Width: 680, Height: 400, Phone: true}, "tall": {Width: 390, Height: 844,
		Phone: true}} {
		v := newVisitor(t, p)
		v.open(ours.address)
		v.like(three...)
		v.tab(words.TabMap)
		v.mapAtRest()
		got := see[struct {
			Turned          bool
			Fits, Otherwise float64
			Outside         int
		}](v, `(() => {
			const m = `+picture+`, [[x0, x1], [y0, y1]] = m.extent;
			const fits = (w, h) => Math.min(m.width / w, m.height / h);
			let outside = 0;
			m.home();
			const c = m.cameraTo ?? m.camera;
			for (let i = 0; i < m.n; i++) {
				const x = m.width / 2 + (m.at[2 * i] - c.x) * c.k, y = m.height / 2 - (m.at[2 * i + 1] - c.y) * c.k;
				if (x < 0 || y < 0 || x > m.width || y > m.height) outside++;
			}
			return { turned: m.turned, fits: fits(x1 - x0, y1 - y0), otherwise: fits(y1 - y0, x1 - x0), outside };
		})()`)
		if got.Otherwise > 1.1*got.Fits*1.001 {
			t.Errorf("%s: turned %v fits %.2f, the other way %.2f", name, got.Turned, got.Fits, got.Otherwise)
		}
		if got.Outside > native.Len()/50 {
			t.Errorf("%s: %d titles are outside", name, got.Outside)
		}
		turned[got.Turned] = true
		v.noErrors()
	}
	if len(turned) != 2 {
		t.Errorf("wide and tall windows have the map the same way round: turned %v", turned)
	}
}
