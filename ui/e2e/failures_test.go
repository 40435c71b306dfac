//go:build !js

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// Without WebAssembly the page explains the problem and the remedy.
func TestWithoutWebAssembly(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Before: `delete globalThis.WebAssembly`})
	v.do(chromedp.Navigate(ours.address))
	v.reads("This page needs WebAssembly")
	v.reads("Any current Firefox, Chrome, Edge or Safari has it")
	v.sees("alert", "")
	v.misses("button", "Try again") // retrying would not help
	v.noErrors()
}

// Without SIMD the page gives the same ten from plain Go, and says so.
func TestWithoutSIMD(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Requests: true, Before: `
		const validate = WebAssembly.validate;
		WebAssembly.validate = (bytes) => bytes.byteLength < 100 ? false : validate.call(WebAssembly, bytes);`})
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.press(words.About)
	v.reads(words.Kernel("go"))
	for _, address := range v.requests() {
		if strings.Contains(address, "kernel") {
			t.Errorf("the kernel was loaded although it cannot run: %s", address)
		}
	}
	v.noErrors()
}

// With SIMD the page says so.
func TestSaysWhichKernel(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.press(words.About)
	v.reads(words.Kernel("simd"))
	v.noErrors()
}

// If the browser blocks storage, the page says so and works.
func TestWithoutStorage(t *testing.T) {
	t.Parallel()
	v := newVisitor(
		t,
		persona{Before: `IDBFactory.prototype.open = () => { throw new DOMException("not here", "SecurityError"); };`},
	)
	v.open(ours.address)
	v.reads(words.StoreBlocked)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	explained(t, v)
	v.noErrors("console.warning: ") // the loader's own warning
}

// A damaged model is explained; likes are kept and return with a valid model.
func TestDamagedModel(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{})
	v.open(h.address)
	v.like(three...)
	want := answer(visit(t, three...), recommend.Request{})
	v.lists(want)
	v.likesStored(three...)
	v.siteStored()   // else the worker may download the damaged file and warn
	v.withoutCache() // it has valid files
	restore := h.replace(".msgpack", flipped(t))
	defer restore()
	v.reload()
	v.reads("The page’s data is damaged.")
	v.reads(words.FailureKept)
	v.likesStored(three...)
	restore()
	v.click("link", words.Reload)
	until[bool](v, "the page of the failure to go", `document.querySelector(".failure") === null`)
	v.ready()
	v.lists(want)
	v.noErrors("console.error: ")
}

// flipped serves the site's model with one flipped bit.
func flipped(t *testing.T) http.HandlerFunc {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(built, "assets", "models", "*.msgpack"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the site has the models %q (%v), want one", found, err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(b)
	}
}

// A file that cannot be loaded is explained, and retrying works once it can.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{})
	restore := h.replace(".msgpack", func(w http.ResponseWriter, _ *http.Request) {
		panic(http.ErrAbortHandler) // the connection breaks
	})
	defer restore()
	v.do(chromedp.Navigate(h.address))
	v.reads("The page could not be loaded completely.")
	v.sees("button", "Try again")
	restore()
	v.press("Try again")
	v.ready()
	v.like("Heat")
	v.lists(answer(visit(t, "Heat"), recommend.Request{}))
	v.noErrors("console.error: ", "Failed to load resource")
}
