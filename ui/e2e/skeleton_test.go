//go:build !js

package e2e

import (
	"fmt"
	"math"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
)

// The loading page has the final layout: nothing moves on the first visit once it has loaded.
func TestNothingMovesWhenItIsLoaded(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, p := range []persona{
		{}, {Width: 820, Height: 1180, Phone: true}, {Width: 390, Height: 844, Phone: true},
		{Width: 360, Height: 740, Phone: true, Language: inGerman()}, {Width: 1280, Height: 800, Language: inGerman()},
	} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			h, held := ownHost(t), make(chan struct{})
			restore := h.replace(".msgpack", func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-held:
					handler.ServeHTTP(w, r)
				case <-r.Context().Done():
				}
			})
			defer restore()
			v := newVisitor(t, p)
			boxes := func(within string, parts ...string) (out []box) {
				t.Helper()
				for _, part := range parts {
					out = append(out, see[[]box](v, fmt.Sprintf(`[...document.querySelectorAll(%s)].map((e) => e.getBoundingClientRect())
						.map((r) => ({ X: r.left, Y: r.top + scrollY, Width: r.width, Height: r.height }))`, quote(within+" "+part)))...)
				}
				return out
			}
			v.do(chromedp.Evaluate[chromedp.Void]("location.href = " + quote(h.address) + "; undefined"))
			until[bool](v, "the page to load", `document.querySelectorAll(".loading .starter").length === 12 &&
				document.styleSheets.length > 3 && document.readyState === "complete" && document.getElementById("loading").dataset.state === "loading"`)
			before := boxes("#loading", ".head", ".bone-field", ".tabs", ".starters-head .display", ".starter")
			close(held)
			v.ready()
			v.sees("list", v.Language.Starters)
			after := boxes("#app", ".head", "#search", ".tabs", ".starters-head .display", ".starters .starter")
			if len(before) != len(after) {
				t.Fatalf("%d parts become %d", len(before), len(after))
			}
			for i, a := range before {
				b := after[i]
				moved := max(math.Abs(a.X-b.X), math.Abs(a.Y-b.Y), math.Abs(a.X+a.Width-b.X-b.Width), math.Abs(a.Y+a.Height-b.Y-b.Height))
				if i == 3 { // its height depends on its text
					moved = max(math.Abs(a.X-b.X), math.Abs(a.Y-b.Y), math.Abs(a.Height-b.Height))
				}
				if moved > 1.5 {
					t.Errorf("part %d is at %.0f while the page loads, and at %.0f afterwards", i, a, b)
				}
			}
		})
	}
}
