//go:build js && wasm

package ui

import (
	"syscall/js"
	"time"
	"unsafe"

	vugujs "github.com/vugu/vugu/js"
)

// scripts returns the page's own scripts (assets/js/page.js and map.js), or a falsy value where they are not loaded:
// the page then works without the painted map, without moves, and with the browser's own idea of focus.
func scripts() js.Value { return js.Global().Get("ellipsis") }

func call(name string, args ...any) {
	if s := scripts(); s.Truthy() && s.Get(name).Truthy() {
		s.Call(name, args...)
	}
}

// setTheme colours the page: 0 as the system, 1 light, 2 dark.
func setTheme(t uint8) { call("setTheme", int(t)) }

// setLanguage writes down which language was chosen ("": none) and returns the one that is spoken now.
func setLanguage(tag string) string {
	if s := scripts(); s.Truthy() && s.Get("setLanguage").Truthy() {
		return s.Call("setLanguage", tag).String()
	}
	return or(tag, documentLanguage())
}

// chosenLanguage returns what was chosen on this device, where the page's scripts know.
func chosenLanguage() (tag string, known bool) {
	if s := scripts(); s.Truthy() && s.Get("chosenLanguage").Truthy() {
		return s.Call("chosenLanguage").String(), true
	}
	return "", false
}

// documentLanguage is the language that the document says it is in.
func documentLanguage() string {
	return js.Global().Get("document").Get("documentElement").Get("lang").String()
}

// say has screen readers announce a text.
func say(text string) { call("say", text) }

// beforeRender notes where cards are and what has the focus; afterRender moves and focuses.
func beforeRender() { call("beforeRender") }
func afterRender()  { call("afterRender") }

// focus moves the focus to the first element that the selector finds.
func focus(selector string) { call("focus", selector) }

// setAddress puts a fragment into the page's address, as a step in its history; "" takes it away.
func setAddress(fragment string) { call("go", fragment) }

// setTitle has the browser's tab name what is looked at; "" names the page alone.
func setTitle(heading string) { call("setTitle", heading) }

// watchAddress has the page follow its address, now and whenever that changes.
func (p *Page) watchAddress() {
	call("watchAddress", js.FuncOf(func(_ js.Value, args []js.Value) any {
		fragment := args[0].String()
		go func() {
			p.env.Lock()
			p.followed(fragment)
			p.env.UnlockRender()
		}()
		return nil
	}))
}

// restart loads the page again.
func restart() { call("restart") }

// watchOffline has the page learn what its scripts know of its copy on this machine, now and whenever that changes.
func (p *Page) watchOffline() {
	call("watchOffline", js.FuncOf(func(_ js.Value, args []js.Value) any {
		known := args[0]
		o := Offline{
			Away: !known.Get("online").Bool(), Able: known.Get("able").Bool(),
			Refused: known.Get("refused").Bool(), Full: known.Get("full").Bool(), Update: known.Get("update").Bool(),
		}
		if since := known.Get("since").Float(); since > 0 {
			o.Since = time.UnixMilli(int64(since))
		}
		go func() {
			p.env.Lock()
			p.setOffline(o)
			p.env.UnlockRender()
		}()
		return nil
	}))
}

// painter is the map in the browser.
type painter struct {
	host, m js.Value
	funcs   []js.Func

	viewed bool      // it was told which view to show
	radii  []float32 // of the view that it shows; nil: the plane
}

// mount has the map painted into an element that Vugu made and leaves alone, once the page around it is painted, and then
// has the search prepare itself, so that the first letter that is typed does not wait for that.
func (p *Page) mount(element vugujs.Value) {
	go func() {
		painted()
		p.env.Lock()
		p.paint(js.Value(element))
		p.env.UnlockOnly()
		Rest()
		p.env.Lock()
		p.feedMap()
		p.env.UnlockOnly()
		breathe()
		p.Engine.Search("", 1)
	}()
}

// paint makes the map, with the render lock held.
func (p *Page) paint(host js.Value) {
	if p.feed.painter != nil && p.feed.painter.host.Equal(host) {
		return
	}
	s := scripts()
	if !s.Truthy() || !s.Get("createMap").Truthy() {
		return
	}
	if p.feed.painter != nil {
		p.feed.painter.release()
	}
	if p.feed.undrawn {
		return // the page says so
	}
	pt := &painter{host: host}
	fail := js.FuncOf(func(js.Value, []js.Value) any {
		go func() {
			p.env.Lock()
			p.feed.undrawn = true
			p.env.UnlockRender()
		}()
		return nil
	})
	describe := js.FuncOf(func(_ js.Value, args []js.Value) any { return p.describe(args[0].Int()) })
	open := js.FuncOf(func(_ js.Value, args []js.Value) any {
		i := args[0].Int()
		go func() {
			p.env.Lock()
			p.Select(i)
			p.env.UnlockRender()
		}()
		return nil
	})
	search := js.FuncOf(func(_ js.Value, args []js.Value) any {
		query, answer := args[0].String(), args[1]
		go func() {
			found, told := p.find(query)
			items := make([]any, len(found))
			for i, f := range found {
				items[i] = f.Item
			}
			answer.Invoke(map[string]any{"items": items, "told": told})
		}()
		return nil
	})
	pt.funcs = []js.Func{describe, open, search, fail}
	pictured := p.feed.pictured
	p.feed.pictured = nil
	if pictured == nil {
		pictured = pictureOf(p.Engine, func() {}) // a render must not rest
	}
	options := p.mapWords()
	for name, value := range map[string]any{
		"titles":   pictured.titles,
		"points":   bytesToJS(pictured.points),
		"weights":  bytesToJS(pictured.weights),
		"groups":   bytesToJS(p.mapGroups()),
		"describe": describe,
		"open":     open,
		"search":   search,
		"fail":     fail,
	} {
		options[name] = value
	}
	pt.m = s.Call("createMap", host, options)
	p.feed.painter = pt
	p.feed.dirty = feedAll
}

// mapWords are the texts of the painted map.
func (p *Page) mapWords() map[string]any {
	w := p.W
	return map[string]any{
		"label": w.MapCanvas(p.Engine.Len()), "help": w.MapKeys, "you": w.You, "end": w.MapEnd, "wheel": w.MapWheel,
		"find": w.MapFind, "found": w.MapFound, "point": w.Point,
		"from": p.provenance(), "site": p.Name, "unpainted": w.PictureFailed,
	}
}

func (pt *painter) release() {
	pt.m.Call("release")
	for _, f := range pt.funcs {
		f.Release()
	}
}

// describe answers what the map asks of a title that is pointed at.
func (p *Page) describe(i int) any {
	if i < 0 || i >= p.Engine.Len() {
		return nil
	}
	return map[string]any{"line": p.told(i), "ellipses": bytesToJS(mapEllipses(nil, p.Engine.ItemEllipses(i)))}
}

// feedMap brings the painted map up to date. It is called after each render.
func (p *Page) feedMap() {
	pt := p.feed.painter
	if pt == nil || p.feed.dirty == 0 {
		return
	}
	d := p.feed.dirty
	p.feed.dirty = 0
	u := map[string]any{"turn": p.feed.turn}
	if d&feedSize != 0 {
		u["resize"] = true
	}
	if d&feedColours != 0 {
		u["recolour"] = true
	}
	if d&feedMarks != 0 {
		top := make([]any, 0, nextOnMap)
		for _, s := range p.OnMap() {
			top = append(top, s.Item)
		}
		u["marks"], u["top"], u["topEllipses"] = bytesToJS(p.mapMarks()), top, bytesToJS(p.mapTop())
		u["taste"] = nil
		if p.Taste != nil && drawableEllipses(&p.Ellipses) {
			u["taste"] = bytesToJS(mapEllipses(nil, p.Ellipses))
		}
		u["second"] = nil
		if p.Second != nil && drawableEllipses(p.Second) {
			u["second"] = map[string]any{"name": p.Called(1 - p.Log.Who), "ellipses": bytesToJS(mapEllipses(nil, *p.Second))}
		}
		u["name"] = p.Called(p.Log.Who)
	}
	if d&feedWords != 0 {
		u["words"] = p.mapWords()
	}
	if d&feedSelected != 0 {
		u["selected"] = p.Selected
	}
	if d&(feedDistances|feedMarks) != 0 {
		var radii []float32
		if p.drawnByDistance() {
			radii = p.feed.radii
		}
		u["ordered"] = p.Ordered()
		if !pt.viewed || unsafe.SliceData(radii) != unsafe.SliceData(pt.radii) { // radii do not change, only others come
			pt.viewed, pt.radii = true, radii
			u["view"], u["radii"] = "map", nil
			if radii != nil {
				u["view"], u["radii"] = "distance", bytesToJS(mapRadii(radii))
			}
		}
	}
	if d&feedDim != 0 {
		u["dim"], u["groups"] = nil, bytesToJS(p.mapGroups())
		if dim := p.mapDim(); dim != nil {
			u["dim"] = bytesToJS(dim)
		}
	}
	pt.m.Call("update", u)
}

// zoomMap zooms the painted map, homeMap shows all of it.
func (p *Page) zoomMap(factor float64) {
	if p.feed.painter != nil {
		p.feed.painter.m.Call("zoom", factor)
	}
}

// SavePicture hands the visitor a picture of the map as it is shown.
func (p *Page) SavePicture() {
	if p.feed.painter != nil {
		p.feed.painter.m.Call("picture")
	}
}

func (p *Page) homeMap() {
	if p.feed.painter != nil {
		p.feed.painter.m.Call("home")
	}
}

func bytesToJS(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}
