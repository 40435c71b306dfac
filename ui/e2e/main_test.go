//go:build !js

package e2e

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/site"
	"github.com/pmlam/pmlam/server/sitetest"
)

// The tests share one built site, its two hosts and the native recommender for the same model file.
var (
	built string // the site folder
	// browserContext is chromedp's context of the shared browser.
	browserContext context.Context
	ours           *host // this project's server, for tests that only visit
	native         *recommend.Recommender

	handler http.Handler // this project's server
)

const (
	root      = "../.."
	modelFile = "assets/models/movielens.msgpack"
	under     = "/some/where/" // path of the plain host
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	// Visits mostly wait for frames, storage and their own polling, so run two per core.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		return 0, err
	}
	if sitetest.Chromium() == "" {
		return m.Run(), nil // each test is skipped with a message
	}
	scratch, err := os.MkdirTemp("", "pmlam-e2e-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	built = filepath.Join(scratch, "site")
	if err := build(scratch, built); err != nil {
		return 0, fmt.Errorf("building the site: %w", err)
	}
	if handler, err = server.New(os.DirFS(built), server.Options{}); err != nil {
		return 0, err
	}
	ours = serve("/", withSources(handler))
	defer ours.server.Close()
	file, err := model.ReadFile(filepath.Join(root, modelFile))
	if err != nil {
		return 0, err
	}
	if native, err = recommend.Open(file, recommend.Options{}); err != nil {
		return 0, err
	}
	options := append(chromiumOptions(sitetest.Headless(), filepath.Join(scratch, "profile")), withoutOptimizer)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx)
	defer stop()
	if err := chromedp.Do(ctx); err != nil {
		return 0, fmt.Errorf("starting Chromium: %w", err)
	}
	browserContext = ctx
	return m.Run(), nil
}

// withSources adds the page's scripts as they are written, below /sources/: the site has them in one file, from which a
// test cannot import a part.
func withSources(site http.Handler) http.Handler {
	sources := http.StripPrefix("/sources/", http.FileServer(http.Dir(filepath.Join(root, "assets/js"))))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/sources/") {
			sources.ServeHTTP(w, r)
		} else {
			site.ServeHTTP(w, r)
		}
	})
}

// chromiumOptions start Chromium without background work, and with every window active even if covered.
func chromiumOptions(browser, profile string) []chromedp.ExecAllocatorOption {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browser), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile), chromedp.WindowSize(1440, 900),
	}
	// The address bar's popup is a separate page in every window. It is never visible here, and costs a fifth of the
	// time.
	options = append(options, chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup"))
	// Software rendering needs no process of its own.
	options = append(options, chromedp.Flag("in-process-gpu", true))
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update",
		"disable-sync", "disable-dev-shm-usage", "hide-scrollbars", "disable-backgrounding-occluded-windows",
		"disable-renderer-backgrounding", "disable-background-timer-throttling"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	return options
}

// withoutOptimizer prevents V8's second, optimizing compilation of WebAssembly. Contexts share no compiled code, so
// every page load of every test would pay for it: a quarter of a load's CPU time. Benchmarks keep the optimizer.
var withoutOptimizer = chromedp.Flag("js-flags", "--liftoff-only")

// build compiles the program and writes the site as `make site` does, but with less compression to save time.
func build(scratch, out string) error {
	for _, name := range []string{"Makefile", "wasm"} {
		if err := sources(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	config, err := siteConfig(scratch, out)
	if err != nil {
		return err
	}
	if b, err := exec.Command("make", "-C", root, "program",
		"PROGRAM="+config.With["assets/app.wasm"]).CombinedOutput(); err != nil {
		return fmt.Errorf("make program: %w\n%s", err, b)
	}
	return publish(config)
}

// siteConfig returns the site's configuration; the program is, or will be, in the folder scratch.
func siteConfig(scratch, out string) (site.Config, error) {
	program, err := filepath.Abs(filepath.Join(scratch, "app.wasm"))
	if err != nil {
		return site.Config{}, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return site.Config{}, err
	}
	return site.Config{
		Tree: root,
		Out:  out,
		With: map[string]string{
			"assets/app.wasm":    program,
			"assets/kernel.wasm": filepath.Join(root, "wasm", "kernel", "kernel.wasm"),
			"assets/js/loader/wasm_exec.js": filepath.Join(
				strings.TrimSpace(string(goroot)),
				"lib",
				"wasm",
				"wasm_exec.js",
			),
		},
		Copy: map[string]string{"assets/models/README.txt": filepath.Join(root,
			"assets/data/ml-latest-small/README.txt")},
		Quality: 1,
		Cache:   filepath.Join(scratch, "compressed"),
	}, nil
}

func publish(c site.Config) error {
	_, err := site.Build(c)
	return err
}

// sources reads every file of the folder. Another process builds the program, so this tells `go test` that cached
// results become invalid when one of the files changes; for other folders the imports of this package suffice.
func sources(folder string) error {
	return filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			_, err = os.Stat(path)
		}
		return err
	})
}

// host serves the site and records requests.
type host struct {
	server  *httptest.Server
	address string // of the page

	sync.Mutex
	asked    []string                    // method and path of each request so far
	received strings.Builder             // their complete text: request lines and headers
	instead  map[string]http.HandlerFunc // path suffix → replacement for the site
}

func serve(folder string, site http.Handler) *host {
	h := &host{}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.Lock()
		h.asked = append(h.asked, r.Method+" "+r.URL.Path)
		fmt.Fprintln(&h.received, r.RequestURI, r.Header)
		answer := site.ServeHTTP
		for end, f := range h.instead {
			if strings.HasSuffix(r.URL.Path, end) {
				answer = f
			}
		}
		h.Unlock()
		answer(w, r)
	}))
	h.address = h.server.URL + folder
	return h
}

// ownHost is this project's server for a single test, which can count requests and replace responses.
func ownHost(t testing.TB) *host {
	needBrowser(t)
	h := serve("/", handler)
	t.Cleanup(h.close)
	return h
}

// plainHost is a plain file server for a single test, with the site under a sub-path.
func plainHost(t testing.TB) *host {
	needBrowser(t)
	h := serve(under, http.StripPrefix(strings.TrimSuffix(under, "/"), http.FileServer(http.Dir(built))))
	t.Cleanup(h.close)
	return h
}

// close ends all connections, or downloads in progress would be waited for.
func (h *host) close() {
	h.server.CloseClientConnections()
	h.server.Close()
}

// count returns the number of requests so far.
func (h *host) count() int {
	h.Lock()
	defer h.Unlock()
	return len(h.asked)
}

// since returns the requests after the first n.
func (h *host) since(n int) []string {
	h.Lock()
	defer h.Unlock()
	return append([]string(nil), h.asked[n:]...)
}

// replace makes f answer requests for paths with this suffix, until the returned function is called.
func (h *host) replace(end string, f http.HandlerFunc) (restore func()) {
	h.Lock()
	defer h.Unlock()
	if h.instead == nil {
		h.instead = map[string]http.HandlerFunc{}
	}
	h.instead[end] = f
	return func() {
		h.Lock()
		defer h.Unlock()
		delete(h.instead, end)
	}
}
