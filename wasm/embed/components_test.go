//go:build !js

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// shop is a page with both elements. Its lists are far below the screen, each with server-rendered content.
const shop = `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="page.css">
<script src="page.js"></script><script type="module" src="embed/components.js"></script>
<main><h1>Heat</h1>
<pmlam-like item="6">I like Heat</pmlam-like> <pmlam-like item="1" label="Like Toy Story"></pmlam-like>
<div class="far"></div>
<pmlam-recommendations id="similar" model="embed/model.msgpack" item="6" k="4" href="/p/{id}?of={title}"
	picture="covers/{imdbId}.svg" detail="year imdbId" label="Like Heat"><a href="/all">All films</a></pmlam-recommendations>
<pmlam-recommendations id="yours" model="embed/model.msgpack" k="5" href="/p/{id}" label="For you"><p>The best
	known</p></pmlam-recommendations>
<pmlam-recommendations id="wrong" model="embed/model.msgpack" item="6" href="{colour}">Nothing</pmlam-recommendations>
<pmlam-recommendations id="new" model="embed/model.msgpack" item="brand new">Our new film</pmlam-recommendations>
</main></html>`

// buyer is a tab that visits the shop.
type buyer struct {
	*testing.T
	tab  context.Context
	site *sitetest.Site
}

func newBuyer(t *testing.T) *buyer { return buyerAt(t, shop) }

// buyerAt visits a page of the shop.
func buyerAt(t *testing.T, page string) *buyer {
	files := map[string][]byte{
		"": []byte(page),
		"page.css": []byte(`.far { height: 4000px } pmlam-recommendations { min-height: 5rem }
			pmlam-recommendations::part(title) { font-weight: bold }`),
		"page.js": []byte(`globalThis.violations = [];
			document.addEventListener("securitypolicyviolation", (e) => violations.push(e.violatedDirective));`),
	}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	b := &buyer{t, jstest.Chromium(t, 3*time.Minute), &sitetest.Site{Files: files}}
	b.do(chromedp.Navigate(b.site.Serve(t)))
	return b
}

func (b *buyer) do(step chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.tab, step); err != nil {
		b.Fatal(err)
	}
}

// says evaluates an expression, awaits its result and returns it as text.
func (b *buyer) says(expression string) string {
	b.Helper()
	said, err := chromedp.Run(b.tab, chromedp.Evaluate[string]("Promise.resolve("+expression+").then(String)",
		chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return said
}

// until waits until an expression has the value want.
func (b *buyer) until(expression, want string) {
	b.Helper()
	for last := ""; ; time.Sleep(20 * time.Millisecond) {
		said, err := chromedp.Run(b.tab, chromedp.Evaluate[string]("String("+expression+")"))
		if err != nil {
			b.Fatalf("%s is not %q but %q: %v", expression, want, last, err)
		}
		if last = said; said == want {
			return
		}
	}
}

// arrives waits until the page at address has loaded. In between, the tab may have no page to query.
func (b *buyer) arrives(address string) {
	b.Helper()
	for last := ""; ; time.Sleep(20 * time.Millisecond) {
		said, err := chromedp.Run(b.tab, chromedp.Evaluate[string]("location.href + ' ' + document.readyState"))
		if err == nil && said == address+" complete" {
			return
		}
		if b.tab.Err() != nil {
			b.Fatalf("the tab is not at %s but at %s: %v", address, last, err)
		}
		last = said
	}
}

func (b *buyer) reload() {
	b.Helper()
	b.do(chromedp.Reload())
	b.until(`document.querySelector("pmlam-like").shadowRoot?.querySelector("button").ariaPressed.length > 0`, "true")
}

const (
	state   = `document.querySelector("#%").getAttribute("state")`
	links   = `[...document.querySelector("#%").shadowRoot.querySelectorAll("a")].map((a) => a.pathname).join()`
	pressed = `document.querySelector("pmlam-like").shadowRoot.querySelector("button").ariaPressed`
	stored  = `localStorage.getItem("pmlam-profile")`
	module  = `import(new URL("embed/components.js", location).href).then(({ visitor }) => `
)

func of(expression, id string) string { return strings.ReplaceAll(expression, "%", id) }

func paths(engine *recommend.Recommender, list []recommend.Suggestion) string {
	var all []string
	for _, s := range list {
		all = append(all, "/p/"+engine.Item(s.Item).ID)
	}
	return strings.Join(all, ",")
}

// In a visit to a shop, server-rendered content stays until a list is near and ready, lists equal the native program's,
// likes are remembered only with consent, and nothing violates the policy.
func TestElements(t *testing.T) {
	b := newBuyer(t)
	m, err := model.ReadFile(filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	native, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	heat, err := native.Find("Heat")
	if err != nil || native.Item(heat).ID != "6" {
		t.Fatalf("Heat is not item 6: %v", err)
	}

	b.until(of(state, "similar"), "waiting")
	// An observer created now fires no earlier than the element's own.
	b.says(`new Promise((done) => new IntersectionObserver(done).observe(document.querySelector("#similar")))`)
	before := 0
	b.site.Lock()
	for name := range b.site.Asked {
		if strings.HasPrefix(name, "embed/") {
			before += len(b.site.Files[name])
		}
	}
	b.site.Unlock()
	if before == 0 || before > 100_000 {
		t.Errorf("%d bytes were fetched before a list was near; want 1 to 100,000", before)
	}
	b.until(`document.querySelector("#similar a").checkVisibility()`, "true")

	b.says(`document.querySelector("#similar").scrollIntoView()`)
	b.until(of(state, "similar"), "ready")
	if got, want := b.says(of(links, "similar")), paths(native, native.Similar(heat, recommend.Visit{}, 4)); got != want {
		t.Errorf("similar to Heat: %s, want %s", got, want)
	}
	b.until(`document.querySelector("#similar a").checkVisibility()`, "false")
	first := native.Item(native.Similar(heat, recommend.Visit{}, 4)[0].Item)
	parts := b.says(`[...document.querySelector("#similar").shadowRoot.querySelector("li").querySelectorAll("[part]")]
		.map((e) => e.part + " " + (e.textContent || e.getAttribute("src") || e.search)).join("|")`)
	for _, want := range []string{"title " + first.Title, "detail ", ".svg"} {
		if !strings.Contains(parts, want) {
			t.Errorf("the parts of the first item are %q, without %q", parts, want)
		}
	}
	b.until(of(state, "wrong"), "failed")
	b.until(of(state, "new"), "empty")
	b.until(of(state, "yours"), "empty")
	b.until(`document.querySelector("#yours p").checkVisibility()`, "true")

	// By the keyboard.
	b.says(`document.querySelector("pmlam-like").focus()`)
	b.do(chromedp.KeyEvent("\r"))
	b.until(pressed, "true")
	b.until(of(state, "yours"), "ready")
	visit := recommend.Visit{Likes: []int{heat}}
	yours := paths(native, native.Recommend(visit, native.Taste(visit, nil), recommend.Request{K: 5}))
	if got := b.says(of(links, "yours")); got != yours {
		t.Errorf("for a visitor who likes Heat: %s, want %s", got, yours)
	}
	b.accessible()

	// The focus stays in the list when it changes.
	b.says(`document.querySelector("#yours").shadowRoot.querySelector("a").focus()`)
	b.says(module + `visitor.mark("1", "like"))`)
	b.until(of(links, "yours")+` !== "`+yours+`"`, "true")
	b.until(`document.querySelector("#yours").shadowRoot.activeElement?.localName`, "a")

	b.until(stored, "null") // no consent yet
	b.reload()
	b.until(pressed, "false")
	b.says(module + `(visitor.consent = true))`)
	b.says(module + `visitor.mark("6", "like"))`)
	b.reload()
	b.until(pressed, "true")
	b.says(`document.querySelector("#yours").scrollIntoView()`)
	b.until(of(state, "yours"), "ready")
	b.until(of(links, "yours"), yours)
	b.says(module + `(visitor.consent = false))`)
	b.until(stored, "null")
	b.until(pressed, "false")
	b.until(of(state, "yours"), "empty")
	b.says(`localStorage.setItem("pmlam-profile", "{damaged")`)
	b.reload()
	b.until(pressed, "false")
	b.until("violations.join()", "")
}

// Lists follow the page's rules, and a list reports rules that it cannot follow.
func TestElementsHoldRules(t *testing.T) {
	files := map[string][]byte{}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	const page = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><meta name="pmlam-rules" content='%'>
		<script type="module" src="embed/components.js"></script><pmlam-recommendations id="similar"
		model="embed/model.msgpack" item="6" k="4" href="/p/{id}"></pmlam-recommendations>`
	rules := `{"pinned": ["50"], "excluded": ["1"], "boost": [{"column": "imdbId", "weight": 1}]}`
	files[""] = []byte(strings.Replace(page, "%", rules, 1))
	files["wrong.html"] = []byte(strings.Replace(page, "%", `{"inStock": "stock"}`, 1))
	b := &buyer{t, jstest.Chromium(t, 3*time.Minute), &sitetest.Site{Files: files}}
	address := b.site.Serve(t)
	b.do(chromedp.Navigate(address))
	b.until(of(state, "similar"), "ready")
	m, err := model.ReadFile(filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	native, err := recommend.Open(m, recommend.Options{})
	if err == nil {
		native, _, err = native.WithRules(recommend.Rules{Pinned: []string{"50"}, Excluded: []string{"1"},
			Boosts: []recommend.Boost{{Column: "imdbId", Weight: 1}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	heat := native.IDs()["6"]
	if got, want := b.says(of(links, "similar")), paths(native, native.Similar(heat, recommend.Visit{}, 4)); got != want ||
		!strings.HasPrefix(got, "/p/50,") {
		t.Errorf("similar to Heat: %s, want %s", got, want)
	}
	b.until(`document.querySelector("#similar").shadowRoot.querySelectorAll("[part~=pinned]").length`, "1")
	// Items that the visitor has seen are not listed.
	second := native.Item(native.Similar(heat, recommend.Visit{}, 4)[1].Item).ID
	b.says(module + `visitor.mark("` + second + `", "seen"))`)
	b.until(of(links, "similar")+`.includes("/p/`+second+`")`, "false")
	b.do(chromedp.Navigate(address + "wrong.html"))
	b.until(of(state, "similar"), "failed")
}

// Lists for a visitor without likes download neither a program nor a model. After a like, all lists and the page's own
// open() share one of each, until the last of them closes it.
func TestElementsShareOneModel(t *testing.T) {
	const list = `<pmlam-recommendations id="%" model="embed/model.msgpack" k="3" href="/p/{id}">The best</pmlam-recommendations>`
	files := map[string][]byte{
		"": []byte(`<!doctype html><title>Shop</title><link rel="icon" href="data:,"><script src="page.js"></script>
			<script type="module" src="embed/components.js"></script><pmlam-like item="6"></pmlam-like>` +
			of(list, "one") + of(list, "two") + of(list, "three")),
		"page.js": []byte(`globalThis.programs = 0;
			Object.defineProperty(globalThis, "pmlamHost", { set(host) { programs++; this.host = host; }, get() { return this.host; } });
			globalThis.opens = () => import(new URL("embed/pmlam.js", location)).then(({ open }) => open("embed/model.msgpack"));`),
	}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	b := &buyer{t, jstest.Chromium(t, 3*time.Minute), &sitetest.Site{Files: files}}
	downloads := func(want int) {
		t.Helper()
		asked := b.site.Times()
		program, model := asked["embed/embed.wasm"], asked["embed/model.msgpack"]
		if program != want || model != want || asked["embed/pmlam.js"] > want {
			t.Errorf("%d programs and %d models were downloaded, want %d each: %v", program, model, want, asked)
		}
		b.until("programs", strconv.Itoa(want))
	}
	b.do(chromedp.Navigate(b.site.Serve(t)))
	for _, id := range []string{"one", "two", "three"} {
		b.until(of(state, id), "empty")
	}
	downloads(0)
	b.says(`document.querySelector("pmlam-like").shadowRoot.querySelector("button").click()`)
	b.says(`Promise.all([opens(), opens()]).then((opened) => (globalThis.opened = opened))`)
	for _, id := range []string{"one", "two", "three"} {
		b.until(of(state, id), "ready")
	}
	downloads(1)
	b.says(`document.querySelectorAll("#one, #two").forEach((list) => list.remove())`)
	b.says(`opened[0].close()`)
	b.says(`opened[0].close()`) // closing twice closes nothing else
	b.says(`document.querySelector("#three").remove()`)
	b.until(`opened[0].closed + " " + opened[1].closed + " " + opened[1].similar("6", 3).items.length`, "true false 3")
	downloads(1)
	b.says(`opened[1].close()`)
	b.says(`opens().then((opened) => opened.similar("6").items.length)`)
	b.until("programs", "2")
	// A failed download is not shared with the next call.
	fails := `import(new URL("embed/pmlam.js", location)).then(({ open }) => open("embed/late.msgpack")).then((m) => m.length, (e) => e.code)`
	if got := b.says(fails); got != "file" {
		t.Errorf("a missing model: %s", got)
	}
	b.site.Lock()
	b.site.Files["embed/late.msgpack"] = files["embed/model.msgpack"]
	b.site.Unlock()
	if got := b.says(fails); got == "file" || got == "0" {
		t.Errorf("a model that was missing at first: %s", got)
	}
}

// accessible checks the page with axe-core, if installed.
func (b *buyer) accessible() {
	b.Helper()
	axe, err := os.ReadFile(filepath.Join(jstest.Root(b), "ui/e2e/node_modules/axe-core/axe.min.js"))
	if err != nil {
		b.Log("axe-core is not installed (npm ci --prefix ui/e2e), so accessibility of the elements was not checked")
		return
	}
	var faults []struct{ ID, Help string }
	said := b.says(`(() => { ` + string(axe) + `; return axe.run(document); })().then((r) => JSON.stringify(r.violations))`)
	if err := json.Unmarshal([]byte(said), &faults); err != nil {
		b.Fatal(err)
	}
	for _, f := range faults {
		b.Errorf("%s: %s", f.ID, f.Help)
	}
}
