// Package storage keeps what the visitor said in the browser: a small store of bytes by key, in IndexedDB.
//
// It promises that Save returns nil only when the bytes are committed with strict durability. Where the browser does not
// let the page store anything (a private window, blocked site data), Open says so with an *UnavailableError and the
// page does without. A full disk is a *FullError; what was stored before stays.
//
// In the flow: the page's main package opens a Store and hands it to ui, which decides what the bytes mean. Calls wait
// for the browser, so they belong in a goroutine, never in a callback of JavaScript.
package storage
