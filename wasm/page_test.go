//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

var likes = []string{"Toy Story", "Heat", "Alien"}

// native returns the titles that the native program recommends for these likes and rules.
func native(t *testing.T, rules recommend.Rules) (titles []string) {
	t.Helper()
	m, err := model.Decode(jstest.Read(t, "assets/models/movielens.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r, _, err = r.WithRules(rules); err != nil {
		t.Fatal(err)
	}
	var v recommend.Visit
	for _, title := range likes {
		i, err := r.Find(title)
		if err != nil {
			t.Fatal(err)
		}
		v.Likes = append(v.Likes, i)
	}
	for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 10}) {
		titles = append(titles, r.Item(s.Item).Title)
	}
	return titles
}

func TestThreeLikesInChromium(t *testing.T) {
	site := &sitetest.Site{Files: page(t)}
	address := site.Serve(t)
	tab := jstest.Chromium(t, 3*time.Minute)
	messages := chromedp.Console(tab)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	until[bool](t, tab, "the page stands", `document.getElementById("loading").hidden`)
	files := site.Total()
	likeThem(t, tab)
	want := native(t, recommend.Rules{})
	until[bool](t, tab, "ten cards", ten)
	if got := shown(t, tab); !slices.Equal(got, want) {
		t.Errorf("the page recommends\n%q, the native program recommends\n%q", got, want)
	}

	// Nothing was requested beyond the page's own files.
	if total := site.Total(); total != files {
		t.Errorf("%d more files were requested after the page was complete: %v", total-files, site.Times())
	}
	// The worker that compiles the program loads these again.
	inWorker := []string{
		"assets/js/loader/wasm_exec.js",
		"assets/js/loader/download.js",
		"assets/js/loader/instantiate.js",
	}
	for name, times := range site.Times() {
		if site.Files[name] == nil ||
			times != 1 && !sitetest.ByBrowser(name) && !(times == 2 && slices.Contains(inWorker, name)) {
			t.Errorf("%q was requested %d times; file of the site: %v", name, times, site.Files[name] != nil)
		}
	}
	// The likes are restored.
	until[bool](t, tab, "the third like to be stored", stored)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	until[bool](t, tab, "ten cards after the page was loaded again", ten)
	if got := shown(t, tab); !slices.Equal(got, want) {
		t.Errorf("after a reload the page recommends\n%q, want\n%q", got, want)
	}
	// The page names the scan in use.
	until[bool](t, tab, "the kernel", `(() => {
		const about = [...document.querySelectorAll("button")].find((b) => b.textContent === "About the model");
		if (about?.ariaExpanded === "false") about.click();
		return document.body.textContent.includes("computed by the SIMD kernel");
	})()`)
	quiet(t, tab, messages)
}

// The page follows the owner's rules, marks pinned items, and shows the configured price on cards. A bound may exceed
// the size of the catalogue.
func TestRulesInChromium(t *testing.T) {
	rules := recommend.Rules{InStock: "tmdbId", Pinned: []string{"1", "50", "2571"}, Excluded: []string{"50", "260"},
		AtMost: recommend.AtMost{N: 1_000_000, Column: "imdbId"}, Boosts: []recommend.Boost{{Column: "imdbId", Weight: -1}}}
	text, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	files := page(t)
	files[""] = bytes.Replace(files[""], []byte(`<meta charset="utf-8">`), []byte(`<meta charset="utf-8">
		<meta name="pmlam-rules" content="`+html.EscapeString(string(text))+`">
		<meta name="title-price" content="{imdbId} €">`), 1)
	site := &sitetest.Site{Files: files}
	tab := jstest.Chromium(t, 3*time.Minute)
	if err := chromedp.Do(tab, chromedp.Navigate(site.Serve(t))); err != nil {
		t.Fatal(err)
	}
	likeThem(t, tab)
	until[bool](t, tab, "ten cards", ten)
	if got, want := shown(t, tab), native(t, rules); !slices.Equal(got, want) || got[0] != "The Matrix" {
		t.Errorf("the page recommends\n%q, the native program recommends\n%q", got, want)
	}
	until[bool](t, tab, "one mark and ten prices", `[...document.querySelectorAll("#recommendations .reason")]
		.filter((p) => p.textContent.includes("Featured by this site.")).length === 1 &&
		[...document.querySelectorAll("#recommendations .price")].filter((p) => /^€[\d,]+\.00$/.test(p.textContent)).length === 10`)
}

func TestDamagedModelInChromium(t *testing.T) {
	files := page(t)
	model := files["assets/models/movielens.msgpack"]
	site := &sitetest.Site{Files: files, Replace: map[string]http.HandlerFunc{
		"assets/models/movielens.msgpack": func(w http.ResponseWriter, _ *http.Request) {
			w.Write(model[:len(model)/2])
		},
	}}
	tab := jstest.Chromium(t, 2*time.Minute)
	if err := chromedp.Do(tab, chromedp.Navigate(site.Serve(t))); err != nil {
		t.Fatal(err)
	}
	text := until[string](t, tab, "words",
		`document.getElementById("loading").hidden ? document.getElementById("app").innerText : ""`)
	for _, part := range []string{"The page’s data is damaged.", "kept on your device"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page text %q lacks %q", text, part)
		}
	}
}
