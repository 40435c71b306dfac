//go:build !js

package e2e

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The first visit has an invitation of twelve titles, then three likes by search, the native ten recommendations with
// reasons and certainties, and a map that shows the visitor.
func TestThreeLikes(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("searchbox", "Search films")
	v.sees("list", words.Starters)
	starters := see[[]string](v, `visitor.names("button", ["list", `+quote(words.Starters)+`])`)
	if len(starters) != 12 {
		t.Errorf("the invitation has %d titles, want twelve: %q", len(starters), starters)
	}
	for i, item := range native.Starters(12, 0) {
		if want := "Like " + native.Item(item).Title; i < len(starters) && starters[i] != want {
			t.Errorf("title %d of the invitation is the button %q, want %q", i, starters[i], want)
		}
	}
	before := v.painted()

	v.search("toy story")
	for _, act := range []string{"Like", "Not for me:", "Seen:"} {
		v.sees("button", act+" Toy Story", "search", "")
	}
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.misses("list", words.Starters)

	explained(t, v)

	// The map.
	v.sees("region", "Taste map")
	told := see[string](
		v,
		`visitor.find("region", "Taste map").map((e) => e.innerText + document.getElementById(e.getAttribute("aria-describedby"))?.textContent).join(" ")`,
	)
	taste := native.Taste(visit(t, three...), nil)
	for _, s := range native.Recommend(visit(t, three...), taste, recommend.Request{K: 10}) {
		if line := words.TextItem(named(s.Item), words.Certain[s.Certainty], s.Distance); !strings.Contains(told,
			line) {
			t.Errorf("the map's text alternative lacks %q", line)
		}
	}
	for _, title := range three {
		if name := named(find(t, title)); !strings.Contains(told, name) {
			t.Errorf("the map's text alternative lacks the like %q", name)
		}
	}
	v.wait("the tastes in the map's text alternative", func() string {
		told := see[string](v, `document.getElementById("map-text").textContent`)
		for _, p := range native.Places(visit(t, three...), taste).Tastes {
			if share := words.Percentage(p.Share); !strings.Contains(told, share) {
				return "there is no taste with a share of " + share
			}
		}
		return ""
	})
	v.wait("the visitor's ellipses on the map", func() string {
		after := see[paint](v, `visitor.painted()`)
		if after.Share < before.Share*1.2 || after.Colours <= before.Colours {
			return "the map is not more than the sleeping one"
		}
		return ""
	})
	v.noErrors()
}

// The map draws exactly three ellipses for each of the visitor's tastes, as computed by the engine, and opens on them.
func TestEllipses(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Before: `
		globalThis.ellipses = [];
		const g = CanvasRenderingContext2D.prototype, { ellipse, clearRect } = g;
		g.clearRect = function (...r) { if (this.canvas.id === "map-canvas") globalThis.ellipses = []; return clearRect.apply(this, r); };
		g.ellipse = function (...e) { if (this.canvas.id === "map-canvas") globalThis.ellipses.push(e); return ellipse.apply(this, e); };`})
	v.open(ours.address)
	var likes []string
	for _, more := range [][]string{three, {"Aliens", "The Terminator", "Die Hard"}} {
		likes = append(likes, more...)
		v.like(more...)
		v.lists(answer(visit(t, likes...), recommend.Request{}))
		v.mapAtRest()
		got := see[struct {
			Drawn         [][]float64
			Width, Height float64
			Camera        camera
			Turned        bool
		}](v, `({ drawn: ellipses, width: `+picture+`.width, height: `+picture+`.height, camera: `+picture+`.camera, turned: `+picture+`.turned })`)
		said := visit(t, likes...)
		k, drawn := got.Camera.K, 0
		places := native.Places(said, native.Taste(said, nil))
		for _, p := range places.Tastes {
			for _, e := range p.Ellipses {
				if got.Turned {
					e.X, e.Y = 1-e.Y, e.X
				}
				x, y := (e.X-got.Camera.X)*k+got.Width/2, (got.Camera.Y-e.Y)*k+got.Height/2
				if x < 0 || y < 0 || x > got.Width || y > got.Height {
					t.Errorf("on opening, the map does not show the taste at %.0f, %.0f", x, y)
				}
				found := slices.ContainsFunc(got.Drawn, func(d []float64) bool {
					return math.Hypot(d[0]-x, d[1]-y) < 0.1 && math.Abs(d[2]-e.A*k) < 0.1 && math.Abs(d[3]-e.B*k) < 0.1
				})
				if !found {
					t.Errorf("the ellipse at %.1f, %.1f with axes of %.1f and %.1f is not drawn", x, y, e.A*k, e.B*k)
				}
				drawn += 2 // filled, and its rim
			}
		}
		if len(got.Drawn) != drawn {
			t.Errorf("%d ellipses are drawn, want %d", len(got.Drawn), drawn)
		}
		// The page only explains the rings' coverage if it was calibrated.
		if told := see[bool](v, `visitor.shown(document.querySelector(".legend-rings"))`); told != places.Calibrated {
			t.Errorf("the page explains the rings' coverage: %v, want %v", told, places.Calibrated)
		}
	}
	v.noErrors()
}

// explained checks that each card has reasons, a certainty in words, its circle and buttons.
func explained(t *testing.T, v *visitor) {
	t.Helper()
	cards := v.cards()
	if len(cards) != 10 {
		t.Errorf("there are %d cards, want ten", len(cards))
	}
	said := visit(t, three...)
	list := native.Recommend(said, native.Taste(said, nil), recommend.Request{K: len(cards)})
	for i, c := range cards {
		text := strings.Join(c.Paragraphs, "\n")
		if _, _, sentence := because(list[i]); !slices.Contains(c.Paragraphs, sentence) {
			t.Errorf("%s lacks %q: %q", c.Heading, sentence, text)
		}
		certain := 0
		for _, w := range words.Certain {
			if strings.Contains(text, w) {
				certain++
			}
		}
		if certain != 1 {
			t.Errorf("%s has %d certainties in words, want one: %q", c.Heading, certain, text)
		}
		if c.Marks != 1 {
			t.Errorf("%s has %d circles of the chance, want one", c.Heading, c.Marks)
		}
		title := strings.TrimRight(c.Heading, "0123456789")
		title = strings.TrimSpace(title)
		for _, act := range []string{"Like ", "Not for me: ", "Seen: "} {
			found := false
			for _, b := range c.Buttons {
				found = found || strings.HasPrefix(b, act) && strings.HasPrefix(c.Heading, strings.TrimPrefix(b, act))
			}
			if !found {
				t.Errorf("%s has no button %q: %q", c.Heading, act+title, c.Buttons)
			}
		}
	}
}

// Marks survive a reload. "Erase everything" asks first, and then empties all of the browser's stores.
func TestReloadAndErase(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	want := answer(visit(t, three...), recommend.Request{})
	v.lists(want)
	v.likesStored(three...)
	v.reload()
	v.lists(want)
	for _, title := range three {
		v.sees("button", words.RemoveTitle(title))
	}

	// After declining, everything stays.
	v.press(words.Erase)
	v.press(words.EraseNo)
	v.misses("button", words.EraseYes)
	v.lists(want)
	v.likesStored(three...)

	v.press(words.Erase)
	v.press(words.EraseYes)
	v.sees("list", words.Starters)
	v.nothingStored()
	v.reload()
	v.sees("list", words.Starters)
	v.reads(words.StoredNothing)
	if got := v.headings(); len(got) != 0 {
		t.Errorf("after erasing everything, the list has %q", got)
	}
	v.nothingStored()
	v.noErrors()
}
