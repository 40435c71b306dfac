// Package dom renders Vugu components into a page incrementally: it compares the last rendering with the new one, and
// has the browser change only the differences. It replaces Vugu's own renderer (github.com/vugu/vugu/domrender) and
// works in any Vugu program:
//
//	r, err := dom.New("#app")
//	if err != nil { … }
//	err = r.Run(root, func() {}) // returns only if it cannot begin
//
// # Why
//
// domrender sets every attribute and text of the page at each event, and the browser then lays everything out again.
// With this package the browser's work is proportional to the change: an event that changes nothing costs a build and a
// walk over the tree, O(nodes) in Go, without a call into JavaScript.
//
// # How
//
// Tree compares. It needs no browser and is tested natively: the tests run its operations on a model of a page. It
// returns the operations as one text. Renderer (js only) passes that text to assets/js/page/render.js in one call, and
// receives events. Nodes are matched by their position among siblings, as in domrender, so an element may be reused for
// other content. Nodes with the attribute data-key are matched by its value instead: such an element persists as long
// as its list holds it, keeps focus, scroll position and animations, and is moved if the order changes.
//
// # What differs from domrender
//
//   - No eval, so it runs under the Content-Security-Policy script-src 'self' 'wasm-unsafe-eval'.
//   - Attributes and texts can have any length.
//   - An element that loses all its children becomes empty.
//   - Attributes set by a script are kept unless a component sets them.
//   - Properties (.value='…') are compared with the element's own at each render and set if they differ, because the
//     visitor changes them too.
//
// Not supported, because nothing here needs them: <vg-template>, components with several roots, <style> and <script> of
// components, JSPopulateHandler, passive and capturing handlers, and rendering <html> as a whole.
//
// Data flow: ui's components → Vugu's BuildEnv → dom → the page.
package dom
