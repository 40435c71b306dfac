//go:build !js

package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// regionCalled returns the name of a region of the shipped model.
func regionCalled(i int) string {
	r := native.Regions()[i]
	if !r.Claims() {
		return ""
	}
	if a, b, ok := r.Around(); ok {
		return words.Around(a, b)
	}
	return words.RegionName(r.Facts(), r.From, r.To)
}

// regionNames waits for names of regions on the map, and returns them.
func (v *visitor) regionNames(when string) (found []label) {
	v.Helper()
	for _, n := range v.labels(when) {
		if n.Region >= 0 {
			if want := regionCalled(n.Region); n.Text != want || want == "" {
				v.Errorf("%s: region %d is named %q on the map, want %q", when, n.Region, n.Text, want)
			}
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		v.Fatalf("%s: no region is named on the map", when)
	}
	return found
}

// clickRegion clicks the region's name on the map.
func (v *visitor) clickRegion(i int) {
	v.Helper()
	v.clickMap(regionCalled(i), fmt.Sprintf(
		"((b) => b && [b.x + b.w / 2, b.y + b.h / 2])(m.names.boxes().find((b) => b.region === %d))", i))
}

// listsRegion waits for the region's list.
func (v *visitor) listsRegion(i int, said recommend.Visit) {
	v.Helper()
	v.sees("heading", regionCalled(i))
	v.lists(browsed(said, recommend.Filter{Region: i + 1}, recommend.BestFirst, 0))
}

// The map names its regions at every zoom level, and finer ones when zoomed in. Clicking a name, its link and the text
// lead to the region's list, which has an address; titles elsewhere fade.
func TestMapRegions(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.press(words.ClearSearch)
	said := visit(t, three...)
	own := answer(said, recommend.Request{})
	v.lists(own)
	for range 3 {
		v.press(words.ZoomOut)
	}
	level := func(names []label) int {
		finest := slices.MaxFunc(names, func(a, b label) int {
			return cmp.Compare(native.Regions()[a.Region].Level, native.Regions()[b.Region].Level)
		})
		return native.Regions()[finest.Region].Level
	}
	far := v.regionNames("from afar")
	if got := level(far); got != 0 {
		t.Errorf("zoomed out, regions of level %d are named", got)
	}
	v.press(words.Home)
	for range 4 {
		v.press(words.ZoomIn)
	}
	at := see[camera](v, `(() => {
		const m = `+picture+`, finest = [...m.o.regionNames.split("\n").keys()].findLast((r) => m.regions.at(r).name);
		const { x, y } = m.regions.at(finest);
		m.flyTo({ x, y, k: m.camera.k }, false);
		return { x, y, k: m.camera.k };
	})()`)
	near := v.regionNames("from near")
	if got := level(near); got == 0 {
		t.Errorf("zoomed in to %v, only coarse regions are named: %v", at, near)
	}
	v.accessible(script, "regions from near")

	// By mouse.
	name := near[0]
	x, y := v.spot(0, 0)
	x, y = x+name.X+name.W/2, y+name.Y+name.H/2
	v.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, input.DispatchMouseEventParams{})
	until[bool](v, "the name to be clickable",
		`document.getElementById("map-canvas").classList.contains("pointing")`)
	v.clickRegion(name.Region)
	v.listsRegion(name.Region, said)
	hash := see[string](v, `location.hash`)
	if !strings.HasPrefix(hash, "#region=") {
		t.Errorf("the region's address ends with %q", hash)
	}
	v.mapCurrent()
	filter := recommend.Filter{Region: name.Region + 1}
	if n, lit := native.Count(recommend.Visit{}, filter),
		see[int](v, picture+`.dim.filter((d) => d === 0).length`); lit != n || n == 0 {
		t.Errorf("the region has %d titles, but %d on the map do not fade", n, lit)
	}
	v.do(chromedp.NavigateBack())
	v.lists(own)
	v.fragment("")
	v.focusOn("the recommendations", is("region", words.Next))

	// By keyboard.
	v.sees("link", regionCalled(name.Region), "navigation", words.Regions)
	see[bool](v, fmt.Sprintf(`(visitor.find("link", %s, ["navigation", %s])[0].focus(), true)`,
		quote(regionCalled(name.Region)), quote(words.Regions)))
	until[bool](v, "the name to stand out", picture+fmt.Sprintf(`.regions.pointed === %d`, name.Region))
	v.keys(enter)
	v.listsRegion(name.Region, said)
	v.reload()
	v.listsRegion(name.Region, said)
	v.press(words.Back)
	v.lists(own)

	// By text.
	v.press(words.AsText)
	v.click("link", regionCalled(far[0].Region), "list", words.Regions)
	v.sees("heading", regionCalled(far[0].Region))
	v.noErrors()
}

// Tapping a region's name shows its list.
func TestMapRegionsByTouch(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 360, Height: 740, Phone: true, Scale: 2})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	v.lists(answer(said, recommend.Request{}))
	v.tab(words.TabMap)
	name := v.regionNames("on a phone")[0]
	v.clickRegion(name.Region)
	v.listsRegion(name.Region, said) // fails if the tap marked a title that moved under the finger
	v.noErrors()
}

// At 200% zoom the map keeps a usable size, and content below it can be scrolled to.
func TestMapAtTwiceTheSize(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 720, Height: 450, Scale: 2})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.labels("at 200%")
	if high := see[float64](v, picture+`.height`); high < 180 {
		t.Errorf("the map's picture is %v pixels high", high)
	}
	legend := see[[2]float64](v, `(() => {
		const foot = document.querySelector(".map-foot"), last = document.querySelector(".legend");
		foot.scrollTop = foot.scrollHeight;
		return [last.getBoundingClientRect().bottom, innerHeight];
	})()`)
	if legend[0] > legend[1]+1 {
		t.Errorf("scrolled to its end, the legend ends at %v of %v pixels", legend[0], legend[1])
	}
	v.noErrors()
}

// With forced colours, the map's text contrasts with its background, whatever the page's theme.
func TestMapInForcedColours(t *testing.T) {
	t.Parallel()
	for _, dark := range []bool{false, true} {
		v := newVisitor(t, persona{Forced: true, Dark: dark})
		v.open(ours.address)
		v.press(words.Theme(words.ThemeAuto)) // light from now on
		v.like(three...)
		v.lists(answer(visit(t, three...), recommend.Request{}))
		v.labels("with forced colours")
		got := see[map[string]float64](v, `(() => {
			const m = `+picture+`, g = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
			const light = (colour) => {
				g.fillStyle = colour;
				g.fillRect(0, 0, 1, 1);
				const [r, green, b] = [...g.getImageData(0, 0, 1, 1).data].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
				return 0.2126 * r + 0.7152 * green + 0.0722 * b;
			};
			const ground = light(getComputedStyle(m.host.parentElement).backgroundColor), out = {};
			const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			for (const name of ["ink", "soft", "you"]) {
				out[name] = ratio(light(m.colours[name]), ground);
			}
			out.halo = ratio(light(m.colours.ground), ground);
			m.colours.genres.slice(0, -1).forEach((colour, k) => (out["genre " + k] = ratio(light(colour), ground)));
			return out;
		})()`)
		for name, contrast := range got {
			switch {
			case name == "halo":
				if contrast > 1.01 {
					t.Errorf("dark %v: the halo of names does not have the background's colour", dark)
				}
			case contrast < 4.5 && !strings.HasPrefix(name, "genre"), contrast < 3:
				t.Errorf("dark %v: %s has a contrast of %.1f", dark, name, contrast)
			}
		}
		v.noErrors()
	}
}

// Nothing covers the legend, even while a change can be undone.
func TestLegendIsFree(t *testing.T) {
	t.Parallel()
	for _, p := range []persona{{}, {Width: 1100, Height: 800}, {Width: 820, Height: 1180},
		{Width: 390, Height: 844, Phone: true}} {
		v := newVisitor(t, p)
		v.open(ours.address)
		v.like(append(slices.Clone(three), "Amelie (Le Fabuleux destin d'Amélie Poulain)")...)
		if v.Phone {
			v.tab(words.TabMap)
		}
		v.sees("button", words.Undo)
		v.settled()
		covered := see[[]string](v, `[...document.querySelectorAll(".legend-item")].filter((e) => {
			e.scrollIntoView({ block: "nearest", inline: "nearest" });
			const r = e.getBoundingClientRect(), over = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return !e.contains(over);
		}).map((e) => e.textContent)`)
		if len(covered) > 0 {
			t.Errorf("%d wide: %q are covered", v.Width, covered)
		}
		v.noErrors()
	}
}
