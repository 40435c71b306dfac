// Package ui is the page: what a visitor sees, says and is answered. It is made of Vugu components, a .vugu file and
// its .go file side by side; the _gen.go files are written by `make generate`, that is by vugugen and then by
// internal/lean.
//
// It asks a recommender.Engine for everything it shows and a Store for what is to be kept, and knows neither the model
// nor the browser's storage. It compiles natively too, where tests render it as text.
//
// # How it moves
//
// Page is the state machine: all that the page knows, and every change a visitor can make to it. Components hold a
// pointer to it and only show it. A change happens in an event handler, which holds the render lock; what takes longer
// than a blink is computed by a goroutine of its own, which takes the lock to hand over its result. Each question has a
// turn number, and an answer whose turn has passed is dropped.
//
// The taste map is a canvas, painted by assets/js/map.js: it is fed once with all points and after that with small
// updates, so that panning and zooming never come back here.
//
// # Rules of the house, forced by Vugu 0.4
//
//   - Elements are matched by position, never by key: what must keep its identity (inputs, the map's host) stands before
//     anything optional among its siblings, and optional parts live in containers that are always there.
//   - An element that has lost all its children keeps the old ones: lists keep white space inside.
//   - Attributes set by scripts are removed at the next render: scripts only touch elements that they made themselves.
//   - A style attribute is refused by the Content-Security-Policy: looks come from classes, sizes in drawings from SVG.
//   - An event carries its target's outerHTML: handlers sit on small elements.
//
// Every visible string is in Words, a value for each language.
package ui
