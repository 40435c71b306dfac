// Package uncertainty measures whether what a model says of its own certainty is true, and what that is good for. One
// study is one file and one function that returns a report; Report gathers them.
//
// All studies look at people whom the training has not seen (Person), by the model's own inference, as a visitor's page
// does. What a study has to choose it chooses on other people than those it reports on. Every figure comes with a 95%
// interval (Estimate) wherever it is a mean over people. The same model, people and seed give the same report, whatever
// the number of workers.
//
// In the flow: native only. calibration/fit makes what is measured here; the command evaluate --uncertainty runs it all
// and docs/uncertainty.md explains it.
package uncertainty
