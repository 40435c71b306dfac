// Package api answers questions about a model over HTTP, for catalogues that should not be sent to browsers:
//
//	POST /v1/recommend       a Request of wasm/embed/package/pmlam.d.ts as JSON; items by their ids
//	GET  /v1/similar/{id}    ?k=10; POST with the visitor's marks and rules in the body
//	GET  /v1/search          ?q=heat&limit=10
//	GET  /v1/openapi.json    all of this as an OpenAPI 3.1 document, which tests enforce
//	GET  /healthz, /readyz   whether the process runs; whether it accepts requests
//	GET  /metrics            for Prometheus
//
// The answers equal the browser's: the same recommender queries the same model, and core/recommend/query parses the
// requests of both. Ids that the model does not have are skipped and reported, so a stored list still works after a
// title was removed; unknown options are errors.
//
// [Options.Rules] are the owner's. They apply in addition to a request's own rules.
//
// A [Handler] stores nothing of a request. Likes are in the body, which is never written, and the log has the route
// instead of an address that contains an id. [Handler.Reload] swaps the model between requests: each is answered by one
// model, which the answer identifies.
//
// core/recommend computes the answers, this package speaks HTTP, server.Serve manages the connections, and
// `pmlam serve --model` is the command.
package api
