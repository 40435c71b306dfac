// Package store is the one source of truth of the page: marks, people, settings (a visit.Log), the list's view and the
// language. Features read it and derive their views from it. They change it through its methods, each of which
//
//   - changes the log,
//   - stores that on the visitor's machine, in the background (Disk), merged with changes of other tabs,
//   - and tells an Event to all subscribers, in the order in which they subscribed.
//
// A feature that keeps state of its own, such as an open panel, resets it on the events that make it outdated: Erased
// above all. What comes from another tab arrives as the same events, without Here.
//
// All methods are called with the render lock held, as event handlers are, unless their comment states otherwise.
package store
