//go:build !js

package e2e

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// A page that reports being settled has computed everything: late parts are present at once, and two snapshots of the
// page are identical.
func TestSettled(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.siteStored()
	v.settled()
	if !v.has("list", words.WhichOfTwo) {
		t.Errorf("on the first visit a settled page has no question about two titles:\n%s", v.text())
	}
	page := `document.getElementById("app").innerHTML`
	for n := range three {
		v.like(three[n])
		v.settled()
		before := see[string](v, page)
		if got, want := v.headings(), answer(visit(t, three[:n+1]...), recommend.Request{}); !slices.Equal(got, want) {
			t.Errorf("after %d likes a settled page lists\n%q, want\n%q", n+1, got, want)
		}
		if !see[bool](v, picture+`.turn === Number(document.getElementById("app").dataset.turn)`) {
			t.Errorf("after %d likes the map of a settled page does not show its list", n+1)
		}
		if n == 2 && len(v.ledger().Settings.Picks) == 0 {
			t.Error("after three likes a settled page has not stored a pick for the week")
		}
		if after := see[string](v, page); after != before {
			at := 0
			for at < min(len(before), len(after)) && before[at] == after[at] {
				at++
			}
			t.Errorf("after %d likes a settled page has changed, from\n%.300s\nto\n%.300s", n+1, before[at:], after[at:])
		}
	}
	v.noErrors()
}
