//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// picture is the painted map's own state, host.map; tests only read it.
const picture = `document.querySelector(".map-host").map`

// mapCurrent waits until the map shows the same answer as the list, to the page's latest question.
func (v *visitor) mapCurrent() {
	v.Helper()
	until[bool](
		v,
		"the map to show the same as the list",
		`((map) => map !== undefined && map.late === undefined && map.turn === Number(document.getElementById("app").dataset.turn))(
		document.querySelector(".map-host")?.map)`,
	)
}

// mapAtRest waits until the map shows the same as the list, and has nothing left to draw.
func (v *visitor) mapAtRest() {
	v.Helper()
	v.settled()
	v.mapCurrent()
}

// byDistance switches the map to the distance view, and waits for its radii.
func (v *visitor) byDistance() {
	v.Helper()
	v.press(words.ViewDistance)
	until[bool](v, "the distance view", picture+`.view === "distance"`)
}

// label is a name on the map, in CSS pixels of the picture.
type label struct {
	Item       int
	Region     int // −1 for other names
	Text       string
	X, Y, W, H float64
}

// labels waits until the map is at rest and returns its names. It fails the test if two overlap, or one leaves the
// picture or is covered.
func (v *visitor) labels(when string) []label {
	v.Helper()
	v.mapAtRest()
	got := see[struct {
		Names, Over   []label
		Width, Height float64
	}](v, `(() => {
		const m = `+picture+`, host = m.host.getBoundingClientRect();
		const over = [...document.querySelectorAll(".map-over")].filter(visitor.shown).map((e) => e.getBoundingClientRect()).map((r) => ({ text: "", x: r.x - host.x, y: r.y - host.y, w: r.width, h: r.height }));
		return { names: m.names.boxes(), over, width: m.width, height: m.height };
	})()`)
	if len(got.Names) < 5 || len(got.Over) < 2 {
		v.Errorf("%s: the map has %d names, and %d elements over it", when, len(got.Names), len(got.Over))
	}
	for i, a := range got.Names {
		if a.X < 0 || a.Y < 0 || a.X+a.W > got.Width || a.Y+a.H > got.Height {
			v.Errorf("%s: %q leaves the picture: %+v", when, a.Text, a)
		}
		for _, b := range slices.Concat(got.Names[i+1:], got.Over) {
			if a.X < b.X+b.W-0.01 && b.X < a.X+a.W-0.01 && a.Y < b.Y+b.H-0.01 && b.Y < a.Y+a.H-0.01 {
				v.Errorf("%s: %q and %q overlap: %+v, %+v", when, a.Text, b.Text, a, b)
			}
		}
	}
	return got.Names
}

func items(names []label) (out []int) {
	for _, n := range names {
		if n.Item >= 0 {
			out = append(out, n.Item)
		}
	}
	return out
}

// titleOf returns the title of the catalogue that the text starts with.
func titleOf(text string) (item int, ok bool) {
	for i := range native.Len() {
		if strings.HasPrefix(text, named(i)+",") || text == named(i) {
			return i, true
		}
	}
	return 0, false
}

// paint is the painted share of a canvas.
type paint struct {
	Colours int
	Share   float64
}

// painted waits until the map is drawn, and returns its painted share.
func (v *visitor) painted() (p paint) {
	v.Helper()
	v.mapAtRest()
	v.wait("the map to be painted", func() string {
		v.Helper()
		if p = see[paint](v, `visitor.painted()`); p.Colours < 5 {
			return fmt.Sprintf("it has %d colours", p.Colours)
		}
		return ""
	})
	return p
}

// camera is the map's view, and the scroll position of the page.
type camera struct{ X, Y, K, Scroll float64 }

func (v *visitor) camera() camera {
	v.Helper()
	v.mapAtRest()
	return see[camera](v, `({ ...`+picture+`.camera, scroll: scrollY })`)
}

// spot converts a position in the picture, as shares of its size, to screen coordinates.
func (v *visitor) spot(x, y float64) (sx, sy float64) {
	v.Helper()
	at := see[[2]float64](
		v,
		fmt.Sprintf(
			`(() => { const r = document.getElementById("map-canvas").getBoundingClientRect(); return [r.x + r.width * %v, r.y + r.height * %v]; })()`,
			x,
			y,
		),
	)
	return at[0], at[1]
}

func (v *visitor) mouse(kind input.DispatchMouseEventType, x, y float64, more input.DispatchMouseEventParams) {
	v.Helper()
	more.Type, more.X, more.Y = kind, x, y
	if _, err := chromedp.Call(v.ctx, input.DispatchMouseEvent, more); err != nil {
		v.Fatal(err)
	}
}

func (v *visitor) touch(kind input.DispatchTouchEventType, points ...[2]float64) {
	v.Helper()
	p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, at := range points {
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: at[0], Y: at[1], ID: new(float64(i))})
	}
	if _, err := chromedp.Call(v.ctx, input.DispatchTouchEvent, p); err != nil {
		v.Fatal(err)
	}
}
