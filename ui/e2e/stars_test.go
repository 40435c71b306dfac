//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/share"
	speech "github.com/pmlam/pmlam/ui/words"
)

// Stars are given by keyboard and on cards, are read out, and weigh: five stars change the list as the native engine
// says, where a like without them does not. They survive a reload.
func TestStars(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	script := axe(t)
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	plain := answer(said, recommend.Request{})
	v.lists(plain)

	v.tabTo("the stars of the last like", is("button", words.RateTitle(three[2])))
	v.keys(enter)
	v.sees("group", words.RateTitle(three[2]))
	v.accessible(script, "with a title's stars and lists open")
	if over := see[float64](v, `(() => { const side = document.querySelector(".side"); return side.scrollWidth - side.clientWidth; })()`); over > 0 {
		t.Errorf("the open details are %.0f pixels too wide", over)
	}
	v.tabTo("five stars", is("button", words.OfFive(10)))
	v.keys(enter)
	said.Weights = weighs(find(t, three[2]), 1.5)
	loved := answer(said, recommend.Request{})
	if slices.Equal(loved, plain) {
		t.Error("five stars leave the list as it is")
	}
	v.lists(loved)
	rated := speech.Fill(words.RatedAs, three[2], words.OfFive(10))
	v.reads(rated)
	v.focusOn("the button that shows the stars", is("button", rated))
	v.press(words.Undo)
	v.lists(plain)

	top := native.Recommend(said, native.Taste(visit(t, three...), nil), recommend.Request{K: 10})[0].Item
	said.Weights = nil
	title := native.Item(top).Title
	v.press(words.RateTitle(title), "list", words.Recommendations)
	v.press(words.OfFive(3), "group", words.RateTitle(title))
	said.Dislikes = []int{top} // one and a half stars
	v.lists(answer(said, recommend.Request{}))
	v.sees("button", speech.Fill(words.RatedAs, title, words.OfFive(3)))
	v.wait("it to be stored", func() string {
		if got := v.state().Dislikes; !slices.Equal(got, ids(t, title)) {
			return fmt.Sprintf("not for me are %q", got)
		}
		return ""
	})
	v.reload()
	v.lists(answer(said, recommend.Request{}))
	v.sees("button", speech.Fill(words.RatedAs, title, words.OfFive(3)))
	v.noErrors()
}

// weighs returns the weights of a visit whose like of item i weighs w.
func weighs(i int, w float32) []float32 {
	out := make([]float32, native.Len())
	out[i] = w
	return out
}

// A visitor's own list is made on a title, shared as a link, and received with its name.
func TestOwnList(t *testing.T) {
	t.Parallel()
	const name = "Date night"
	v := newVisitor(t, persona{Before: `delete Navigator.prototype.canShare;`})
	v.mayCopy()
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	top := v.headings()[0]
	title := native.Item(find(t, top)).Title
	v.press(words.RateTitle(title), "list", words.Recommendations)
	v.tabTo("the name of a new list", is("textbox", words.NewList))
	v.keys(name)
	v.keys(enter)
	v.reads(speech.Fill(words.OnList, title, name))
	v.press(words.RateTitle(three[0]))
	v.press(name, "group", words.ListsOf(three[0]))
	v.attribute("button", name, "aria-pressed", "true", "group", words.ListsOf(three[0]))
	v.press(words.ShareNamed(name))
	v.reads(words.ShareCopied)
	link := see[string](v, `navigator.clipboard.readText()`)
	fragment, _ := share.Encode(&share.Taste{Later: ids(t, three[0], title), List: name})
	if link != ours.address+"#"+fragment {
		t.Errorf("copied %q, want %q", link, fragment)
	}
	v.noErrors()

	w := newVisitor(t, persona{Language: inGerman()})
	w.open(link)
	g := w.Language
	w.reads(speech.Fill(g.SharedNamed, name))
	w.press(g.BringAgree)
	w.sees("list", name)
	w.reads(g.ShareThisList)
	w.noErrors()
}
