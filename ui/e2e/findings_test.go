//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// On a tall tablet the map fills its panel, and the whole legend is visible.
func TestTabletMapIsFilled(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 820, Height: 1180, Phone: true})
	v.open(ours.address)
	v.sees("list", words.Starters)
	v.mapAtRest()
	filled := see[float64](v, `(() => {
		const m = `+picture+`, [[x0, x1], [y0, y1]] = m.extent, k = m.camera.k;
		return ((x1 - x0) * k * (y1 - y0) * k) / (m.width * m.height);
	})()`)
	if filled < 0.5 {
		t.Errorf("the titles fill %.0f%% of the map, want half", 100*filled)
	}
	if hidden := see[float64](v, `(() => { const l = document.querySelector(".legend"); return l.scrollWidth - l.clientWidth; })()`); hidden > 1 {
		t.Errorf("%.0f pixels of the legend are hidden", hidden)
	}
	v.noErrors()
}

// At 400% zoom, most of the height is left between the bars at the top and the bottom.
func TestRoomAtFourTimesTheSize(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 320, Height: 256, Scale: 4})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.dismiss()
	see[bool](v, `(document.querySelector(".card").scrollIntoView({ block: "start", behavior: "instant" }), true)`)
	room := see[float64](v, `visitor.frames(4).then(() => {
		const fixed = (s) => { const e = document.querySelector(s); return ["fixed", "sticky"].includes(getComputedStyle(e).position) ? e.getBoundingClientRect() : null; };
		const head = fixed(".head"), tabs = fixed(".tabs");
		return Math.min(innerHeight, tabs?.top ?? innerHeight) - Math.max(0, head?.bottom ?? 0);
	})`)
	if room < 0.7*256 {
		t.Errorf("%.0f of 256 pixels are left between the bars", room)
	}
	if wide := see[float64](v, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		t.Errorf("the page is %.0f pixels too wide", wide)
	}
	v.noErrors()
}

// Three cards fit on a phone's screen of 720 pixels.
func TestThreeCards(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 390, Height: 720, Phone: true})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.press(words.ClearSearch)
	v.dismiss()
	fit := see[[]float64](v, `(() => {
		const box = (s) => document.querySelector(s).getBoundingClientRect();
		document.querySelector(".card").scrollIntoView({ block: "start", behavior: "instant" });
		const top = box(".head").bottom, bottom = box(".tabs").top;
		return [...document.querySelectorAll(".card")].map((c) => c.getBoundingClientRect())
			.map((r) => Math.max(0, Math.min(r.bottom, bottom) - Math.max(r.top, top)) / r.height).filter((part) => part > 0);
	})()`)
	sum := 0.0
	for _, part := range fit {
		sum += part
	}
	if sum < 3 {
		t.Errorf("%.2f cards are on the screen, want three: %.2f", sum, fit)
	}
	v.noErrors()
}

// Numbers in the hundreds stay on one line, next to their bars.
func TestBarsOfHundreds(t *testing.T) {
	t.Parallel()
	for _, p := range []persona{{}, {Width: 390, Height: 844, Phone: true}} {
		v := newVisitor(t, p)
		v.open(ours.address)
		v.like(three...)
		if p.Phone {
			v.tab(words.TabTaste)
		}
		height := see[[]float64](v, `[...document.querySelectorAll(".bar-count")].map((e) => { const one = e.getBoundingClientRect().height; e.textContent = "1234"; return e.getBoundingClientRect().height / one; })`)
		for _, h := range height {
			if h > 1.1 {
				t.Errorf("%d wide: a number of hundreds takes %.1f lines", v.Width, h)
			}
		}
		if len(height) == 0 {
			t.Error("there are no bars")
		}
	}
}

// The page of a second person says whose taste it is, in every heading; an address of no title says so.
func TestWhoseTaste(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address + "#like=nothing")
	v.reads(words.NoSuchView)
	v.like(three...)
	see[bool](v, `(location.hash = "#together", true)`)
	v.tabTo("the name", is("textbox", words.PersonName))
	v.keys("Maria" + enter)
	v.press("Maria", "group", words.WhoseTaste)
	v.reads(words.NowChoosing("Maria"))
	v.wait("the heading", func() string {
		if got := see[string](v, `document.getElementById("taste-heading").textContent`); got != "Maria’s taste" {
			return fmt.Sprintf("it is %q", got)
		}
		return ""
	})
	v.noErrors()
}
