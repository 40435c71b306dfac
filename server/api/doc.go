// Package api answers questions about a model over HTTP, for catalogues that should not be shipped to browsers:
//
//	POST /v1/recommend       a Request of wasm/embed/package/pmlam.d.ts as JSON; items by their ids
//	GET  /v1/similar/{id}    ?k=10; POST with what the visitor has mentioned and rules in the body
//	GET  /v1/search          ?q=heat&limit=10
//	GET  /v1/openapi.json    all of this as an OpenAPI 3.1 document; the tests hold the handlers to it
//	GET  /healthz, /readyz   whether the process runs; whether it should be sent requests
//	GET  /metrics            for Prometheus
//
// The answers are those of the browser: the same recommender asks the same model, and core/recommend/query reads the
// requests of both. Ids that the model does not have are skipped and reported, so that a list which was stored before a
// title went away still works; an option that does not exist is an error.
//
// [Options.Rules] are the owner's, and a request may have further ones: both hold.
//
// A [Handler] keeps nothing of a request. What people like is in the body, which is written nowhere, and the log has
// the route in place of an address that names an item. [Handler.Reload] swaps the model between two requests: each is
// answered by one model from beginning to end, and says by which.
//
// Where it stands in the flow: core/recommend answers, this package speaks HTTP, server.Serve holds the connections,
// server/cmd/serve is the command.
package api
