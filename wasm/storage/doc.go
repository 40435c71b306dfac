// Package storage stores bytes by key in IndexedDB. The tabs of a site share a store.
//
// Update returns nil only once its writes are committed with strict durability. Each call is atomic, and no other tab
// writes between its read and its write. Other tabs are notified of every change. If the browser does not allow storage
// (a private window, blocked site data), Update returns an *UnavailableError; if the disk is full, a *FullError.
// Earlier data is kept in both cases, and a later call tries again.
//
// It is written in Go because Update's callback must run in Go while the browser's transaction is open.
//
// The page's main package makes a Store and gives it to ui, which defines the meaning of the bytes. Calls wait for the
// browser, so they must come from a goroutine, never from a JavaScript callback.
package storage
