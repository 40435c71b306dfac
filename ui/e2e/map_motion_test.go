//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The first ellipse shrinks from afar and each later one morphs into the next, with intermediate steps, but none with
// reduced motion. The page's clock advances by frames, because on a busy machine an animation may be over between two
// of them.
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
				t.Errorf("with reduced motion, %d intermediate ellipses were drawn", n)
			}
		} else if n := between(); n < 4 {
			t.Errorf("%d intermediate ellipses were drawn between two tastes, want several", n)
		}
		v.noErrors()
	}
}
