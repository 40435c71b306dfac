//go:build js && wasm

package dom

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall/js"

	"github.com/pmlam/pmlam/core/yield"
	"github.com/vugu/vugu"
	vugujs "github.com/vugu/vugu/js"
)

// Renderer renders components into an element of the page.
type Renderer struct {
	script js.Value // the result of pmlamRender
	tree   Tree
	lock   sync.RWMutex
	wake   chan bool // signals possible changes
	env    *vugu.EventEnvImpl
}

// New returns a renderer into the element that matches selector.
func New(selector string) (*Renderer, error) {
	mount := js.Global().Get("pmlamRender")
	if !mount.Truthy() {
		return nil, errors.New("assets/js/page/render.js is not loaded")
	}
	r := &Renderer{wake: make(chan bool, 64), tree: Tree{SkipIndentation: true}}
	r.env = vugu.NewEventEnvImpl(&r.lock, r.wake)
	r.script = mount.Invoke(selector, js.FuncOf(func(_ js.Value, args []js.Value) any {
		r.handle(args[0].Int(), args[1].String(), args[2])
		return nil
	}))
	if !r.script.Truthy() {
		return nil, errors.New("no element matches " + selector)
	}
	return r, nil
}

// EventEnv returns the render lock.
func (r *Renderer) EventEnv() vugu.EventEnv { return r.env }

// Run renders root whenever something may have changed, and calls ready after the first time. Several changes since the
// last render are rendered together. Goroutines started by an event first run until they block, so that their immediate
// results are rendered with the event. The first page is large, so Run yields the thread between building and showing
// it. It returns only if it cannot start.
func (r *Renderer) Run(root vugu.Builder, ready func()) error {
	build, err := vugu.NewBuildEnv(r.env)
	if err != nil {
		return err
	}
	yield.Now()
	for len(r.wake) > 0 {
		<-r.wake // the first page includes earlier changes
	}
	built := build.RunBuild(root)
	yield.Now()
	r.render(built)
	ready()
	for {
		<-r.wake
		runtime.Gosched()
		for len(r.wake) > 0 {
			<-r.wake
		}
		r.render(build.RunBuild(root))
	}
}

func (r *Renderer) render(built *vugu.BuildResults) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	ops, created := r.tree.Update(built.Out.Out[0], func(c any) *vugu.BuildOut { return built.ResultFor(c) })
	if ops != "" {
		r.script.Call("apply", ops)
	}
	for _, c := range created {
		c.Handler.JSValueHandle(vugujs.Value(r.script.Call("node", c.Number)))
	}
	for _, c := range built.Out.Components {
		if c, ok := c.(interface{ Rendered() }); ok {
			c.Rendered()
		}
	}
}

// handle calls the handler of an event and requests a render. A panic of the handler is logged to the console, and the
// page continues.
func (r *Renderer) handle(number int, name string, e js.Value) {
	r.env.Lock()
	defer r.env.UnlockRender()
	defer func() {
		if failed := recover(); failed != nil {
			js.Global().Get("console").Call("error", fmt.Sprintf("at %s: %v\n%s", name, failed, debug.Stack()))
		}
	}()
	if f := r.tree.Handler(number, name); f != nil {
		f(&event{r.env, e})
	}
}
