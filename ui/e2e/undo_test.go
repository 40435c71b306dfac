//go:build !js

package e2e

import (
	"fmt"
	"testing"
)

// The undo offer disappears by itself, and covers neither the map's legend nor its notes on any screen.
func TestUndoGivesWay(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, p := range []persona{{}, {Width: 1100, Height: 800}, {Width: 820, Height: 1180}, {Width: 390, Height: 844, Phone: true}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			v.open(ours.address)
			v.like("Star Wars: Episode IV - A New Hope")
			if v.Width < 700 {
				v.tab(words.TabMap)
			}
			v.sees("button", words.Undo)
			until[bool](v, "the offer to be next to the map's legend", `(() => {
				const toast = document.querySelector(".undo").getBoundingClientRect(), foot = document.querySelector(".map-foot").getBoundingClientRect();
				return toast.width > 0 && foot.width > 0 && (toast.right <= foot.left || toast.left >= foot.right || toast.top >= foot.bottom || toast.bottom <= foot.top);
			})()`)
			v.misses("button", words.Undo)
			v.noErrors()
		})
	}
}
