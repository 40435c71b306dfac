// Package ui is the page: the store, the features, and the components that put them together.
//
// It asks a recommend.Engine for everything that it shows and a store.Disk to keep a visit, and knows neither the model
// file nor the browser's storage. It compiles natively too, where tests render it as text.
//
// # Packages
//
// Package store is the one state of the page. Each feature is a package with the state of its own, its Vugu components
// (a .vugu file and its .go file side by side; `make generate` writes the _gen.go files) and its tests: list, mapview,
// marking, tuning, people, search, starters, pair, week, history, importing, sharing, taste, data, looks, offline,
// tabs, undo. Page makes them and joins them. Imports run in one direction, in the order of core/architecture_test.go:
//
//	ui → features → store → titles, visit, words, browser → core
//
// A feature changes the store, and other features hear of it as an event (store.Event). None is told to reset, to save
// or to redraw. Below the store are
//
//	visit     marks, settings and people as a log of events, and the lists that follow from it
//	keep      the stored form of a visit, and backups
//	titles    the catalogue as it is shown: tiles, colours, regions, links of the site's owner
//	words     texts in English and German
//	address   the list's view, as the fragment of the page's address
//	tasks     goroutines and the render lock
//	browser   calls of the page's scripts: focus, announcements, files, the painted map, turns of the loop
//	share     links that carry a taste
//	markup    attributes, numbers and links; icons, blocks: parts that many components have
//
// # Events, tasks, renders
//
// An event handler holds the render lock. Work of more than a few milliseconds runs in a goroutine of its own
// (tasks.Tasks.Background) and takes the lock to hand over its result. Each question to the engine has a turn number;
// an answer whose turn has passed is dropped (list.State.ask, work, settle).
//
// After an event, package wasm/internal/dom builds all components, compares the result with the previous one, and has
// the browser change the differences: attributes and texts that changed, elements that came or went. Elements are
// matched by their attribute data-key, or else by their place among their siblings. A build of the whole page takes a
// few milliseconds, so lists are bounded.
//
// # Rules for components
//
//   - What must keep its identity without a data-key, such as inputs and the map's host, stands before all optional
//     siblings; optional parts lie in containers that are always there.
//   - Components of other packages are imported in a script of the type application/x-go at the end of the .vugu file.
//   - The Content-Security-Policy refuses style attributes: looks come from classes, sizes in drawings from SVG.
//   - Every visible text is in words.Words; a test finds others.
package ui
