//go:build !js

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/abtest"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// drafted is an item of an interleaved list.
type drafted struct{ ID, Title, Team string }

// Variants, team drafts and the log work under node, and pmlam compare reads the log.
func TestExperiments(t *testing.T) {
	var got struct {
		Said    map[string]bool
		Pairs   map[string]int
		Moved   struct{ Kept, ToNew, Swapped int }
		Sticky  bool
		Log     json.RawMessage
		Keyless json.RawMessage
		Taken   json.RawMessage
		After   json.RawMessage
		Stays   bool
		Bounded struct {
			Letters, Events, First int
			Last                   string
		}
		Drafts   [][]drafted
		Again    []drafted
		Objects  []drafted
		Short    []drafted
		Unseeded int
		Bounds   struct{ Longest, Shortest int }
		Errors   map[string]string
	}
	ask(t, &got, "experiment.mjs", filepath.Join(jstest.Root(t), "wasm/embed/package"))

	// 9,000 devices: all pairs of variants are equally likely; χ² with 8 degrees of freedom exceeds 26.1 once in 1,000.
	chi := 0.0
	for _, n := range got.Pairs {
		chi += float64((n-1000)*(n-1000)) / 1000
	}
	if len(got.Pairs) != 9 || chi > 26.1 {
		t.Errorf("pairs of variants of two experiments: %v", got.Pairs)
	}
	if m := got.Moved; m.Swapped != 0 || m.ToNew < 2000 || m.ToNew > 2500 {
		t.Errorf("a fourth variant: %+v; want a quarter moved to it and none swapped", m)
	}
	if !got.Sticky || !got.Stays {
		t.Error("a device's variant changed")
	}
	if want := map[string]bool{"clicked": true, "other": false, "elsewhere": false, "liked": true, "late": true}; !reflect.DeepEqual(got.Said, want) {
		t.Errorf("logged: %v, want %v", got.Said, want)
	}
	if string(got.Taken) != string(got.Log) || strings.Contains(string(got.Keyless), "key") {
		t.Errorf("the log is\n%s, taken\n%s, and without keys\n%s", got.Log, got.Taken, got.Keyless)
	}
	if b := got.Bounded; b.Letters > 100_000 || b.Letters < 95_000 || b.First == 0 || b.Last != "item 2999, 0" {
		t.Errorf("a long log: %+v", b)
	}

	// pmlam compare reads the log twice, and the events logged after it was taken.
	file := filepath.Join(t.TempDir(), "logs.jsonl")
	lines := slices.Concat(got.Log, []byte("\n"), got.After, []byte("\n"), got.Log, []byte("\n"))
	if err := os.WriteFile(file, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	visits, err := abtest.Read(context.Background(), []string{file})
	if err != nil {
		t.Fatal(err)
	}
	if len(visits.Visitors) != 1 || visits.Exports != 3 || visits.From != "2026-11-24" || visits.To != "2026-11-25" {
		t.Errorf("read as %+v", visits)
	}
	for list, want := range map[string][3]int{"home": {3, 1, 2}, "foot": {1, 1, 1}} { // lists, clicks, sessions
		r, err := abtest.Compare(visits, abtest.Options{List: list})
		if err != nil {
			t.Fatal(err)
		}
		if r.Lists != want[0] || r.Answers != want[1] || r.Sessions != want[2] && list == "home" || r.Orphans != 0 {
			t.Errorf("%s: %+v", list, r)
		}
	}

	checkDrafts(t, got.Drafts)
	if !slices.Equal(got.Again, got.Drafts[7]) {
		t.Errorf("the same seed gave %v and %v", got.Again, got.Drafts[7])
	}
	if o := got.Objects; len(o) != 1 || o[0] != (drafted{"1", "One", "en"}) && o[0] != (drafted{"1", "Uno", "it"}) {
		t.Errorf("items of answers: %+v", o)
	}
	if len(got.Short) < 1 || len(got.Short) > 2 || got.Unseeded != 6 {
		t.Errorf("a list of one item: %+v; without a seed %d items", got.Short, got.Unseeded)
	}
	if b := got.Bounds; b.Longest != 2 || b.Shortest != 6 {
		t.Errorf("drafts of at most two items of a brand: %+v", b)
	}
	for name, want := range map[string]string{
		"no variants": "log: an experiment needs 2", "same variants": "log: variants must", "no name": "log: an experiment",
		"no list": "log: a list needs a name", "no items": "log: a list must have", "no id": "log: an item needs an id",
		"half teams": "log: a team needs a name", "too long": "log: a list's ids can have at most 25000 characters",
		"no log option": "option: log takes only keys and keep", "no interleave option": `option: interleave has no option "sed"`,
		"no team": "option: teams must be", "no bound": "option: atMost must be like", "no k": "option: k must be", "no arrays": "option: interleave needs two arrays", "damaged": "log: the stored log",
	} {
		if !strings.HasPrefix(got.Errors[name], want) {
			t.Errorf("%s: %s, want %s", name, got.Errors[name], want)
		}
	}
}

// checkDrafts checks drafts of two lists: the teams take turns in pairs, each picks its best remaining item, and the
// first turn of a pair is random.
func checkDrafts(t *testing.T, drafts [][]drafted) {
	lists := map[string][]string{"a": {"1", "2", "3", "4", "5", "6"}, "b": {"4", "9", "1", "8", "2", "7"}}
	first := 0
	for seed, draft := range drafts {
		size, taken := map[string]int{}, []string{}
		for _, d := range draft {
			other := map[string]string{"a": "b", "b": "a"}[d.Team]
			at := slices.IndexFunc(lists[d.Team], func(id string) bool { return !slices.Contains(taken, id) })
			if size[d.Team] > size[other] || at < 0 || lists[d.Team][at] != d.ID {
				t.Fatalf("seed %d: %v", seed, draft)
			}
			taken = append(taken, d.ID)
			size[d.Team]++
		}
		if len(draft) != 6 {
			t.Fatalf("seed %d: %v", seed, draft)
		}
		if draft[0].Team == "a" {
			first++
		}
	}
	if first < 160 || first > 240 { // four standard deviations
		t.Errorf("team a came first %d of %d times", first, len(drafts))
	}
}

const experimentPage = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script type="module" src="embed/components.js"></script>
<pmlam-like item="6">I like Heat</pmlam-like> <pmlam-like item="nothing"></pmlam-like>
<pmlam-recommendations id="one" list="film" model="embed/model.msgpack" against="embed/other.msgpack" item="6" k="6"
	href="?film={id}"></pmlam-recommendations>
<pmlam-recommendations id="two" model="embed/model.msgpack" item="6" k="2" href="?film={id}"></pmlam-recommendations>
<pmlam-recommendations id="three" list="alone" model="embed/model.msgpack" against="embed/damaged.msgpack" item="6" k="2"
	href="?film={id}"></pmlam-recommendations>
<pmlam-recommendations id="four" model="embed/model.msgpack" against="embed/bare.msgpack" item="6" k="2" detail="imdbId"
	href="?film={id}"></pmlam-recommendations>`

// Named lists of a visit are logged: an interleaved one, one whose second model cannot be read, and one whose second
// model lacks a column that it shows. A list without a name is not logged. With consent the log continues on the next
// page, and it is deleted with the likes.
func TestExperimentsOnAPage(t *testing.T) {
	files := map[string][]byte{"": []byte(experimentPage)}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	files["embed/other.msgpack"] = files["embed/model.msgpack"]
	files["embed/bare.msgpack"] = changed(t, files["embed/model.msgpack"], func(c *catalogue.Catalogue) {
		c.Columns = nil
		for i := range c.Items {
			c.Items[i].Values = nil
		}
	})
	b := &buyer{t, jstest.Chromium(t, 3*time.Minute), &sitetest.Site{Files: files}}
	b.do(chromedp.Navigate(b.site.Serve(t)))
	const (
		page   = `import(new URL("embed/components.js", location).href).then((m) => `
		events = page + `m.log().sessions.flatMap((s) => s.events.map((e) => e.event + " " + e.list + " " + (e.item ?? e.items.length) +
			" " + new Set(e.teams).size)).join("|"))`
		keys  = `Object.keys(localStorage).sort().join()`
		ready = `["one", "two", "three", "four"].map((id) => document.getElementById(id).getAttribute("state")).join()`
		click = `document.querySelector("#one").shadowRoot.querySelectorAll("a")[1].click()`
	)
	says := func(what, want string) { // retries until it holds
		t.Helper()
		for ; b.says(what) != want; time.Sleep(20 * time.Millisecond) {
		}
	}
	says(ready, "ready,ready,ready,ready")
	says(page+`m.log().sessions.flatMap((s) => s.events).map((e) => e.list).sort().join())`, "alone,film")
	says(keys, "") // no consent yet
	variant := b.says(page + `m.variant("x", ["a", "b", "c", "d", "e", "f", "g", "h"]))`)
	says(page+`(m.visitor.consent = true))`, "true")
	says(keys, "pmlam-log,pmlam-profile")

	second := b.says(`document.querySelector("#one").shadowRoot.querySelectorAll("li")[1].dataset.item`)
	address := b.says(`location.origin + location.pathname`)
	b.says(click)
	b.arrives(address + "?film=" + second)
	says(ready, "ready,ready,ready,ready")
	says(page+`m.variant("x", ["h", "g", "f", "e", "d", "c", "b", "a"]))`, variant)
	says(page+`m.log().sessions.length)`, "1")
	says(page+`m.log().sessions[0].events.filter((e) => e.event === "shown" && e.list === "film").length)`, "2")
	said := b.says(events)
	if !strings.Contains(said, "|clicked film "+second+" 0|") || strings.Count(said, "shown film 6 2") != 2 {
		t.Errorf("logged: %s", said)
	}
	// A like is logged if a logged list showed the item.
	b.says(`document.querySelectorAll("pmlam-like")[1].shadowRoot.querySelector("button").click()`)
	b.says(page + `m.log() && document.querySelector("pmlam-like").setAttribute("item", "` + second + `"))`)
	b.says(`document.querySelector("pmlam-like").shadowRoot.querySelector("button").click()`)
	likes := page + `m.log().sessions.flatMap((s) => s.events).filter((e) => e.event === "liked").map((e) => e.item).join())`
	says(likes, second)

	says(page+`(m.visitor.consent = false))`, "false")
	says(keys, "")
	says(events, "")
	b.do(chromedp.Reload())
	says(ready, "ready,ready,ready,ready")
	says(keys, "")
	// A log left over without consent, as after a partial deletion, is deleted; a damaged one is ignored.
	b.says(`localStorage.setItem("pmlam-log", "{}")`)
	b.do(chromedp.Reload())
	says(ready, "ready,ready,ready,ready")
	says(keys, "")
	b.says(page + `(m.visitor.consent = true))`)
	b.says(`localStorage.setItem("pmlam-log", "{damaged")`)
	b.do(chromedp.Reload())
	says(ready, "ready,ready,ready,ready")
	says(page+`m.log().sessions.length)`, "1")

	// A page that needs no consent.
	says(page+`(m.visitor.consent = false))`, "false")
	b.site.Lock()
	files[""] = []byte(strings.Replace(experimentPage, "<title>", `<meta name="pmlam-consent" content="given"><title>`, 1))
	b.site.Unlock()
	b.do(chromedp.Reload())
	says(ready, "ready,ready,ready,ready")
	says(keys, "pmlam-log,pmlam-profile")
}

// changed returns a model file with a modified catalogue.
func changed(t *testing.T, file []byte, how func(*catalogue.Catalogue)) []byte {
	t.Helper()
	m, err := model.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	how(m.Catalogue)
	if file, err = model.Encode(m); err != nil {
		t.Fatal(err)
	}
	return file
}

// A list interleaved from two models follows the page's bound, as each model's list does. The second model assigns the
// ids to other films, so its list is unrelated to the first.
func TestInterleavedListsHoldTheBound(t *testing.T) {
	files := map[string][]byte{"": []byte(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">
		<meta name="pmlam-rules" content='{"atMost": {"n": 1, "column": "brand"}}'>
		<script type="module" src="embed/components.js"></script><pmlam-recommendations id="mixed" detail="brand"
		model="embed/one.msgpack" against="embed/two.msgpack" item="6" k="6" href="/p/{id}"></pmlam-recommendations>`)}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	brands := func(shift int) func(c *catalogue.Catalogue) {
		return func(c *catalogue.Catalogue) {
			ids := make([]string, c.Len())
			for i := range ids {
				ids[i] = c.Items[(i+shift)%len(ids)].ID
			}
			c.Columns = []string{"brand"}
			for i, id := range ids {
				c.Items[i].ID, c.Items[i].Values = id, []string{"brand " + string('a'+rune(id[len(id)-1]%7))}
			}
		}
	}
	files["embed/one.msgpack"] = changed(t, files["embed/model.msgpack"], brands(0))
	files["embed/two.msgpack"] = changed(t, files["embed/model.msgpack"], brands(100))
	b := &buyer{t, jstest.Chromium(t, 3*time.Minute), &sitetest.Site{Files: files}}
	b.do(chromedp.Navigate(b.site.Serve(t)))
	b.until(of(state, "mixed"), "ready")
	b.until(`new Set([...document.querySelector("#mixed").shadowRoot.querySelectorAll("[part=detail]")]
		.map((e) => e.textContent)).size`, "6")
	b.until(of(links, "mixed")+`.split(",").length`, "6")
}
