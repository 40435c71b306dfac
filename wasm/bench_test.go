//go:build !js

package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// BenchmarkReturningVisitor measures, within the page, the time from the start of navigation to ten recommendations for
// a visitor with stored likes. Files come from the same machine, uncompressed and uncached.
func BenchmarkReturningVisitor(b *testing.B) {
	site := &sitetest.Site{Files: page(b)}
	address := site.Serve(b)
	tab := jstest.Chromium(b, 10*time.Minute)
	visit := func() {
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			b.Fatal(err)
		}
	}
	visit()
	until[bool](b, tab, "the page stands", `document.getElementById("loading").hidden`)
	likeThem(b, tab)
	until[bool](b, tab, "the third like to be stored", stored)
	var sum float64
	for b.Loop() {
		visit()
		sum += until[float64](b, tab, "ten cards", `new Promise((resolve) => {
			const look = () => `+ten+` ? resolve(performance.now()) : setTimeout(look, 1);
			look();
		})`)
	}
	b.ReportMetric(sum/float64(b.N), "ms/visit")
}

// BenchmarkLike measures, within the page, the time from pressing like to the new list in the document, after 20 other
// likes.
func BenchmarkLike(b *testing.B) {
	site := &sitetest.Site{Files: page(b)}
	tab := jstest.Chromium(b, 10*time.Minute)
	if err := chromedp.Do(tab, chromedp.Navigate(site.Serve(b))); err != nil {
		b.Fatal(err)
	}
	until[bool](b, tab, "the page stands", `document.getElementById("loading").hidden`)
	likeThem(b, tab)
	until[bool](b, tab, "ten cards", ten)
	const like = `new Promise((resolve) => {
		const list = document.getElementById("recommendations");
		const first = () => list.textContent;
		const before = first(), start = performance.now();
		list.querySelector('[data-act="like"]').click();
		const look = () => first() !== before ? resolve(performance.now() - start) : setTimeout(look, 0);
		look();
	})`
	for range 17 {
		until[float64](b, tab, "a like", like)
	}
	var sum float64
	for b.Loop() {
		sum += until[float64](b, tab, "a like", like)
	}
	b.ReportMetric(sum/float64(b.N), "ms/like")
}
