//go:build !js

package e2e

import (
	"slices"
	"strconv"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The page asks which of two titles the visitor prefers, as the native program does. The chosen one becomes a like, the
// list is the native one, the focus stays, and the next pair appears.
func TestWhichOfTheseTwo(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	said, asked := recommend.Visit{}, recommend.Visit{}
	name := func(i int) string { return native.Item(i).Title + ", " + strconv.Itoa(native.Item(i).Year) }
	next := func() (a, b int) {
		asked.Likes = said.Likes
		a, b, _ = native.Question(asked, native.Taste(said, nil))
		v.sees("button", name(a), "list", words.WhichOfTwo)
		v.sees("button", name(b), "list", words.WhichOfTwo)
		return a, b
	}
	for k := range 3 {
		a, b := next()
		v.press(name(a), "list", words.WhichOfTwo)
		asked.Seen = append(asked.Seen, b)
		said.Likes = append(slices.Clone(said.Likes), a)
		v.lists(answer(said, recommend.Request{}))
		if k == 0 {
			until[bool](v, "the focus to stay", `document.activeElement.closest(".pair") !== null`)
		}
	}
	v.misses("button", words.ShowOthers)
	a, b := next()
	v.press(words.Neither)
	v.reads(words.NeitherOf(name(a), name(b)))
	v.press(words.Undo)
	v.likesStored(native.Item(said.Likes[0]).Title, native.Item(said.Likes[1]).Title, native.Item(said.Likes[2]).Title)
	v.noErrors()
}
