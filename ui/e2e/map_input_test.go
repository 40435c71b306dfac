//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/keep"
)

// nothingThere is a position on the map m without a region's name or a title, and with nothing over it, in pixels of
// the picture.
const nothingThere = `(() => {
	const step = 8, r = m.canvas.getBoundingClientRect();
	for (let y = step; y < m.height; y += step) {
		for (let x = step; x < m.width; x += step) {
			const free = document.elementFromPoint(r.x + x, r.y + y) === m.canvas;
			if (free && m.names.region(x, y, step) < 0 && m.hit(x, y, 4 * step) < 0) {
				return [x, y];
			}
		}
	}
})()`

// With a mouse, the wheel scrolls the page unless the map was clicked or Ctrl is held; dragging moves the map; hovering
// shows a title with its distance.
func TestMapByMouse(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.press(words.ClearSearch)
	before := v.camera()
	x, y := v.spot(0.5, 0.7)
	wheel := func(modifiers int64) {
		v.Helper()
		v.mouse(input.DispatchMouseEventTypeMouseWheel, x, y,
			input.DispatchMouseEventParams{DeltaX: 1, DeltaY: 120, Modifiers: modifiers})
	}
	see[bool](v, `(visitor.watchFor(`+quote(words.MapWheel)+`), true)`)
	see[bool](v, `(addEventListener("scrollend", () => (visitor.scrolled = true), { once: true }), true)`)
	wheel(0)
	until[bool](v, "the word on the wheel", `visitor.appeared.has(`+quote(words.MapWheel)+`)`)
	until[bool](v, "the page to have scrolled", "visitor.scrolled && scrollY > 0")
	if now := v.camera(); now.K != before.K {
		t.Errorf("the wheel zoomed a map that was not clicked from %v to %v", before.K, now.K)
	}
	x, y = v.spot(0.5, 0.7)
	const ctrl = 2
	wheel(ctrl)
	until[bool](v, "the map to zoom with Ctrl", fmt.Sprintf("%s.camera.k < %v", picture, before.K))
	v.mapAtRest()
	v.clickMap("a place where nothing opens", nothingThere)
	before = v.camera()
	wheel(0)
	until[bool](v, "the clicked map to zoom", fmt.Sprintf("%s.camera.k < %v", picture, before.K))
	if now := v.camera(); now.Scroll != before.Scroll {
		t.Errorf("the wheel over the clicked map scrolled the page from %v to %v", before.Scroll, now.Scroll)
	}

	before = v.camera()
	v.mouse(input.DispatchMouseEventTypeMousePressed, x, y,
		input.DispatchMouseEventParams{Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
	for i := range 10 {
		v.mouse(input.DispatchMouseEventTypeMouseMoved, x-float64(8*i), y-float64(5*i),
			input.DispatchMouseEventParams{Button: input.MouseButtonLeft, Buttons: 1})
	}
	v.mouse(input.DispatchMouseEventTypeMouseReleased, x-72, y-45,
		input.DispatchMouseEventParams{Button: input.MouseButtonLeft, ClickCount: 1})
	now := v.camera()
	if dx, dy := (now.X-before.X)*now.K,
		(before.Y-now.Y)*now.K; math.Abs(dx-72) > 9 || math.Abs(dy-45) > 9 || now.K != before.K {
		t.Errorf("dragged by 72 and 45 pixels the map moved by %.1f and %.1f", dx, dy)
	}

	liked := find(t, three[0])
	at := see[[2]float64](
		v,
		fmt.Sprintf(
			`(() => { const m = %s, r = m.canvas.getBoundingClientRect(); m.home(); return visitor.frames(2).then(() => [r.x + m.sx(%d), r.y + m.sy(%d)]); })()`,
			picture,
			liked,
			liked,
		),
	)
	v.mouse(input.DispatchMouseEventTypeMouseMoved, at[0], at[1], input.DispatchMouseEventParams{})
	v.reads(named(liked) + " " + words.MarkedAs[0] + " · " +
		words.FromYou(native.Distance(native.Taste(visit(t, three...), nil), liked)))
	v.noErrors()
}

// With touch, one finger moves the map, two zoom it, a tap opens a title, and the page does not scroll.
func TestMapByTouch(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 360, Height: 740, Phone: true, Scale: 2})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.tab(words.TabMap)
	before := v.camera()
	x, y := v.spot(0.5, 0.5)
	v.touch(input.DispatchTouchEventTypeTouchStart, [2]float64{x, y})
	for i := range 12 {
		v.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{x - float64(5*i), y - float64(8*i)})
	}
	v.touch(input.DispatchTouchEventTypeTouchEnd)
	now := v.camera()
	if dx, dy := (now.X-before.X)*now.K, (before.Y-now.Y)*now.K; math.Abs(dx-55) > 12 || math.Abs(dy-88) > 12 {
		t.Errorf("a finger that moved by 55 and 88 pixels moved the map by %.1f and %.1f", dx, dy)
	}
	if now.Scroll != before.Scroll {
		t.Errorf("the page scrolled by %v", now.Scroll-before.Scroll)
	}
	v.touch(input.DispatchTouchEventTypeTouchStart, [2]float64{x - 40, y}, [2]float64{x + 40, y})
	for i := range 10 {
		d := 40 + float64(4*i)
		v.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{x - d, y}, [2]float64{x + d, y})
	}
	v.touch(input.DispatchTouchEventTypeTouchEnd)
	if zoomed := v.camera(); math.Abs(zoomed.K/now.K-1.9) > 0.2 {
		t.Errorf("fingers moving from 80 to 152 pixels apart zoomed by %v", zoomed.K/now.K)
	}
	liked := find(t, three[1])
	see[bool](v, fmt.Sprintf(`(%s.show(%d), true)`, picture, liked)) // zoomed in, because others are near it
	v.sees("group", three[1])
	see[bool](v, fmt.Sprintf(`(%s.o.open(-1), true)`, picture))
	v.misses("group", three[1])
	v.mapAtRest()
	v.clickMap(three[1], fmt.Sprintf("[m.sx(%d), m.sy(%[1]d)]", liked))
	v.sees("group", three[1])
	v.noErrors()
}

// Arrow keys move to the nearest title in their direction, as an exhaustive search finds it, and announce it. The title
// under the pointer is the one that an exhaustive search finds, in both views and among ten thousand titles.
func TestMapNeighbours(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.neighbours("on the map")
	v.byDistance()
	v.neighbours("by distance")
	v.press(words.ViewMap)
	v.mapAtRest()

	v.tabTo("the map", starts("application", words.MapCanvas(native.Len())))
	taste := native.Taste(visit(t, three...), nil)
	order := native.Recommend(visit(t, three...), taste, recommend.Request{K: 10})
	said := func(what string, want func(item int, text string) string) (item int) {
		v.Helper()
		v.wait(what, func() string {
			text := see[string](v, `document.getElementById("live").textContent`)
			i, ok := titleOf(text)
			if !ok {
				return fmt.Sprintf("it says %q", text)
			}
			item = i
			return want(i, text)
		})
		return item
	}
	v.keys(right)
	from := said("the first of the next titles", func(i int, text string) string {
		if i != order[0].Item || !strings.Contains(text, words.PlaceInList(1)) ||
			!strings.Contains(text, words.FromYou(order[0].Distance)) {
			return fmt.Sprintf("it says %q", text)
		}
		return ""
	})
	for _, key := range []string{right, down, right, up} {
		next := see[int](v, fmt.Sprintf(`(() => { const m = %s; return m.near.toward(%d, %v, m.passes); })()`, picture,
			from, map[string]string{right: "1, 0", down: "0, -1", up: "0, 1"}[key]))
		v.keys(key)
		from = said("a neighbour", func(i int, text string) string {
			if i != next {
				return fmt.Sprintf("it says %q, the nearest that way is %q", text, named(next))
			}
			return ""
		})
	}
	liked := find(t, three[2])
	see[bool](v, fmt.Sprintf(`(%s.pointTo(%d), true)`, picture, liked))
	said("that a title is liked", func(i int, text string) string {
		if i != liked || !strings.Contains(text, words.MarkedAs[keep.Liked-1]) {
			return fmt.Sprintf("it says %q", text)
		}
		return ""
	})
	v.noErrors()
}

// neighbours compares the grid with an exhaustive search.
func (v *visitor) neighbours(when string) {
	v.Helper()
	v.mapAtRest()
	got := see[struct{ Asked, Ways, Lost int }](v, `(() => {
		const m = `+picture+`, out = { asked: 0, ways: 0, lost: 0 };
		const all = (cost) => { let best = -1, limit = Infinity; for (let i = 0; i < m.n; i++) { const c = cost(i); if (c < limit) { limit = c; best = i; } } return limit; };
		const at = (i) => [m.at[2 * i], m.at[2 * i + 1]];
		for (let n = 0; n < 200; n++) {
			const i = (n * 7919) % m.n, [x, y] = at(i);
			for (const [ux, uy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
				const cost = (j) => { const dx = at(j)[0] - x, dy = at(j)[1] - y, d = Math.hypot(dx, dy), along = dx * ux + dy * uy; return j !== i && d > 0 && along > 0.6 * d ? d * d / along : Infinity; };
				const found = m.near.toward(i, ux, uy, () => true);
				out.asked++;
				out.ways += found >= 0;
				out.lost += (found < 0 ? Infinity : cost(found)) !== all(cost);
			}
			const px = x + (n % 5 - 2) * 0.01, py = y + (n % 3 - 1) * 0.01, far = (j) => Math.hypot(at(j)[0] - px, at(j)[1] - py);
			out.asked++;
			out.lost += Math.abs(far(m.near.nearest(px, py, Infinity, () => true)) - all(far)) > 1e-9;
		}
		return out;
	})()`)
	if got.Asked != 1000 || got.Ways < 700 || got.Lost > 0 {
		v.Errorf(
			"%s: of %d queries the grid answers %d differently from an exhaustive search; %d of 800 steps have a target",
			when,
			got.Asked,
			got.Lost,
			got.Ways,
		)
	}
}

// With ten thousand titles, points drawn in slices, stretched and copied end up like points drawn at once, names do not
// overlap, and the grid is right.
func TestMapOfTenThousand(t *testing.T) {
	t.Parallel()
	h, other := syntheticHost(t, tenThousand)
	v := newVisitor(t, persona{})
	v.open(h.address)
	v.press(see[[]string](v, `visitor.names("button", ["list", `+quote(words.Starters)+`])`)[0])
	until[bool](v, "ten recommendations", `visitor.cards().length === 10`)
	v.labels("ten thousand")
	v.neighbours("ten thousand")
	if n := see[int](v, picture+".n"); n != other.Len() {
		t.Errorf("the map has %d points for %d titles", n, other.Len())
	}
	differ := see[float64](v, `(async () => {
		const m = `+picture+`;
		const rest = async () => { do { await visitor.frames(1); } while (m.frame !== undefined); };
		m.zoom(2.5);
		await rest();
		for (let i = 0; i < 30; i++) { m.pan(Math.round(11 * Math.cos(i / 5)), 13); await visitor.frames(1); }
		await rest();
		const look = () => {
			const copy = new OffscreenCanvas(m.canvas.width, m.canvas.height).getContext("2d", { willReadFrequently: true });
			copy.drawImage(m.canvas, 0, 0);
			return copy.getImageData(0, 0, m.canvas.width, m.canvas.height).data;
		};
		const copied = look();
		m.dots.stale(true);
		let frames = 1;
		while (m.draw()) { frames++; }
		const fresh = look();
		let differ = 0;
		for (let i = 0; i < copied.length; i += 4) { differ += Math.abs(copied[i + 3] - fresh[i + 3]) > 40; }
		return frames < 2 ? frames : differ / (copied.length / 4); // must be drawn in several frames
	})()`)
	if differ > 0.02 {
		t.Errorf("%.1f%% of the pixels differ from drawing all points at once", 100*differ)
	}
	v.labels("ten thousand, zoomed in and dragged")
	v.byDistance()
	v.labels("ten thousand, by distance")
	// Expected, because this is not the published model.
	v.noErrors("could not be kept for use without a network")
}
