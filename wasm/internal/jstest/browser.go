//go:build !js

package jstest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/server/sitetest"
)

// Chromium starts a headless browser for the duration of the test and returns the context for chromedp's actions. It
// does not use the headless shell, which draws no frames for observers that wait for one. Without Chromium it skips the
// test. features are switched on.
func Chromium(t testing.TB, limit time.Duration, features ...string) context.Context {
	t.Helper()
	browser := sitetest.Chromium()
	if browser == "" {
		t.Skip("SKIPPED: Chromium is not installed (apt-get install chromium), so the browser tests did not run")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browser), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
	}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update",
		"disable-sync", "disable-dev-shm-usage"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	if len(features) > 0 {
		options = append(options, chromedp.Flag("enable-features", strings.Join(features, ",")))
	}
	ctx, timeout := context.WithTimeout(context.Background(), limit)
	t.Cleanup(timeout)
	ctx, stop := chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	return ctx
}

// Page has the options of Browser.
type Page struct {
	Limit time.Duration // 0 means one minute
	Quota float64       // bytes that the page may store; 0 means the browser's limit
	Files []string      // files that a program that trains can read in the folder /data
}

// Browser runs a js/wasm program in Chromium and returns its output. It fails the test if the program fails or exceeds
// the limit.
func Browser(t testing.TB, program string, page Page, args ...string) string {
	t.Helper()
	limit := page.Limit
	if limit == 0 {
		limit = time.Minute
	}
	site := &sitetest.Site{Files: map[string][]byte{
		"": []byte(`<!doctype html><title>test</title><link rel="icon" href="data:,">` +
			`<script src="wasm_exec.js"></script><script type="module" src="browser.mjs"></script>`),
		"program.wasm":   ReadFile(t, program),
		"kernel.wasm":    Read(t, "wasm/kernel/kernel.wasm"),
		"wasm_exec.js":   WasmExec(t),
		"instantiate.js": Read(t, "assets/js/loader/instantiate.js"),
		"files.mjs":      Read(t, "wasm/internal/jstest/files.mjs"),
		"training.js":    Read(t, "wasm/kernel/training/training.js"),
		"fused.wasm":     Read(t, "wasm/kernel/training/fused.wasm"),
		"plain.wasm":     Read(t, "wasm/kernel/training/plain.wasm"),
		"browser.mjs":    Read(t, "wasm/internal/jstest/browser.mjs"),
	}}
	names := make([]string, len(page.Files))
	for i, path := range page.Files {
		names[i] = filepath.Base(path)
		site.Files["data/"+names[i]] = ReadFile(t, path)
	}
	list, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	site.Files["files.json"] = list
	address := site.Serve(t)
	ctx := Chromium(t, limit)
	if page.Quota > 0 {
		_, err := chromedp.Call(ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{
			Origin: strings.TrimSuffix(address, sitetest.Folder), QuotaSize: &page.Quota,
		})
		if err != nil {
			t.Fatalf("limiting the page's storage: %v", err)
		}
	}
	messages := chromedp.Console(ctx)
	if err := chromedp.Do(ctx, chromedp.Navigate(address+"?"+strings.Join(args, "&"))); err != nil {
		t.Fatalf("opening the page: %v", err)
	}
	var out strings.Builder
	for message, err := range messages {
		if err != nil {
			t.Fatalf("in Chromium: not finished within %v: %v\n%s", limit, err, &out)
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
