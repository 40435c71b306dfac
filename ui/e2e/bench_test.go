//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// clock records, by the page's own clock, when the list first has ten cards after a navigation, and how long each like
// takes until the liked title has left the list on the screen; it sets the mark "shown" for both. Titles are identified
// by their keys, because two in a list may have the same name.
const clock = `
	globalThis.clock = { first: 0, updates: [] };
	let pressed = null;
	const list = () => document.getElementById("recommendations");
	const shown = (done) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => { performance.mark("shown"); done(performance.now()); }; c.port2.postMessage(0); });
	new MutationObserver(() => {
		const cards = list()?.children.length ?? 0;
		if (clock.first === 0 && cards >= 10) {
			clock.first = -1;
			shown((now) => (clock.first = now));
		}
		if (pressed !== null && cards >= 10 && ![...list().children].some((c) => c.dataset.key === pressed.key)) {
			const { at } = pressed;
			pressed = null;
			shown((now) => clock.updates.push(now - at));
		}
	}).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
	addEventListener("click", (e) => {
		const button = e.target.closest("#recommendations button[data-act=like]");
		if (button !== null) {
			pressed = { key: button.closest("[data-key]").dataset.key, at: e.timeStamp };
		}
	}, true);`

// marked resolves when the page has set the mark "shown" n times. The page reports it, because polling would also be
// work for its thread.
const marked = `new Promise((done) => {
	const look = () => performance.getEntriesByName("shown").length >= %d && done(true);
	new PerformanceObserver(look).observe({ type: "mark", buffered: true });
	look();
})`

// BenchmarkReturning measures the time from navigation to the first recommendations on the screen for a visitor with
// three stored likes, with and without a warm browser cache. The host is this machine, so network latency is excluded.
func BenchmarkReturning(b *testing.B) {
	for _, cached := range []bool{true, false} {
		name := "cold cache"
		if cached {
			name = "warm cache"
		}
		b.Run(name, func(b *testing.B) {
			v := newVisitor(b, persona{Before: clock, Limit: 10 * time.Minute})
			v.open(ours.address)
			v.like(three...)
			want := answer(visit(b, three...), recommend.Request{})
			v.lists(want)
			v.likesStored(three...)
			if !cached {
				v.withoutCache()
			}
			v.open(ours.address) // the browser caches compiled code from the second visit on
			v.lists(want)
			var took []float64
			for b.Loop() {
				v.do(chromedp.Navigate(ours.address))
				took = append(took, until[float64](v, "ten cards", "Math.max(clock.first, 0)"))
			}
			v.lists(want)
			report(b, took)
		})
	}
}

// BenchmarkLike measures the time from pressing Like on the first card until the screen shows the new list, with the
// site's catalogue and with larger ones. After forty likes the visitor starts afresh.
func BenchmarkLike(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := sizeHost(b, n)
			v := newVisitor(b, persona{Before: clock, Limit: 10 * time.Minute})
			v.open(h.address)
			begin := func() {
				for i := range 3 {
					see[bool](v, fmt.Sprintf(starterButton, i)+", true")
				}
				until[bool](v, "ten recommendations", "visitor.cards().length === 10")
			}
			begin()
			var took []float64
			likes := 0
			for b.Loop() {
				if likes++; likes > 40 {
					likes = 1
					v.press(words.Erase)
					v.press(words.EraseYes)
					v.sees("list", words.Starters)
					begin()
				}
				before := see[int](v, "clock.updates.length")
				see[bool](v, fmt.Sprintf(cardButton, "like")+", true")
				until[bool](v, "the new list", fmt.Sprintf("clock.updates.length > %d", before))
				took = append(took, see[float64](v, "clock.updates.at(-1)"))
			}
			report(b, took)
		})
	}
}

// BenchmarkWork measures the CPU milliseconds of the page's thread, which a busy machine does not inflate: for a
// returning visitor from navigation to ten cards on the screen (start-ms), and from pressing Like on the first card to
// the new list (like-ms); both split into program and scripts (-script), style and layout (-style), and painting
// (-paint). It also counts the page's elements.
func BenchmarkWork(b *testing.B) {
	v := newVisitor(b, persona{Before: clock, Limit: 10 * time.Minute})
	v.open(ours.address)
	v.like(three...)
	v.likesStored(three...)
	v.open(ours.address) // the browser caches compiled code from the second visit on
	v.lists(answer(visit(b, three...), recommend.Request{}))
	var start, like []spent
	for b.Loop() {
		start = append(start, v.work("shown", func() {
			v.do(chromedp.Navigate(ours.address))
			see[bool](v, fmt.Sprintf(marked, 1))
		}))
		v.settled() // work after the list does not count
		like = append(like, v.work("shown", func() {
			see[bool](v, fmt.Sprintf(cardButton, "like")+", true")
			see[bool](v, fmt.Sprintf(marked, 2))
		}))
		v.settled()
		v.press(words.Undo)
		v.likesStored(three...)
	}
	for name, all := range map[string][]spent{"start": start, "like": like} {
		for part, of := range map[string]func(spent) float64{
			"-ms":        func(s spent) float64 { return s.All },
			"-script-ms": func(s spent) float64 { return s.Script },
			"-style-ms":  func(s spent) float64 { return s.Style },
			"-paint-ms":  func(s spent) float64 { return s.Paint },
		} {
			var values []float64
			for _, s := range all {
				values = append(values, of(s))
			}
			p50, _, _ := quantiles(values)
			b.ReportMetric(p50, name+part)
		}
	}
	b.ReportMetric(see[float64](v, `document.querySelectorAll("*").length`), "elements")
}

// report reports the median, the 95th percentile and the maximum of the times, in milliseconds.
func report(b *testing.B, took []float64) {
	p50, p95, longest := quantiles(took)
	b.ReportMetric(p50, "p50-ms")
	b.ReportMetric(p95, "p95-ms")
	b.ReportMetric(longest, "max-ms")
}

// quantiles sorts the times and returns their median, 95th percentile and maximum.
func quantiles(took []float64) (p50, p95, longest float64) {
	slices.Sort(took)
	at := func(share float64) float64 { return took[min(int(share*float64(len(took))), len(took)-1)] }
	return at(0.5), at(0.95), took[len(took)-1]
}
