//go:build !js

package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// The offer to undo is a part of the head on any screen, so it covers nothing, and disappears by itself, but not while
// it has the focus. F6 leads to it, and its text is readable with forced colours.
func TestUndoGivesWay(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for _, p := range []persona{{Forced: true}, {Width: 820, Height: 1180}, {Width: 390, Height: 844, Phone: true}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			v.open(ours.address)
			v.like("Star Wars: Episode IV - A New Hope")
			v.sees("button", words.Undo)
			began := time.Now()
			if over := see[[]string](v, `(() => {
				const undo = document.querySelector(".undo").getBoundingClientRect(), head = document.querySelector(".head").getBoundingClientRect();
				const out = undo.bottom > head.bottom || undo.top < head.top || undo.width < 100 ? ["outside the head"] : [];
				for (const e of document.querySelectorAll(".head :is(.brand-mark, .theme, .restart), .brand > span")) {
					const r = e.getBoundingClientRect();
					if (r.width > 1 && r.left < undo.right && r.right > undo.left) out.push("over " + e.className + e.textContent);
				}
				return out;
			})()`); len(over) > 0 {
				t.Errorf("the offer is %q", over)
			}
			if see[bool](v, `getComputedStyle(document.querySelector(".undo p")).color === getComputedStyle(document.querySelector(".undo")).backgroundColor`) {
				t.Error("the offer's text has the colour of its ground")
			}
			if p.Forced {
				v.keys(f6)
				v.focusOn("the offer", is("button", words.Undo))
				until[bool](v, "eleven seconds", fmt.Sprintf("new Promise((done) => setTimeout(() => done(true), %d))",
					(11*time.Second-time.Since(began)).Milliseconds()))
				v.sees("button", words.Undo)
				see[bool](v, `(document.activeElement.blur(), true)`)
			}
			v.misses("button", words.Undo)
			v.noErrors()
		})
	}
}

// A visitor deep in a long list never loses their place: the list keeps its length, the screen its position and the
// focus its card after a mark, after undo, and after coming back from another view.
func TestPlaceIsKept(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{NoCopy: true})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	v.lists(answer(said, recommend.Request{}))
	v.press(words.ClearSearch)
	if room := see[float64](v, `[...document.querySelectorAll(".card")].slice(0, 3).reduce((room, c) => room - c.offsetHeight,
		720 - document.querySelector(".head").offsetHeight)`); room < 0 {
		t.Errorf("three cards do not fit on a screen of 720 px, by %v px", -room)
	}
	for n := 20; n <= 60; n += 10 {
		v.click("button", words.More)
		until[bool](v, fmt.Sprint(n, " cards"), fmt.Sprintf("document.querySelectorAll('.card').length === %d", n))
	}
	v.settled()
	type place struct {
		Cards, Index, Top int
		Title, Act        string
	}
	now := func() place {
		v.Helper()
		v.settled()
		return see[place](v, `visitor.frames(2).then(() => {
			const all = [...document.querySelectorAll(".card")], at = document.activeElement, card = at.closest(".card");
			return { cards: all.length, index: all.indexOf(card), top: card ? Math.round(card.offsetTop - scrollY) : -1,
				title: card?.querySelector(".title").textContent ?? "", act: at.dataset.act ?? at.localName };
		})`)
	}
	// act uses the keyboard on the 25th card.
	act := func(selector string) (before place) {
		v.Helper()
		see[bool](v, `(() => {
			const button = document.querySelectorAll(".card")[24].querySelector(`+quote(selector)+`);
			button.scrollIntoView({ block: "center", behavior: "instant" });
			button.focus();
			return true;
		})()`)
		before = now()
		v.keys(enter)
		return before
	}
	same := func(what string, before, after place, title bool) {
		t.Helper()
		if d := before.Top - after.Top; d < -3 || d > 3 || before.Cards != after.Cards || before.Index != after.Index ||
			before.Act != after.Act || (before.Title == after.Title) != title {
			t.Errorf("%s: %+v, before %+v", what, after, before)
		}
	}
	before := act(`[data-act="like"]`)
	v.reads(words.Liked(before.Title))
	same("after a like", before, now(), false)
	see[bool](v, `(document.querySelector(".undo-button").focus({ preventScroll: true }), true)`)
	v.keys(enter)
	v.misses("button", words.Undo)
	same("after its undo", before, now(), true)

	before = act(`[data-act="dislike"]`)
	v.reads(words.Disliked(before.Title))
	v.press(words.Close)
	v.misses("button", words.Undo)
	v.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.announced(words.Undone)
	same("after Ctrl+Z without the offer", before, now(), true)

	before = act(`[data-act="alike"]`)
	v.sees("heading", words.Similar(v.Language.Isolate(before.Title)))
	v.settled()
	v.press(words.Back)
	v.sees("heading", words.Next)
	same("back from "+words.MoreLike, before, now(), true)

	before = act(`.genres a`)
	until[bool](v, "the genre's list", `location.hash.startsWith("#genre=") && document.querySelectorAll(".card").length === 20`)
	see[bool](v, `(history.back(), true)`)
	v.sees("heading", words.Next)
	same("back from a genre", before, now(), true)
	v.noErrors()
}
