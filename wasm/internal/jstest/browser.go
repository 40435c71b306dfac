//go:build !js

package jstest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// Policy is the Content-Security-Policy that the tests' pages are served with, as strict as the site's own.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'"

// Chromium opens a headless browser for the time of the test and returns the context that chromedp's actions take.
// It skips the test where there is none.
func Chromium(t testing.TB, limit time.Duration) context.Context {
	t.Helper()
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("SKIPPED: Chromium is not installed (apt-get install chromium), so nothing was run in a browser")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browser), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
	}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update",
		"disable-sync", "disable-dev-shm-usage"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	ctx, timeout := context.WithTimeout(context.Background(), limit)
	t.Cleanup(timeout)
	ctx, stop := chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return ctx
}

// Page says how Browser runs a program.
type Page struct {
	Limit time.Duration // how long it may take; 0: a minute
	Quota float64       // bytes that the page may store; 0: as many as the browser lets it
}

// Browser runs a js/wasm program in Chromium. It fails the test if the program fails or does not end within the
// limit, and returns what the program wrote.
func Browser(t testing.TB, program string, page Page, args ...string) string {
	t.Helper()
	limit := page.Limit
	if limit == 0 {
		limit = time.Minute
	}
	root, goroot := Root(t), Goroot(t)
	files := map[string]string{
		"/program.wasm":   program,
		"/kernel.wasm":    filepath.Join(root, "wasm", "kernel", "kernel.wasm"),
		"/wasm_exec.js":   filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"),
		"/instantiate.js": filepath.Join(root, "assets", "js", "instantiate.js"),
		"/browser.mjs":    filepath.Join(root, "wasm", "internal", "jstest", "browser.mjs"),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", Policy)
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title>test</title><script src="wasm_exec.js"></script>`+
				`<script type="module" src="browser.mjs"></script>`)
			return
		}
		path, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		content, err := os.ReadFile(path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType(path))
		w.Write(content)
	}))
	t.Cleanup(server.Close)

	ctx := Chromium(t, limit)
	if page.Quota > 0 {
		_, err := chromedp.Call(ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: server.URL, QuotaSize: &page.Quota})
		if err != nil {
			t.Fatalf("Chromium does not limit the page's storage: %v", err)
		}
	}
	messages := chromedp.Console(ctx)
	address := server.URL + "/?" + strings.Join(args, "&")
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatalf("Chromium does not open the page: %v", err)
	}
	var out strings.Builder
	for message, err := range messages {
		if err != nil {
			t.Fatalf("in Chromium: no end within %v: %v\n%s", limit, err, &out)
		}
		if code, ended := strings.CutPrefix(message.Text, "exit: "); ended {
			if code != "0" {
				t.Fatalf("in Chromium: exit code %s\n%s", code, &out)
			}
			return out.String()
		}
		out.WriteString(message.Text + "\n")
		if message.IsException() {
			t.Fatalf("in Chromium: an exception\n%s", &out)
		}
	}
	t.Fatalf("in Chromium: the console ended before the program\n%s", &out)
	return ""
}

func contentType(path string) string {
	switch filepath.Ext(path) {
	case ".wasm":
		return "application/wasm"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	}
	return "application/octet-stream"
}
