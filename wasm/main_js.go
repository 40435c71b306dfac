//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"syscall/js"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/titles"
	"github.com/pmlam/pmlam/ui/words"
	"github.com/pmlam/pmlam/wasm/internal/dom"
	"github.com/pmlam/pmlam/wasm/internal/host"
	"github.com/pmlam/pmlam/wasm/internal/jsquery"
	"github.com/pmlam/pmlam/wasm/kernel"
	"github.com/pmlam/pmlam/wasm/storage"
	"github.com/vugu/vugu"
)

// version is set by -ldflags="-X main.version=…".
var version = "development"

// mount selects the element of the page.
const mount = "#app"

func main() {
	yield.Set(browser.Yield)
	// Starting Go's runtime and all packages is one task of the browser. assets/js/worker/compile-worker.js runs the
	// program up to here.
	yield.Now()
	h, err := host.Take()
	if err != nil {
		panic(err) // without a loader, nothing can show the error
	}
	if err := run(h); err != nil {
		h.Fail(err.Error(), true)
	}
}

// run shows the page. It returns only if it cannot continue.
func run(h *host.Host) error {
	disk := storage.New(storeName())
	go func() { // while the model is decoded
		if err := disk.Open(); err != nil {
			js.Global().Get("console").Call("warn", err.Error())
		}
	}()
	runtime.Gosched()
	yield.Now()

	engine, err := openEngine(h.Model())
	if err == nil {
		engine, err = withRules(engine, meta("pmlam-rules"))
	}
	if err != nil {
		js.Global().Get("console").Call("error", err.Error())
		return render(ui.NewFailure(nil, explain(err)), func(vugu.EventEnv) {}, func() { h.Ready(false) })
	}
	page := ui.New(ui.Config{Engine: engine, Disk: disk, Name: meta("application-name"), Version: version,
		Studio: meta("studio"), Owner: words.OwnerOf(meta), Titles: titles.Owner{Places: meta("title-links"),
			Pictures: meta("title-pictures"), Price: meta("title-price")}})
	return render(page, page.Begin, func() { h.Ready(true) })
}

// openEngine opens a recommender on a model file.
func openEngine(file []byte) (*recommend.Recommender, error) {
	m, err := model.DecodeBy(file, host.Digest)
	if err != nil {
		return nil, err
	}
	scan, name := kernel.Fastest()
	return recommend.Open(m, recommend.Options{Scan: scan, ScanName: name})
}

// withRules returns the engine with the owner's rules, given as JSON and checked by the site builder. Ids that the
// model does not have are skipped.
func withRules(engine *recommend.Recommender, text string) (with *recommend.Recommender, err error) {
	if text == "" {
		return engine, nil
	}
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("pmlam-rules is not JSON: %v", e)
		}
	}()
	// Requests of others are bounded, but an owner's n may exceed the size of the catalogue.
	r := query.Reader{Engine: engine, Results: math.MaxInt32, Marks: math.MaxInt32}
	return r.Rules(jsquery.Value{V: js.Global().Get("JSON").Call("parse", text)})
}

// explain adds advice for the visitor to an error of the model. The error follows in brackets.
func explain(err error) error {
	w := store.Spoken()
	if e, ok := errors.AsType[*model.Error](err); ok && e.Reason == model.NewerVersion {
		return fmt.Errorf("%s (%w)", w.ModelNewer, err)
	}
	return fmt.Errorf("%s (%w)", w.ModelDamaged, err)
}

// storeName returns the name of the visitor's database. Sites of one origin share its databases, so the name includes
// the page's folder.
func storeName() string {
	path := js.Global().Get("location").Get("pathname").String()
	return "pmlam " + path[:strings.LastIndexByte(path, '/')+1]
}

// meta returns the content of the page's <meta> with that name, or "".
func meta(name string) string {
	e := js.Global().Get("document").Call("querySelector", `meta[name="`+name+`"]`)
	if !e.Truthy() {
		return ""
	}
	return e.Get("content").String()
}

// render calls begin, renders root whenever something has changed, and calls ready after the first time. It returns
// only if it cannot continue.
func render(root vugu.Builder, begin func(vugu.EventEnv), ready func()) error {
	renderer, err := dom.New(mount)
	if err == nil {
		begin(renderer.EventEnv())
		err = renderer.Run(root, ready)
	}
	if err != nil {
		return fmt.Errorf("%s (%w)", store.Spoken().CannotDraw, err)
	}
	return errors.New(store.Spoken().Stopped)
}
