//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The first visit: an invitation of twelve, three likes by search, ten recommendations that are the native ones, each
// with its reason and its certainty, and a map that shows the visitor.
func TestThreeLikes(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("searchbox", "Search titles")
	v.sees("list", words.Starters)
	starters := see[[]string](v, `visitor.names("button", ["list", `+quote(words.Starters)+`])`)
	if len(starters) != 12 {
		t.Errorf("the invitation offers %d titles, want twelve: %q", len(starters), starters)
	}
	for i, item := range native.Starters(12, 0) {
		if want := "Like " + native.Item(item).Title; i < len(starters) && starters[i] != want {
			t.Errorf("title %d of the invitation is the button %q, want %q", i, starters[i], want)
		}
	}
	before := v.painted()

	v.search("toy story")
	for _, act := range []string{"Like", "Not for me", "Seen"} {
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
			t.Errorf("the map's text alternative does not say %q", line)
		}
	}
	for _, title := range three {
		if name := named(find(t, title)); !strings.Contains(told, name) {
			t.Errorf("the map's text alternative does not name the like %q", name)
		}
	}
	if width := words.TextWidth(native.TasteEllipses(taste)[2].A); !strings.Contains(told, width) {
		t.Errorf("the map's text alternative does not tell how wide the visitor's ellipse is: %q", width)
	}
	v.wait("the visitor's ellipses on the map", func() string {
		after := see[paint](v, `visitor.painted()`)
		if after.Share < before.Share*1.2 || after.Colours <= before.Colours {
			return "the map is not more than the sleeping one"
		}
		return ""
	})
	v.noErrors()
}

// The map draws the visitor's three ellipses, and one for each of the ten next titles that is larger than its dot; with
// more likes the visitor's are smaller.
func TestEllipses(t *testing.T) {
	t.Parallel()
	const dot = 7 // pixels: a title's own mark reaches as far from its centre as 5.25
	v := newVisitor(t, persona{Before: `
		globalThis.ellipses = [];
		const g = CanvasRenderingContext2D.prototype, { ellipse, clearRect } = g;
		g.clearRect = function (...r) { if (this.canvas.id === "map-canvas") globalThis.ellipses = []; return clearRect.apply(this, r); };
		g.ellipse = function (...e) { if (this.canvas.id === "map-canvas") globalThis.ellipses.push([e[2], e[3]]); return ellipse.apply(this, e); };`})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.wait("thirteen ellipses", func() string {
		drawn := see[[][2]float64](v, "ellipses")
		large := map[[2]float64]bool{} // each counts once, however often it is drawn over
		for _, e := range drawn {
			if min(e[0], e[1]) > dot {
				large[e] = true
			}
		}
		if len(large) < 3+10 {
			return fmt.Sprintf("%d of the ellipses that are drawn are larger than a dot: %.1f", len(large), drawn)
		}
		return ""
	})
	few := native.TasteEllipses(native.Taste(visit(t, three...), nil))
	v.reads(words.TextWidth(few[2].A))
	more := append(slices.Clone(three), "Aliens", "The Terminator", "Die Hard")
	v.like(more[3:]...)
	v.lists(answer(visit(t, more...), recommend.Request{}))
	many := native.TasteEllipses(native.Taste(visit(t, more...), nil))
	v.reads(words.TextWidth(many[2].A))
	if !(many[2].A*many[2].B < few[2].A*few[2].B) {
		t.Errorf("six alike likes leave an ellipse of %v, three left %v: more evidence must mean a smaller one",
			many[2], few[2])
	}
	v.noErrors()
}

// explained checks that each card has a reason among the likes, a certainty in words, its small ellipse and its
// buttons.
func explained(t *testing.T, v *visitor) {
	t.Helper()
	cards := v.cards()
	if len(cards) != 10 {
		t.Errorf("there are %d cards, want ten", len(cards))
	}
	for _, c := range cards {
		text := strings.Join(c.Paragraphs, "\n")
		if !strings.Contains(text, "Because you liked ") {
			t.Errorf("%s gives no reason: %q", c.Heading, text)
		}
		reasons := 0
		for _, title := range three {
			if strings.Contains(text, title) {
				reasons++
			}
		}
		if reasons == 0 {
			t.Errorf("%s names none of the likes as its reason: %q", c.Heading, text)
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
			t.Errorf("%s has %d small ellipses, want one", c.Heading, c.Marks)
		}
		title := strings.TrimRight(c.Heading, "0123456789")
		title = strings.TrimSpace(title)
		for _, act := range []string{"Like ", "Not for me ", "Seen "} {
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

// Choices survive a reload; "Erase everything" leaves nothing, in no store of the browser, and asks first.
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

	// Asked and declined, everything stays.
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
		t.Errorf("after everything was erased the list holds %q", got)
	}
	v.nothingStored()
	v.noErrors()
}
