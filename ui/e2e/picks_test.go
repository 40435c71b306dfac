//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// The invitation takes picks before the model has arrived. A reload keeps them, the first list of the program is theirs,
// and the next visit begins with the shape of a list instead of the invitation.
func TestPicksBeforeTheProgram(t *testing.T) {
	t.Parallel()
	h, held := ownHost(t), make(chan struct{})
	defer h.replace(".msgpack", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-held:
			handler.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})()
	v := newVisitor(t, persona{Width: 390, Height: 844, Phone: true, NoCopy: true, Before: `
		globalThis.shifted = 0;
		new PerformanceObserver((all) => { for (const e of all.getEntries()) shifted += e.value; }).observe({ type: "layout-shift", buffered: true });`})
	enter := func() {
		t.Helper()
		v.do(chromedp.Evaluate[chromedp.Void]("location.href = " + quote(h.address) + "; undefined"))
		until[bool](v, "the invitation", `document.documentElement.dataset.picks === "" && document.readyState !== "loading"`)
	}
	enter()
	var want, ids []string
	for _, i := range native.Starters(12, 0) {
		want, ids = append(want, native.Item(i).Title), append(ids, native.Item(i).ID)
	}
	press := func(k int) { v.run(fmt.Sprintf(`document.querySelectorAll("#loading .starter")[%d].click()`, k)) }
	if got := see[[]string](v, `[...document.querySelectorAll("#loading .starter")].map((b) => b.dataset.id)`); !slices.Equal(got, ids) {
		t.Fatalf("the invitation has %q, want %q", got, ids)
	}
	for _, k := range []int{1, 2, 3, 1, 7} {
		press(k)
	}
	see[bool](v, "(location.reload(), true)")
	until[bool](v, "the picks after a reload", `document.readyState !== "loading" &&
		document.querySelectorAll("#loading .starter[aria-pressed=true]").length === 3 && document.querySelectorAll("#loading .dot.on").length === 3`)
	close(held)
	v.ready()
	picked := []string{want[2], want[3], want[7]}
	v.lists(answer(visit(t, picked...), recommend.Request{}))
	v.likesStored(picked...)
	if left := see[string](v, `sessionStorage.getItem("picks") ?? ""`); left != "" {
		t.Errorf("the picks are stored twice: %q", left)
	}
	if shifted := see[float64](v, "shifted"); shifted > 0.1 {
		t.Errorf("the page shifted by %.2f", shifted)
	}
	if !see[bool](v, `localStorage.getItem("list") !== null`) {
		t.Error("the next visit will begin with the invitation")
	}
	v.noErrors()
}

// A returning visitor sees the list of the last visit before the model has arrived, and what they press in it counts.
// After erasing, nothing is left of it.
func TestListOfTheLastVisit(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{NoCopy: true, Before: `
		globalThis.shifted = 0;
		new PerformanceObserver((all) => { for (const e of all.getEntries()) shifted += e.value; }).observe({ type: "layout-shift", buffered: true });`})
	v.open(h.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.likesStored(three...)
	const headings = `[...document.querySelectorAll("%s .card-title")].map((e) => e.textContent)`
	want := see[[]string](v, fmt.Sprintf(headings, "#app"))

	// again comes back, and calls f before the model arrives.
	again := func(f func()) {
		t.Helper()
		held := make(chan struct{})
		defer h.replace(".msgpack", func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-held:
				handler.ServeHTTP(w, r)
			case <-r.Context().Done():
			}
		})()
		see[bool](v, "(location.reload(), true)")
		until[bool](v, "the list of the last visit", `document.readyState === "complete" && document.querySelectorAll("#loading .card").length === 10`)
		if got := see[[]string](v, fmt.Sprintf(headings, "#loading")); !slices.Equal(got, want) {
			t.Errorf("the page shows %q before the program runs, want %q", got, want)
		}
		f()
		close(held)
		v.ready()
		if left := see[int](v, `document.querySelectorAll("#loading .card").length`); left > 0 {
			t.Errorf("%d cards of the last visit are left", left)
		}
	}
	again(func() { v.run(`scrollTo(0, 300)`) })
	v.lists(answer(visit(t, three...), recommend.Request{}))
	if y := see[float64](v, "scrollY"); y != 300 {
		t.Errorf("the page has scrolled to %.0f, want 300", y)
	}
	if shifted := see[float64](v, "shifted"); shifted > 0.1 {
		t.Errorf("the page shifted by %.2f", shifted)
	}

	liked := slices.Clone(three)
	again(func() {
		second := see[int](v, `(([, e]) => (e.querySelector("[data-act=like]").click(), Number(e.dataset.key)))([...document.querySelectorAll("#loading .card")])`)
		liked = append(liked, native.Item(second).Title)
	})
	v.lists(answer(visit(t, liked...), recommend.Request{}))
	v.likesStored(liked...)

	v.press(words.Erase)
	v.press(words.EraseYes)
	v.sees("list", words.Starters)
	v.nothingStored()
	v.reload()
	v.sees("list", words.Starters)
	v.nothingStored()
	v.noErrors()
}

// The third pick on a phone shifts nothing, however long the list takes.
func TestThirdPickShiftsNothing(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 390, Height: 844, Phone: true, NoCopy: true, Before: `
		globalThis.shifted = 0;
		new PerformanceObserver((all) => { for (const e of all.getEntries()) shifted += e.value; }).observe({ type: "layout-shift", buffered: true });`})
	v.open(ours.address)
	v.sees("list", words.Starters)
	for i := range 3 { // by script, so that no shift counts as the answer to an input
		v.settled()
		v.run(fmt.Sprintf(starterButton, i))
	}
	v.misses("list", words.Starters)
	until[bool](v, "the list", `document.querySelectorAll(".card").length === 10 && visitor.frames(3).then(() => true)`)
	if shifted := see[float64](v, "shifted"); shifted > 0.01 {
		t.Errorf("the page shifted by %.2f", shifted)
	}
}
