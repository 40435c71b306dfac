//go:build frameworks && !js

package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// The examples for frameworks are copied, installed with the packed package, checked by their type checkers, built, and
// clicked through in Chromium. Both of their lists equal the native program's, and the page downloads one program and
// one model. Needs a network.
func TestFrameworks(t *testing.T) {
	npm, err := exec.LookPath("npm")
	if err == nil {
		err = exec.Command(npm, "view", "react", "version").Run()
	}
	if err != nil {
		t.Skipf("SKIPPED: npm is missing or reaches no registry (%v), so the examples for frameworks were not built", err)
	}
	scratch, root := t.TempDir(), jstest.Root(t)
	file := filepath.Join(scratch, "model.msgpack")
	must(t, root, "go", "run", "./core/cmd/pmlam", "train", "--data", "docs/examples/shop/orders.csv",
		"--items", "docs/examples/shop/products.csv", "--min-user", "3", "--out", file)
	must(t, built(t), npm, "pack", "--pack-destination", scratch)
	packages, err := filepath.Glob(filepath.Join(scratch, "*.tgz"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("npm pack wrote %q: %v", packages, err)
	}
	install := func(t *testing.T, dir string) {
		t.Helper()
		must(t, dir, npm, "install", "--no-audit", "--no-fund", "--prefer-offline", packages[0])
	}
	for _, framework := range []struct{ name, source, right, wrong, options string }{
		{"react", "src/App.tsx", "k={3}", "k={true}", "--base=./"},
		{"vue", "src/App.vue", "event.detail.liked", "event.detail.disliked", "--base=./"},
		{"svelte", "src/App.svelte", "k={3}", "k={true}", "--base=./"},
		{"next", "app/ForYou.tsx", "k={3}", "k={true}", "--turbopack"},
	} {
		t.Run(framework.name, func(t *testing.T) {
			dir := filepath.Join(scratch, framework.name)
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "docs/examples", framework.name))); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, "public"), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "public/model.msgpack"), jstest.ReadFile(t, file))
			install(t, dir)
			source := filepath.Join(dir, framework.source)
			good := jstest.ReadFile(t, source)
			bad := strings.Replace(string(good), framework.right, framework.wrong, 1)
			write(t, source, []byte(bad))
			if out, err := command(dir, npm, "run", "build").CombinedOutput(); err == nil || bad == string(good) {
				t.Errorf("%s passes the type checker\n%s", framework.wrong, out)
			}
			write(t, source, good)
			must(t, dir, npm, "run", "build", "--", framework.options)
			e := &example{buyer: buyer{t, jstest.Chromium(t, 2*time.Minute), nil}}
			m, err := model.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if e.engine, err = recommend.Open(m, recommend.Options{}); err != nil {
				t.Fatal(err)
			}
			e.do(chromedp.Navigate(e.starts(dir, framework.name)))
			e.clicks()
		})
	}
	// These have no example of their own.
	t.Run("types", func(t *testing.T) {
		write(t, filepath.Join(scratch, "package.json"), []byte(`{"private": true}`))
		install(t, scratch)
		must(t, scratch, npm, "install", "--no-audit", "--no-fund", "typescript@5.9.3", "preact@11.2.0", "solid-js@1.9.20")
		for library, events := range map[string]string{"preact": "on", "solid-js": "on:"} {
			write(t, filepath.Join(scratch, "page.tsx"), []byte(strings.ReplaceAll(jsx, "ON", events)))
			must(t, scratch, npm, "exec", "--", "tsc", "--strict", "--noEmit", "--jsx", "preserve", "--jsxImportSource", library,
				"--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "page.tsx")
		}
	})
}

const jsx = `import "@pmlam/recommender/components";
export const page = () => (
  <main>
    <pmlam-like item={6} class="x" ONpmlam-like={(event) => event.detail.liked satisfies boolean}>Like</pmlam-like>
    <pmlam-recommendations model="m" k="3" ONpmlam-ready={(event) => event.detail.items[0].title} />
    {/* @ts-expect-error */}
    <pmlam-recommendations model="m" k={true} />
    {/* @ts-expect-error */}
    <pmlam-recommendations item="1" />
    {/* @ts-expect-error */}
    <pmlam-like item="1" lable="x" />
  </main>
);
`

// starts serves what was built and returns its address.
func (e *example) starts(dir, framework string) string {
	e.Helper()
	if framework != "next" {
		e.site = &sitetest.Site{Files: published(e.T, filepath.Join(dir, "dist"))}
		return e.site.Serve(e)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		e.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	server := command(dir, filepath.Join(dir, "node_modules/.bin/next"), "start", "--hostname", "127.0.0.1", "--port",
		fmt.Sprint(port))
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := server.Start(); err != nil {
		e.Fatal(err)
	}
	e.Cleanup(func() {
		syscall.Kill(-server.Process.Pid, syscall.SIGKILL)
		server.Wait()
	})
	address := fmt.Sprintf("http://127.0.0.1:%d/", port)
	for range 600 {
		if answer, err := http.Get(address); err == nil {
			answer.Body.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	e.Fatalf("next start does not answer at %s", address)
	return ""
}

// clicks visits the example: its own list, a like, the element's list, and the first of its links.
func (e *example) clicks() {
	e.Helper()
	e.until(`document.querySelector("h1")?.textContent`, "Desk lamp")
	lamp := e.number("p1")
	searches := func(list []recommend.Suggestion) string {
		var all []string
		for _, s := range list {
			all = append(all, "?item="+e.engine.Item(s.Item).ID)
		}
		return strings.Join(all, ",")
	}
	const links = `[...%.querySelectorAll("a")].map((a) => a.search).join()`
	e.until(of(links, `document.querySelector("#similar")`), searches(e.engine.Similar(lamp, recommend.Visit{}, 3)))
	e.says(element + `.scrollIntoView()`)
	e.until(stateOfList, "empty")
	e.says(`document.querySelector("pmlam-like").shadowRoot.querySelector("button").click()`)
	e.until(`document.querySelector("output").textContent`, "liked")
	e.until(stateOfList, "ready")
	visit := recommend.Visit{Likes: []int{lamp}}
	mine := e.engine.Recommend(visit, e.engine.Taste(visit, nil), recommend.Request{K: 3})
	e.until(of(links, list), searches(mine))
	e.until(`performance.getEntriesByType("resource").map((r) => r.name.split(".").at(-1))
		.filter((kind) => ["wasm", "msgpack"].includes(kind)).sort().join()`, "msgpack,wasm")
	e.says(list + `.querySelector("a").click()`)
	e.until(`document.querySelector("h1")?.textContent`, e.engine.Item(mine[0].Item).Title)
}

func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NEXT_TELEMETRY_DISABLED=1")
	return cmd
}

func must(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if out, err := command(dir, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(name), args, err, out)
	}
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
