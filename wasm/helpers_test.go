//go:build !js

package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// page returns the files of the site: the source tree and the site builder's additions.
func page(t testing.TB) map[string][]byte {
	t.Helper()
	root := jstest.Root(t)
	files := map[string][]byte{
		"":                              jstest.Read(t, "index.html"),
		"assets/app.webmanifest":        jstest.Read(t, "assets/app.webmanifest"),
		"assets/app.wasm":               jstest.ReadFile(t, jstest.Program(t, "github.com/pmlam/pmlam/wasm")),
		"assets/kernel.wasm":            jstest.Read(t, "wasm/kernel/kernel.wasm"),
		"assets/js/loader/wasm_exec.js": jstest.WasmExec(t),
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

// likeThem searches for each of likes and presses its button.
func likeThem(t testing.TB, tab context.Context) {
	t.Helper()
	for _, title := range likes {
		until[bool](t, tab, "the search box", `(() => {
			const box = document.querySelector("input[type=search]");
			if (box === null) return false;
			box.value = `+quote(title)+`;
			box.dispatchEvent(new Event("input", { bubbles: true }));
			return true;
		})()`)
		until[bool](t, tab, "like "+title, `(() => {
			const button = [...document.querySelectorAll("[role=search] button")]
				.find((b) => b.ariaLabel === "Like " + `+quote(title)+`);
			if (!button) return false;
			if (button.ariaPressed !== "true") button.click();
			return button.ariaPressed === "true";
		})()`)
	}
}

const ten = `document.querySelectorAll("#recommendations > *").length === 10 && ellipsis.tasks === 0`

// stored tells whether the state in IndexedDB contains the id of the last of the likes.
const stored = `(async () => {
	const [{ name }] = await indexedDB.databases();
	const open = indexedDB.open(name);
	await new Promise((resolve) => (open.onsuccess = resolve));
	const get = open.result.transaction("bytes").objectStore("bytes").getAll();
	await new Promise((resolve) => (get.onsuccess = resolve));
	open.result.close();
	return get.result.some((bytes) => new TextDecoder().decode(bytes).includes("1214"));
})()`

// shown returns the titles of the cards, read from their buttons.
func shown(t testing.TB, tab context.Context) []string {
	t.Helper()
	return until[[]string](t, tab, "the titles", `[...document.querySelectorAll("#recommendations > *")].map((card) =>
		[...card.querySelectorAll("button")].map((b) => b.ariaLabel ?? "")
			.find((l) => l.startsWith("Like ")).slice(5))`)
}

// until evaluates the expression until its value is not the zero value.
func until[T any](t testing.TB, tab context.Context, what, expression string) T {
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

// quiet fails the test for each line that the page wrote to the console.
func quiet(t testing.TB, tab context.Context, messages func(func(chromedp.ConsoleMessage, error) bool)) {
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
