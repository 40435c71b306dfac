//go:build !js

package e2e

import (
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// Marks can be undone step by step, and a chart shows how the taste narrowed.
func TestHistory(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.press(words.History)
	until[bool](v, "the picture", `document.querySelector(".tightened path")?.getAttribute("d").split("L").length === 3`)
	v.press(words.UndoStep(words.Liked(three[2])))
	v.lists(answer(visit(t, three[:2]...), recommend.Request{}))
	v.press(words.Undo)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.noErrors()
}
