// Package storage keeps bytes by key in IndexedDB. The tabs of one site share a store.
//
// Update returns nil only when what it wrote is committed with strict durability. One call is written as a whole or not
// at all, and no other tab writes between its reading and its writing. Other tabs are told of every change. Where the
// browser does not let the page store anything (a private window, blocked site data), Update returns an
// *UnavailableError, on a full disk a *FullError; what was stored before stays, and a later call tries again.
//
// It is Go and not JavaScript, because the callback of Update has to run in Go while the browser's transaction is open.
//
// In the flow: the page's main package makes a Store and gives it to ui, which decides what the bytes mean. Calls wait
// for the browser, so they must come from a goroutine, never from a callback of JavaScript.
package storage
