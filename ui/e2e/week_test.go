//go:build !js

package e2e

import (
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The pick for the week appears after three likes, stays when the page is reopened, and can be kept for later.
func TestPickForTheWeek(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	const title = `document.querySelector(".week .title")?.textContent ?? ""`
	v.wait("it to be stored", func() string {
		if l := v.ledger(); len(l.Settings.Picks) != 1 {
			return "no pick is stored"
		}
		return ""
	})
	v.open(ours.address)
	v.reads(words.WeekPick)
	pick := until[string](v, "a pick", title)
	v.open(ours.address)
	if again := until[string](v, "a pick", title); again != pick {
		t.Errorf("reopened, the pick is %q, was %q", again, pick)
	}
	v.press(words.LaterTitle(pick), "region", words.WeekPick)
	v.reads(words.Kept(pick))
	if again := see[string](v, title); again != pick {
		t.Errorf("kept for later, the pick is %q, was %q", again, pick)
	}
	v.noErrors()
}
