// Package storage keeps what the visitor said in the browser: a small store of bytes by key, in IndexedDB, which the
// tabs of one site share.
//
// It promises that Update returns nil only when what it wrote is committed with strict durability, that what is written
// by one call is written as a whole or not at all, and that no other tab comes between its reading and its writing. The
// other tabs hear of every change. Where the browser does not let the page store anything (a private window, blocked
// site data), Update says so with an *UnavailableError, a full disk is a *FullError, and what was stored before stays;
// a later call tries again.
//
// In the flow: the page's main package makes a Store and hands it to ui, which decides what the bytes mean. Calls wait
// for the browser, so they belong in a goroutine, never in a callback of JavaScript.
package storage
