// Package dom brings what the components build onto the page: it keeps what was rendered last, compares, and has the
// browser change only what differs. It takes the place of Vugu's own renderer, which sets every attribute and text of the
// page anew at each event, so that the browser has to lay all of it out again.
//
// Tree compares, without a browser; Renderer (js only) hands its operations to assets/js/page/render.js and hears events. Nodes are
// matched by their place among their siblings, as Vugu's renderer does, so an element may come to show something else; what has the
// attribute data-key is matched by that, so a title's card is one element as long as it is in the list, and the browser need not
// lay it out again.
//
// In the flow: ui's components → Vugu's BuildEnv → dom → the page.
package dom
