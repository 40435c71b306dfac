//go:build !js

package main

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// page returns the site as it is in the tree, with what the site builder adds.
func page(t *testing.T) map[string][]byte {
	t.Helper()
	root := jstest.Root(t)
	files := map[string][]byte{
		"":                       jstest.Read(t, "index.html"),
		"assets/app.wasm":        jstest.ReadFile(t, jstest.Program(t, "github.com/pmlam/pmlam/wasm")),
		"assets/kernel.wasm":     jstest.Read(t, "wasm/kernel/kernel.wasm"),
		"assets/js/wasm_exec.js": jstest.WasmExec(t),
	}
	for _, folder := range []string{"css", "icons", "js", "models"} {
		err := fs.WalkDir(os.DirFS(root), "assets/"+folder, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files[name] = jstest.ReadFile(t, filepath.Join(root, filepath.FromSlash(name)))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

var likes = []string{"Toy Story", "Heat", "Alien"}

// native is what the native program recommends to somebody with these likes.
func native(t *testing.T) (titles []string) {
	t.Helper()
	m, err := model.Decode(jstest.Read(t, "assets/models/movielens.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := recommender.Open(m, recommender.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var v recommender.Visit
	for _, title := range likes {
		i, err := r.Find(title)
		if err != nil {
			t.Fatal(err)
		}
		v.Likes = append(v.Likes, i)
	}
	for _, s := range r.Recommend(v, r.Taste(v, nil), recommender.Request{K: 10}) {
		titles = append(titles, r.Item(s.Item).Title)
	}
	return titles
}

func TestThreeLikesInChromium(t *testing.T) {
	site := &jstest.Site{Files: page(t)}
	address := site.Serve(t)
	tab := jstest.Chromium(t, 3*time.Minute)
	messages := chromedp.Console(tab)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	until[bool](t, tab, "the page stands", `document.getElementById("loading").hidden`)
	files := site.Total()
	for _, title := range likes {
		until[bool](t, tab, "the search box", `(() => {
			const box = document.querySelector("input[type=search]");
			if (box === null) return false;
			box.value = `+quote(title)+`;
			box.dispatchEvent(new Event("input", { bubbles: true }));
			return true;
		})()`)
		until[bool](t, tab, "like "+title, `(() => {
			const button = [...document.querySelectorAll("button")].find((b) => b.ariaLabel === "Like " + `+quote(title)+` && b.closest("[role=search]"));
			if (!button) return false;
			if (button.ariaPressed !== "true") button.click();
			return button.ariaPressed === "true";
		})()`)
	}
	want := native(t)
	until[bool](t, tab, "ten cards", ten)
	if got := shown(t, tab); !slices.Equal(got, want) {
		t.Errorf("the page recommends\n%q, the native program\n%q", got, want)
	}

	// Nothing was asked for after the page's own files.
	if total := site.Total(); total != files {
		t.Errorf("%d further files were asked for after the page stood: %v", total-files, site.Asked)
	}
	for name, times := range site.Asked {
		if site.Files[name] == nil || times != 1 {
			t.Errorf("%q was asked for %d times; it is a file of the site: %v", name, times, site.Files[name] != nil)
		}
	}
	// What was liked is there again.
	until[bool](t, tab, "the third like to be stored", stored)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	until[bool](t, tab, "ten cards after the page was loaded again", ten)
	if got := shown(t, tab); !slices.Equal(got, want) {
		t.Errorf("after a reload the page recommends\n%q, want\n%q", got, want)
	}
	// The page says which scan is in use.
	until[bool](t, tab, "the kernel", `(() => {
		const about = [...document.querySelectorAll("button")].find((b) => b.textContent === "About the model");
		if (about?.ariaExpanded === "false") about.click();
		return document.body.textContent.includes("computed by the SIMD kernel");
	})()`)
	quiet(t, tab, messages)
}

func TestDamagedModelInChromium(t *testing.T) {
	files := page(t)
	model := files["assets/models/movielens.msgpack"]
	site := &jstest.Site{Files: files, Replace: map[string]http.HandlerFunc{
		"assets/models/movielens.msgpack": func(w http.ResponseWriter, _ *http.Request) { w.Write(model[:len(model)/2]) },
	}}
	tab := jstest.Chromium(t, 2*time.Minute)
	if err := chromedp.Do(tab, chromedp.Navigate(site.Serve(t))); err != nil {
		t.Fatal(err)
	}
	text := until[string](t, tab, "words", `document.getElementById("loading").hidden ? document.getElementById("app").innerText : ""`)
	for _, part := range []string{"The model is damaged.", "kept on your device"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page says %q, which lacks %q", text, part)
		}
	}
}

const ten = `document.querySelectorAll("#recommendations > *").length === 10`

// stored tells whether the state in IndexedDB names the last of the likes by its id.
const stored = `(async () => {
	const [{ name }] = await indexedDB.databases();
	const open = indexedDB.open(name);
	await new Promise((resolve) => (open.onsuccess = resolve));
	const get = open.result.transaction("bytes").objectStore("bytes").get("state");
	await new Promise((resolve) => (get.onsuccess = resolve));
	open.result.close();
	return new TextDecoder().decode(get.result).includes("1214");
})()`

// shown returns the titles of the cards, as their buttons name them.
func shown(t *testing.T, tab context.Context) []string {
	t.Helper()
	return until[[]string](t, tab, "the titles", `[...document.querySelectorAll("#recommendations > *")].map((card) =>
		[...card.querySelectorAll("button")].map((b) => b.ariaLabel ?? "").find((l) => l.startsWith("Like ")).slice(5))`)
}

// until evaluates the expression until it gives something other than its zero value.
func until[T any](t *testing.T, tab context.Context, what, expression string) T {
	t.Helper()
	for {
		v, err := chromedp.Run(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatalf("waiting for %s: %v", what, err)
		}
		if s := fmt.Sprint(v); s != "false" && s != "" && s != "[]" {
			return v
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// quiet reports what the page has written to the console: nothing is what it should write.
func quiet(t *testing.T, tab context.Context, messages func(func(chromedp.ConsoleMessage, error) bool)) {
	t.Helper()
	if err := chromedp.Do(tab, chromedp.Steps()); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](`console.log("that is all"), true`)); err != nil {
		t.Fatal(err)
	}
	for m, err := range messages {
		if err != nil {
			t.Fatal(err)
		}
		if m.Text == "that is all" {
			return
		}
		t.Errorf("the page wrote to the console: %s", m.Text)
	}
}

func quote(s string) string { return fmt.Sprintf("%q", s) }
