// Package store is the page's single source of truth: marks, people and settings (a visit.Log), the list's view and the
// language. Features derive their views from it, and change it through its methods. Each of these
//
//   - changes the log,
//   - stores it on the visitor's device in the background (Disk), merged with changes of other tabs,
//   - and sends an Event to all subscribers, in the order of subscription.
//
// A feature with state of its own, such as an open panel, resets it on events that make it outdated, Erased above all.
// Changes from another tab arrive as the same events, without Here.
//
// All methods are called with the render lock held, as event handlers are, unless their comment says otherwise.
package store
