// Package visit is the state of a visit without the page: what the visitor and a second person have marked, and their
// settings. It knows neither Vugu nor the browser.
//
// A Log is the source of truth: the stored ledgers (package keep), and behind them the events of this tab that are not
// stored yet. Everything else follows from it in one pass over the entries: the lists of ids, the same by index for the
// engine, the mark of each item. A like is derived once:
//
//	Log.Mark         the event gets a moment of the clock
//	Log.append       it is merged into what is stored, and Log.derive makes the lists and marks of that
//	Log.Begin, Run   the events that are not stored are merged into the stored bytes, in one transaction
//	Log.Commit       what is stored then, other tabs' events included, is taken in
//
// Each change returns an Event. Undo appends the opposite of an event, and leaves alone what was changed since, in this
// tab or in another.
//
// In the flow: ui's components → their state → visit → keep; the engine gets the recommend.Visit that is derived
// here.
package visit
