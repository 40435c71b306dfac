//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// Everything works without a pointer, and the focus is never lost.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)

	// Search, move down into the results, like with Enter, move up again.
	v.keys(tab)
	v.focusOn("the link past everything", is("link", words.SkipToNext))
	v.tabTo("the search box", is("searchbox", "Search films"))
	v.retype("toy story")
	v.sees("button", "Like Toy Story", "search", "")
	v.keys(down)
	v.focusOn("the first result", is("button", "Like Toy Story"))
	v.keys(enter)
	v.attribute("button", "Like Toy Story", "aria-pressed", "true", "search", "")
	v.focusOn("what was liked", is("button", "Like Toy Story"))
	v.keys(up)
	v.focusOn("the search box", is("searchbox", "Search films"))
	v.retype("heat")
	v.sees("button", "Like Heat", "search", "")
	v.keys(enter)
	v.focusOn("the first result", starts("button", "Like "))
	v.tabTo("the button that likes Heat", is("button", "Like Heat"))
	v.keys(" ")
	v.attribute("button", "Like Heat", "aria-pressed", "true", "search", "")
	v.focusOn("what was liked", is("button", "Like Heat"))
	v.keys("/")
	v.focusOn("the search box", is("searchbox", "Search films"))
	v.retype("alien")
	v.sees("button", "Like Alien", "search", "")
	v.keys(down)
	v.tabTo("the button that likes Alien", is("button", "Like Alien"))
	v.keys(enter)
	said := visit(t, three...)
	v.lists(answer(said, recommend.Request{}))
	v.focusOn("what was liked", is("button", "Like Alien"))

	// Like and drop a title in the list: the card disappears, and the focus stays in the list.
	top := native.Recommend(said, native.Taste(said, nil), recommend.Request{K: 10})
	title := native.Item(top[0].Item).Title
	v.tabTo("the first card", func(role, name string) bool { // the pick for the week may have the same title
		return role == "button" && name == "Like "+title && see[bool](v, focusInList)
	})
	v.keys(enter)
	said.Likes = append(slices.Clone(said.Likes), top[0].Item)
	v.lists(answer(said, recommend.Request{}))
	v.focusInList("a like")
	v.tabTo("a button that drops", starts("button", "Not for me: "))
	_, name := v.focused()
	v.keys(" ")
	v.reads(words.Disliked(strings.TrimPrefix(name, "Not for me: ")))
	v.focusInList("a dislike")
	v.keys(f6)
	v.focusOn("the offer to undo", is("button", words.Undo))
	v.keys(enter)
	v.lists(answer(said, recommend.Request{}))
	v.focusOn("the title that has come back", is("button", name))
	v.noErrors()
}

// Picking three starters by keyboard removes the invitation, and the focus moves to the list.
func TestStartersByKeyboard(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("list", words.Starters)
	var likes []string
	for _, i := range native.Starters(12, 0)[:3] {
		likes = append(likes, native.Item(i).Title)
		v.tabTo("a starter", is("button", "Like "+native.Item(i).Title))
		v.keys(enter)
		if len(likes) < 3 {
			v.attribute("button", "Like "+native.Item(i).Title, "aria-pressed", "true", "list", words.Starters)
			v.focusOn("what was picked", is("button", "Like "+native.Item(i).Title))
		}
	}
	v.misses("list", words.Starters)
	v.lists(answer(visit(t, likes...), recommend.Request{}))
	v.focusOn("the recommendations", is("region", words.Next))

	// Erasing removes the pressed button; the focus moves to the question, and from there to the page.
	v.tabTo("the button that erases", is("button", words.Erase))
	v.keys(enter)
	v.focusOn("the question", func(role, name string) bool {
		return name == words.EraseMarks || name == words.EraseYes || name == words.EraseNo
	})
	v.tabTo("the answer", is("button", words.EraseYes))
	v.keys(enter)
	v.sees("list", words.Starters)
	v.focusOn("something", func(role, _ string) bool { return role != "" })
	v.noErrors()
}

// On the map, arrow keys move between titles and announce them, Enter opens one, which can be liked, and Close returns.
func TestMapByKeyboard(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	canvas := starts("application", words.MapCanvas(native.Len()))
	v.tabTo("the map", canvas)
	said := func() string { return see[string](v, `document.getElementById("live").textContent`) }
	v.keys(right)
	first := ""
	v.wait("the map to name a title", func() string {
		first = said()
		for i := range native.Len() {
			if strings.HasPrefix(first, named(i)) {
				return ""
			}
		}
		return fmt.Sprintf("it says %q", first)
	})
	v.keys(right)
	v.wait("the map to name another title", func() string {
		if said() == first {
			return "it still says " + first
		}
		return ""
	})
	v.keys(enter)
	v.focusOn("the opened title", starts("button", "Like "))
	_, like := v.focused()
	title := strings.TrimPrefix(like, "Like ")
	v.sees("group", title)
	v.keys(enter)
	v.attribute("button", like, "aria-pressed", "true", "group", title)
	v.focusOn("what was liked", is("button", like))
	v.likesStored(append(slices.Clone(three), title)...)
	v.tabTo("the button that closes", is("button", words.Close))
	v.keys(enter)
	v.misses("group", title)
	v.focusOn("the map", canvas)

	v.settled()
	before := v.painted()
	for _, key := range []string{"+", home, "-"} { // after "-" the view is already home
		v.keys(key)
		v.wait("the map to change with "+fmt.Sprintf("%q", key), func() string {
			now := see[paint](v, "visitor.painted()")
			if now == before {
				return "it is the same"
			}
			before = now
			return ""
		})
		v.focusOn("the map", canvas)
	}
	v.noErrors()
}
