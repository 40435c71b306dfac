// Package query parses requests in the vocabulary of wasm/embed/package/pmlam.d.ts: likes, k, mode and so on. The
// embedded program (wasm/embed) passes JavaScript's values and the server (server/api) passes JSON, both as a [Value].
// So a request means the same to both, and a mistake gets the same error text.
//
// In the flow: the caller's object → query → recommend.Visit and recommend.Request.
package query
