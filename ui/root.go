package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
)

// Root is the whole page.
type Root struct {
	P *Page
}

// New returns the page, ready to be built and rendered into the element #app.
func New(c Config) *Root { return &Root{P: newPage(c)} }

// Begin reads the stored visit, so that the first build shows it. It returns when the disk has been read, or after a
// moment without an answer. Without Begin, the page reads the visit when it is first built.
func (c *Root) Begin(env vugu.EventEnv) {
	c.P.Tasks.Hold()
	c.P.start(env)
	c.P.Await()
}

// Init reads the stored visit if Begin has not.
func (c *Root) Init(ctx vugu.InitCtx) { c.P.start(ctx.EventEnv()) }

// Compute is called before every build, and so before every render.
func (c *Root) Compute() { browser.BeforeRender() }

func (c *Root) tab() string { return [...]string{"next", "map", "taste", "data"}[c.P.Tabs.Tab] }

// turn is the number of the latest question to the engine. The map has the number of the last question whose answer it
// shows in full: if both are equal, list and map show the same.
func (c *Root) turn() string { return strconv.FormatUint(c.P.List.Turn(), 10) }
