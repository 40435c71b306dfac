//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
)

// Names never overlap: on the map and the distance view, at any zoom, while dragging, with the search open, on a phone,
// and among ten thousand titles. The next titles and the likes are named first; others appear on zooming in.
func TestMapNames(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	v.lists(answer(said, recommend.Request{}))
	v.press(words.ClearSearch)
	far := items(v.labels("at first"))
	next := native.Recommend(said, native.Taste(said, nil), recommend.Request{K: 10})
	for _, i := range far {
		if !slices.Contains(said.Likes, i) && !slices.ContainsFunc(next, func(s recommend.Suggestion) bool { return s.Item == i }) {
			t.Errorf("%q is named on the whole map, but neither liked nor among the next titles", native.Item(i).Title)
		}
	}
	if len(far) < 8 || len(far) > 10 {
		t.Errorf("the whole map names %d titles, want about ten", len(far))
	}
	// The whole map is in view, with the rings.
	if out := see[int](v, `(() => { const m = `+picture+`, c = [];
		for (let i = 0; i < m.n; i++) c.push([m.sx(i), m.sy(i)]);
		for (const e of [0, 5, 10]) { const t = m.tastesTo.ellipses; c.push(m.place(t[e] - t[e + 2], t[e + 1]), m.place(t[e] + t[e + 2], t[e + 1])); }
		return c.filter(([x, y]) => x < 0 || y < 0 || x > m.width || y > m.height).length; })()`); out > 10 {
		t.Errorf("%d titles or rings are outside of the map at first", out)
	}
	// Beside both ends of a name there is no other large point.
	if foreign := see[[]string](v, `(() => { const m = `+picture+`, large = [...m.top, ...m.marked];
		return m.names.boxes().filter((b) => b.item >= 0 && large.some((i) => i !== b.item &&
			Math.abs(m.sy(i) - b.y - b.h / 2) < b.h / 2 - 2 && m.sx(i) > b.x - 10 && m.sx(i) < b.x + b.w + 10)).map((b) => b.text); })()`); len(foreign) > 0 {
		t.Errorf("%q are next to the points of other titles", foreign)
	}
	// After zooming in, the same area has more names than before.
	for range 4 {
		v.press(words.ZoomIn)
	}
	near := items(v.labels("zoomed in"))
	shown := see[[]int](
		v,
		`(() => { const m = `+picture+`; return [...m.plane.keys()].filter((i) => i < m.n && m.sx(i) > 0 && m.sx(i) < m.width && m.sy(i) > 0 && m.sy(i) < m.height); })()`,
	)
	before := 0
	for _, i := range far {
		if slices.Contains(shown, i) {
			before++
		}
	}
	if len(near) <= before+5 {
		t.Errorf("zoomed in, %d titles are named, before %d", len(near), before)
	}
	for _, name := range see[[][]label](v, `(async () => {
		const m = `+picture+`, out = [];
		for (let i = 0; i < 25; i++) { m.pan(9, 5); await visitor.frames(1); out.push(m.names.boxes()); }
		return out;
	})()`) {
		for i, a := range name {
			for _, b := range name[i+1:] {
				if a.X < b.X+b.W-0.01 && b.X < a.X+a.W-0.01 && a.Y < b.Y+b.H-0.01 && b.Y < a.Y+a.H-0.01 {
					t.Fatalf("dragged, %q and %q overlap", a.Text, b.Text)
				}
			}
		}
	}
	v.labels("dragged")
	v.press(words.MapFind)
	v.keys("star")
	v.sees("listbox", words.MapFound)
	v.labels("with the search open")
	v.byDistance()
	v.labels("by distance")
	v.press(words.ZoomIn)
	v.labels("by distance, zoomed in")
	v.noErrors()

	v.Width, v.Height, v.Scale, v.Phone = 360, 640, 3, true
	v.emulateScreen()
	v.tab(words.TabMap)
	v.press(words.Home) // the map was zoomed in
	v.labels("on a phone")
	if got := see[[2]float64](v, `[document.getElementById("map-canvas").width / `+picture+`.width, devicePixelRatio]`); math.Abs(
		got[0]-2,
	) > 0.01 ||
		got[1] != 3 {
		t.Errorf("with %v device pixels per CSS pixel the canvas has %v", got[1], got[0])
	}
}

// In the distance view the order on the map is the order of the list, whatever it lists; if the list uses more than
// distance, the page says so.
func TestDistanceViewIsTheListsOrder(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	// Some of these support others directly.
	likes := append(slices.Clone(three), "Aliens", "The Terminator", "Die Hard")
	v.like(likes...)
	said := visit(t, likes...)
	v.byDistance()
	for range 4 {
		v.press(words.More)
	}
	list := answer(said, recommend.Request{K: 50})
	v.lists(list)
	v.reads(words.InOrder)
	v.mapAtRest()
	taste := native.Taste(said, nil)
	radii := native.Radii(said, taste)
	order := native.Recommend(said, taste, recommend.Request{K: 50})
	moved := false
	// The drawn distances of points, in units of the radius.
	drawn := see[[]float64](
		v,
		`(() => { const m = `+picture+`; return Array.from({ length: m.n }, (_, i) => Math.hypot(m.sx(i) - m.place(0, 0)[0], m.sy(i) - m.place(0, 0)[1]) / m.camera.k); })()`,
	)
	for i, d := range drawn {
		if math.Abs(d-float64(radii[i])) > 1e-4 {
			t.Fatalf("%q is drawn %v from the centre; its radius is %v", native.Item(i).Title, d, radii[i])
		}
		moved = moved || math.Abs(d-native.Distance(taste, i)) > 0.01
	}
	if !moved {
		t.Error("all radii equal the distance, so links were not tested")
	}
	// Except further titles of a series, which come after the first five.
	onList, farthest := map[int]bool{}, 0.0
	var series [][]string
	for k, s := range order {
		onList[s.Item] = true
		names := catalogue.Series(native.Item(s.Item).Title)
		again := slices.ContainsFunc(series, func(o []string) bool { return catalogue.SameSeries(o, names) })
		if series = append(series, names); again {
			continue
		}
		if drawn[s.Item] < farthest-1e-4 {
			t.Errorf("item %d of the list is drawn nearer than the previous one", k+1)
		}
		farthest = drawn[s.Item]
	}
	for i, d := range drawn {
		if !onList[i] && !slices.Contains(said.Likes, i) && d < drawn[order[49].Item]-1e-4 {
			t.Errorf("%q is drawn nearer than the last of the list, but not listed", native.Item(i).Title)
		}
	}
	v.openFilters()
	v.slide(words.Diversity, "End")
	v.reads(words.NotInOrder)
	v.slide(words.Diversity, "Home")
	v.reads(words.InOrder)
	v.press(words.ViewMap)
	v.reads(words.MapNote)
	v.noErrors()
}

// The legend filters: list and map keep titles of the genre, likes and next titles stay, and pressed keys show active
// filters.
func TestLegendFilters(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.press(words.ClearSearch)
	said := visit(t, three...)
	legend := []string{"group", words.Legend}
	v.press("Comedy", legend...)
	want := answer(said, recommend.Request{Filter: recommend.Filter{Genres: []string{"Comedy"}}})
	v.lists(want)
	v.attribute("button", "Comedy", "aria-pressed", "true", legend...)
	for range 3 {
		v.press(words.ZoomOut)
	}
	for _, i := range items(v.labels("filtered")) {
		if !slices.Contains(native.Item(i).Genres, "Comedy") && !slices.Contains(said.Likes, i) {
			t.Errorf("%q is named, but not a comedy", native.Item(i).Title)
		}
	}
	// Filtered titles do not react to the pointer.
	got := see[struct{ Hit, Dim int }](v, `(() => {
		const m = `+picture+`, out = { hit: 0, dim: 0 };
		for (let i = 0; i < m.n; i++) { if (m.dim[i] && !m.passes(i)) { out.dim++; const at = m.hit(m.sx(i), m.sy(i), 8); out.hit += at >= 0 && !m.passes(at); } }
		return out;
	})()`)
	if got.Dim < 1000 || got.Hit != 0 {
		t.Errorf("of %d filtered titles, %d react to the pointer", got.Dim, got.Hit)
	}
	v.press(words.ClearFilters, legend...)
	v.lists(answer(said, recommend.Request{}))
	v.attribute("button", "Comedy", "aria-pressed", "false", legend...)
	v.noErrors()
}

// The map's own search flies to a title: it is opened and centred, and the arrow keys continue from there.
func TestMapSearchFlies(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	v := newVisitor(t, persona{Motion: true})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	for _, view := range []string{words.ViewDistance, words.ViewMap} {
		v.press(view)
		v.press(words.MapFind)
		v.focusOn("the search on the map", is("combobox", words.MapFind))
		v.keys("qqqqzzzz")
		v.reads(words.NoMatch("qqqqzzzz", native.Len(), 2018))
		v.retype("wall-e")
		v.sees("option", "WALL·E, 2008")
		v.accessible(script, "with the map's search open")
		v.keys(down + up + enter)
		v.sees("group", "WALL·E")
		v.focusOn("the map", starts("application", words.MapCanvas(native.Len())))
		v.misses("listbox", words.MapFound)
		v.mapAtRest()
		i := find(t, "WALL·E")
		if at := see[[4]float64](v, fmt.Sprintf(`(() => { const m = %s; return [m.sx(%d), m.sy(%d), m.width / 2, m.height / 2]; })()`, picture, i, i)); math.Hypot(
			at[0]-at[2],
			at[1]-at[3],
		) > 40 {
			t.Errorf("after flying there, %q is at %v, %v of a picture with its centre at %v, %v", "WALL·E", at[0],
				at[1], at[2], at[3])
		}
		v.press(words.Close)
	}
	v.press(words.MapFind)
	v.keys("alien" + escape)
	v.misses("combobox", words.MapFind)
	v.focusOn("the button of the search", is("button", words.MapFind))
	v.noErrors()
}
