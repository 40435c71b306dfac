// Package ui is the page: the store, the features, and the components that put them together.
//
// It gets all content from a recommend.Engine and keeps a visit on a store.Disk. It knows neither the model file nor
// the browser's storage. It compiles natively too, where tests render it as text.
//
// # Packages
//
// Package store is the page's only shared state. Each feature is a package with its own state, its Vugu components (a
// .vugu file next to its .go file; `make generate` writes the _gen.go files) and its tests: list, mapview, marking,
// tuning, people, search, starters, pair, week, history, importing, sharing, taste, data, looks, offline, tabs, undo.
// Page creates and connects them. Imports run in one direction, in the order of core/architecture_test.go:
//
//	ui → features → store → titles, visit, words, browser → core
//
// A feature changes the store, and other features hear of it as an event (store.Event). None is told to reset, to save
// or to redraw. Below the store are
//
//	visit     marks, settings and people as a log of events, and the lists derived from it
//	keep      the stored form of a visit, and backups
//	titles    the page's view of the catalogue: tiles, colours, regions, the owner's links
//	words     texts in English and German
//	address   the list's view, as the fragment of the page's address
//	tasks     goroutines and the render lock
//	browser   calls of the page's scripts: focus, announcements, files, the painted map, turns of the loop
//	share     links that carry a taste
//	markup    attributes, numbers and links; icons, blocks: parts shared by components
//
// # Events, tasks, renders
//
// An event handler holds the render lock. Work of more than a few milliseconds runs in its own goroutine
// (tasks.Tasks.Background) and takes the lock to deliver its result. Each question to the engine has a turn number; an
// answer with an outdated turn is dropped (list.State.ask, work, settle).
//
// After an event, package wasm/internal/dom builds all components, compares the result with the previous one, and lets
// the browser apply the differences: changed attributes and texts, elements that came or went. Elements are matched by
// their attribute data-key, or else by their position among their siblings. Building the whole page takes a few
// milliseconds, so lists are bounded.
//
// # Rules for components
//
//   - Elements that must keep their identity without a data-key, such as inputs and the map's host, come before all
//     optional siblings. Optional parts are inside containers that are always there.
//   - Components of other packages are imported in a script of the type application/x-go at the end of the .vugu file.
//   - The Content-Security-Policy refuses style attributes: use classes, and SVG attributes for sizes in drawings.
//   - Every visible text is in words.Words; a test finds others.
package ui
