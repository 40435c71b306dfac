// Package dom renders Vugu components into a page by difference: it keeps what was rendered last, compares it with what
// the components built now, and has the browser change only what differs. It stands where Vugu's own renderer
// (github.com/vugu/vugu/domrender) stands and can be used by any Vugu program:
//
//	r, err := dom.New("#app")
//	if err != nil { … }
//	err = r.Run(root, func() {}) // returns only if it cannot begin
//
// # Why
//
// domrender sets every attribute and text of the page at each event, and the browser then lays all of it out again.
// With this package the cost in the browser is that of the change: an event that changes nothing costs a build and a
// walk over the tree, O(nodes) in Go, and not one call into JavaScript.
//
// # How
//
// Tree compares, without a browser, and is tested natively: the tests carry its operations out on a model of a page. It
// returns the operations as one text. Renderer (js only) hands that text to assets/js/page/render.js in one call, and
// hears of events. Nodes are matched by their place among their siblings, as in domrender, so an element may come to
// show something else. What has the attribute data-key is matched by its value instead: it stays one element as long as
// its list holds it, keeps focus, scroll position and animations, and is moved where the order changes.
//
// # What differs from domrender
//
//   - No eval, so it runs under the Content-Security-Policy script-src 'self' 'wasm-unsafe-eval'.
//   - Attributes and texts may be of any length.
//   - An element that loses all its children becomes empty.
//   - Attributes that a script has set are left alone, if no component sets them.
//   - Properties (.value='…') are compared with the element's own at each render, and set where they differ: the
//     visitor changes them too.
//
// It does not do, since nothing here needs it: <vg-template> and components with several roots, <style> and <script> of
// components, JSPopulateHandler, handlers that are passive or capture, and rendering <html> as a whole.
//
// In the flow: ui's components → Vugu's BuildEnv → dom → the page.
package dom
