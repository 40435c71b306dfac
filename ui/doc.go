// Package ui is the page. It is made of Vugu components, a .vugu file and its .go file side by side; the _gen.go files
// are written by `make generate`.
//
// It asks a recommend.Engine for everything that it shows and a Store to keep a visit, and knows neither the model file
// nor the browser's storage. It compiles natively too, where tests render it as text.
//
// # Parts
//
// Each subject of the page is a state type with its own fields and methods: ListState, TuningState, Marking, MapState,
// Importing, Storage and so on, in files called x-state.go, or after the subject. A component holds the states that it
// shows, and nothing else. Page makes the states and joins them. The dependencies have one direction:
//
//	components → states → Session → visit, words, browser → core
//
// A state knows the states that it needs; what has to go the other way, such as new recommendations after another tab
// has marked a title, goes through the Session's hooks, which newPage sets. The packages:
//
//	visit     marks, settings and people as a log of events, with all that follows from it
//	keep      the stored form of a visit, and backups
//	words     texts in English and German
//	browser   what is asked of the page's scripts: focus, announcements, files, the painted map, turns of the loop
//	share     links that carry a taste
//
// # Events, tasks, renders
//
// An event handler holds the render lock. Work of more than a few milliseconds runs in a goroutine of its own
// (Tasks.background) and takes the lock to hand over its result. Each question to the engine has a turn number; an
// answer whose turn has passed is dropped (ListState.ask, work, settle).
//
// After an event, package wasm/internal/dom builds all components, compares the result with what was built before, and
// has the browser change what differs: attributes and texts that changed, elements that came or went. Elements are
// matched by their attribute data-key, or else by their place among their siblings. A build of the whole page takes a
// few milliseconds, so lists are bounded (maxShown, manyMarked, reviewRows).
//
// The taste map is a canvas that a script paints: MapState.update hands it what has changed after each render, so that
// panning and zooming never come back to the program.
//
// # Rules for components
//
//   - What must keep its identity without a data-key, such as inputs and the map's host, stands before all optional
//     siblings; optional parts lie in containers that are always there.
//   - The Content-Security-Policy refuses style attributes: looks come from classes, sizes in drawings from SVG.
//   - Every visible text is in words.Words; a test finds others.
package ui
