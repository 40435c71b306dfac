//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The first ellipse comes out of the wide and each later one turns into the next, in steps between; with less motion
// asked for there are none. The page's clock goes by frames, or on a busy machine a movement may be over between two of
// them.
func TestMapMotion(t *testing.T) {
	t.Parallel()
	const noted = `
		let frames = 0;
		const count = () => { frames++; requestAnimationFrame(count); };
		requestAnimationFrame(count);
		performance.now = () => 16 * frames;
		globalThis.widths = new Set();
		const g = CanvasRenderingContext2D.prototype, { ellipse } = g;
		g.ellipse = function (...e) { const m = document.querySelector(".map-host")?.map; if (m?.tastes?.ellipses.length > 0 && m.view === "map") widths.add(m.tastes.ellipses[12]); return ellipse.apply(this, e); };`
	for _, motion := range []bool{false, true} {
		v := newVisitor(t, persona{Motion: motion, Before: noted})
		v.open(ours.address)
		v.like(three...)
		v.lists(answer(visit(t, three...), recommend.Request{}))
		v.mapAtRest()
		ends := map[float32]bool{}
		likes := append(slices.Clone(three), "Aliens")
		for n := range likes {
			said := visit(t, likes[:n+1]...)
			ends[float32(native.Places(said, native.Taste(said, nil)).Tastes[0].Ellipses[2].A)] = true
		}
		between := func() (n int) {
			for _, a := range see[[]float64](v, `[...widths]`) {
				if !ends[float32(a)] {
					n++
				}
			}
			return n
		}
		v.search("aliens")
		pressed := true
		again := func() {
			v.press("Like Aliens", "search", "")
			v.attribute("button", "Like Aliens", "aria-pressed", fmt.Sprint(pressed), "search", "")
			v.mapAtRest()
			pressed = !pressed
		}
		again()
		again()
		if !motion {
			if n := between(); n > 0 {
				t.Errorf("with less motion asked for, %d ellipses were drawn that are none of a taste", n)
			}
		} else if n := between(); n < 4 {
			t.Errorf("%d ellipses were drawn between those of two tastes, want several", n)
		}
		v.noErrors()
	}
}
