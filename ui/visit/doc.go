// Package visit is the state of a visit without the page: the marks of the visitor and of a second person, and the
// settings. It knows neither Vugu nor the browser.
//
// A Log is the source of truth: the stored ledgers (package keep) plus this tab's events that are not stored yet. The
// rest is derived in one pass over the entries: lists of ids, lists of indices for the engine, and the mark of each
// item. A like takes this path:
//
//	Log.Mark         gives the event a time
//	Log.append       merges it into the ledger; Log.derive makes the lists and marks
//	Log.Begin, Run   merge unsaved events into the stored bytes, in one transaction
//	Log.Commit       takes in the result, including events of other tabs
//
// Each change returns an Event. Undo appends the opposite of an event. It leaves titles alone that have changed since,
// in this tab or another.
//
// In the flow: ui's components → their state → visit → keep; the engine gets the recommend.Visit derived here.
package visit
