//go:build js && wasm

package dom

import (
	"fmt"
	"runtime"
	"strings"
	"syscall/js"
	"testing"

	"github.com/vugu/vugu"
)

// counter is a page with an element that counts its clicks and panics on some.
type counter struct {
	clicks int
	keys   []string
}

func (c *counter) Build(*vugu.BuildIn) *vugu.BuildOut {
	root := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
	button := &vugu.VGNode{Type: vugu.ElementNode, Data: "button"}
	button.SetInnerHTML(fmt.Sprint("clicks: ", c.clicks))
	button.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{{EventType: "click", Func: func(e vugu.DOMEvent) {
		c.clicks++
		c.keys = append(c.keys, e.PropString("key"))
		if e.PropBool("breaks") {
			var nothing *counter
			nothing.clicks++
		}
	}}}
	root.AppendChild(button)
	return &vugu.BuildOut{Out: []*vugu.VGNode{root}}
}

// The page survives panicking handlers and event properties of any type.
func TestRendererSurvivesHandlers(t *testing.T) {
	global := js.Global()
	script := global.Call("eval", "({ops: [], apply(text) { this.ops.push(text); }})")
	var happened js.Value
	global.Set("pmlamRender", js.FuncOf(func(_ js.Value, args []js.Value) any {
		happened = args[1]
		return script
	}))
	said := ""
	global.Get("console").Set("error", js.FuncOf(func(_ js.Value, args []js.Value) any {
		said += args[0].String()
		return nil
	}))
	r, err := New("#app")
	if err != nil {
		t.Fatal(err)
	}
	page := &counter{}
	go r.Run(page, func() {})
	wait := func(clicks int) {
		t.Helper()
		all := script.Get("ops")
		for all.Length() <= clicks {
			runtime.Gosched()
		}
		if ops := all.Index(clicks).String(); !strings.Contains(ops, fmt.Sprint("clicks: ", clicks)) {
			t.Errorf("after %d clicks the operations are %q", clicks, ops)
		}
	}
	wait(0)
	events := global.Call("eval", `[{}, {breaks: true}, {key: 10n}, {key: Symbol("x")}, {key: {}}, {breaks: true}, {key: "a"}]`)
	for i := range events.Length() {
		happened.Invoke(1, "click", events.Index(i))
		wait(i + 1)
	}
	if got := fmt.Sprintf("%q", page.keys); got != `["" "" "" "" "" "" "a"]` {
		t.Errorf("the keys are %s", got)
	}
	if strings.Count(said, "at click: runtime error: invalid memory address") != 2 || !strings.Contains(said, "Build") {
		t.Errorf("the console says %s", said)
	}
}
