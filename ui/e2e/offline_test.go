//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server"
)

// hosts create our server and a plain one under a sub-path, for a single test.
var hosts = map[string]func(testing.TB) *host{"our server": ownHost, "plain files under a sub-path": plainHost}

// down makes the host hang up, and Chromium forget its own cache, until restored.
func (v *visitor) down(h *host) (restore func()) {
	v.Helper()
	if v.ctx != nil {
		_, err := chromedp.Call(v.ctx, network.ClearBrowserCache, cdp.Empty{})
		v.must(err)
	}
	return h.replace("", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}

// lookForUpdate makes the browser look for a new worker once: see update.
const lookForUpdate = `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => true)`

// update makes the browser look for a new worker until it finds one: a call may join a check in progress that the host
// has already answered.
func (v *visitor) update() {
	v.Helper()
	until[bool](v, "a new worker", `navigator.serviceWorker.getRegistration().then(async (r) => {
		const found = () => r.installing !== null || r.waiting !== null || r.active !== (globalThis.active ??= r.active);
		if (!found()) {
			await r.update();
		}
		return found();
	})`)
}

// withoutCache makes the tab bypass Chromium's own cache from now on.
func (v *visitor) withoutCache() {
	v.Helper()
	_, err := chromedp.Call(v.ctx, network.Enable, network.EnableParams{}) // see attach
	v.must(err)
	_, err = chromedp.Call(v.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	v.must(err)
}

// After one visit the page starts offline, with the marks and the same ten, and requests nothing from the host, even
// one that sends the program with a wrong type.
func TestStartsWithoutANetwork(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for name, host := range hosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			if name != "our server" {
				files := http.StripPrefix(strings.TrimSuffix(under, "/"), http.FileServer(http.Dir(built)))
				defer h.replace(".wasm", func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "application/octet-stream")
					files.ServeHTTP(w, r)
				})()
			}
			v := newVisitor(t, persona{})
			v.open(h.address)
			v.like(three...)
			want := answer(visit(t, three...), recommend.Request{})
			v.lists(want)
			v.likesStored(three...)
			v.siteStored()

			restore := v.down(h)
			defer restore()
			for range 2 {
				asked := h.count()
				v.reload()
				v.lists(want)
				for _, request := range h.since(asked) {
					if !strings.HasSuffix(request, "/service-worker.js") { // the browser checks for updates
						t.Errorf("offline, the browser requested %s", request)
					}
				}
			}
			if got := see[string](v, `fetch(document.querySelector("script[data-program]").dataset.program).then((r) => r.headers.get("Content-Type"))`); got != "application/wasm" {
				t.Errorf("the program is cached as %q, which prevents streaming compilation", got)
			}
			v.noErrors()
		})
	}
}

// The page shows when it goes offline and online.
func TestSaysThatItIsOffline(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	for range 2 {
		v.setOffline(true)
		until[bool](v, "the word Offline", shows(words.Away))
		v.setOffline(false)
		until[bool](v, "the word Offline to go", "!"+shows(words.Away))
	}
	v.noErrors()
}

// setOffline switches the browser's network off or on.
func (v *visitor) setOffline(offline bool) {
	v.Helper()
	if _, err := chromedp.Call(v.ctx, network.OverrideNetworkState,
		network.OverrideNetworkStateParams{Offline: offline, DownloadThroughput: -1, UploadThroughput: -1,
			ConnectionType: network.ConnectionTypeEthernet}); err != nil {
		v.Fatal(err)
	}
}

// shows returns a script that tells whether the page's header shows the text.
func shows(text string) string {
	return fmt.Sprintf(`document.querySelector("header.head").innerText.includes(%s)`, quote(text))
}

// A new version of the real page is announced, starts when the visitor agrees, keeps their marks, and starts offline.
func TestRestartToUpdate(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{})
	v.open(h.address)
	v.like(three...)
	want := answer(visit(t, three...), recommend.Request{})
	v.lists(want)
	v.siteStored()
	before := see[string](v, `document.querySelector("script[data-worker]").dataset.version`)

	next := rebuilt(t)
	defer h.replace("", next.ServeHTTP)()
	v.update()
	v.sees("button", words.Restart)
	v.lists(want)
	v.Width, v.Height = 360, 740
	v.emulateScreen()
	v.sees("button", words.Restart)
	if width := see[int](v, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("on a screen of 360 px the page with the update offer is %d px wide", width)
	}
	v.Width, v.Height = 1440, 900
	v.emulateScreen()
	restore := v.down(h)
	v.press(words.Restart)
	until[bool](
		v,
		"the next version",
		fmt.Sprintf(`(document.querySelector("script[data-worker]")?.dataset.version ?? %s) !== %[1]s`, quote(before)),
	)
	v.ready()
	v.lists(want)
	until[bool](
		v,
		"the new style",
		`getComputedStyle(document.documentElement).getPropertyValue("--of-the-next-version").trim() === "yes"`,
	)
	v.siteStored() // the worker has reported its versions
	v.misses("button", words.Restart)
	restore()
	v.noErrors()
}

// The same if the visitor reloads with the browser's button, in the visit that began without a worker. Before the
// worker claimed that page, Chromium took the new page from the worker but its files from the network in nine of twenty
// trials, so four trials miss that one time in ten.
func TestReloadWhileTheNextVersionWaits(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	next := rebuilt(t)
	for trial := range 4 {
		past := trial%2 == 1
		t.Run(map[bool]string{false: "the first visit", true: "loaded past the worker"}[past], func(t *testing.T) {
			t.Parallel()
			h := ownHost(t)
			v := newVisitor(t, persona{})
			v.open(h.address)
			v.siteStored()
			if past {
				see[bool](v, `globalThis.before = true`)
				_, err := chromedp.Call(v.ctx, page.Reload, page.ReloadParams{IgnoreCache: new(true)})
				v.must(err)
				until[bool](v, "the page to be loaded again",
					`globalThis.before === undefined && document.readyState === "complete"`)
				v.ready()
				v.siteStored()
			}
			until[bool](v, "the worker to claim the page", `navigator.serviceWorker.controller !== null`)
			version := `document.querySelector("script[data-worker]")?.dataset.version`
			before := quote(see[string](v, version))
			defer h.replace("", next.ServeHTTP)()
			v.update()
			v.sees("button", words.Restart)
			until[bool](v, "the new worker to wait", // it reports completion before the browser has noted it
				`navigator.serviceWorker.getRegistration().then((r) => r.waiting !== null)`)
			defer v.down(h)()
			see[bool](v, `location.reload() === undefined`)
			until[bool](v, "the next version", fmt.Sprintf(`(%s ?? %s) !== %[2]s`, version, before))
			v.ready()
			v.siteStored()
			v.misses("button", words.Restart)
		})
	}
}

// rebuilt serves the site built again with one changed style sheet.
func rebuilt(t *testing.T) http.Handler {
	t.Helper()
	name := "assets/css/tokens.css"
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "tokens.css")
	if err := os.WriteFile(changed, append(b, ":root { --of-the-next-version: yes; }\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "site")
	config, err := siteConfig(filepath.Dir(built), out)
	if err != nil {
		t.Fatal(err)
	}
	config.With[name] = changed
	if err := publish(config); err != nil {
		t.Fatal(err)
	}
	handler, err := server.New(os.DirFS(out), server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// Without service workers (plain http, private windows of some browsers) nothing breaks, and the page explains the
// requirements.
func TestWithoutServiceWorkers(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	for name, before := range map[string]string{
		"none":      `delete Navigator.prototype.serviceWorker;`,
		"forbidden": `Object.defineProperty(Navigator.prototype, "serviceWorker", { get() { throw new DOMException("not here", "SecurityError"); } });`,
		"refused":   `ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("not here", "SecurityError"));`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Before: before})
			v.open(ours.address)
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			v.reads(words.CopyNever)
			v.noErrors("console.info: ")
		})
	}
}

// If a host rewrites the page, it works as usual, and the console explains why it is not kept.
func TestAHostThatRewrites(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	page, err := os.ReadFile(filepath.Join(built, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	rewritten := slices.Concat(page, []byte("<!-- minified by your friendly network -->"))
	send := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write(rewritten)
	}
	h := plainHost(t)
	defer h.replace("/index.html", send)()
	defer h.replace(under, send)()
	v.open(h.address)
	v.like("Heat")
	v.lists(answer(visit(t, "Heat"), recommend.Request{}))
	v.reads(words.CopyRefused)
	said := func() bool {
		v.watch.Lock()
		defer v.watch.Unlock()
		return slices.ContainsFunc(v.watch.complaints,
			func(c string) bool { return strings.Contains(c, "or the host rewrites files") })
	}
	v.wait("the console to explain it", func() string {
		if said() {
			return ""
		}
		return "it does not"
	})
	v.noErrors(`console.warning: "Version`)
}
