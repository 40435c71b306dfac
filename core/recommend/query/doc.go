// Package query reads requests in the vocabulary of wasm/embed/package/pmlam.d.ts: likes, k, mode and so on. The
// program that others embed (wasm/embed) reads them from JavaScript's values and the server (server/api) from JSON,
// both as a [Value], so the same request means the same to both, and the same mistake gets the same sentence.
//
// Where it stands in the flow: a caller's object goes in, a recommend.Visit and a recommend.Request come out.
package query
