// Package recommender puts the parts together: a model in, and everything that the page, the command and the server
// ask of a recommender out.
//
// Open reads a model once and builds what the questions need: the scan's index, the search's vocabulary, the inferrer,
// sets of items by genre. After that nothing changes, so one *Recommender serves any number of goroutines. Everything
// that a visitor says comes in with each question as a Visit: nothing is kept.
//
// The same model and the same questions give the same answers, natively and in the browser, by any scan kernel.
//
// In the flow: model → recommender → ui, wasm, server and the command, by way of the interface Engine.
package recommend
