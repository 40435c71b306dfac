// Package abtest says what visitors' logs tell of two ways to recommend: which variant of an experiment has the
// higher rate of clicks, and which of two lists that were interleaved is preferred, each with an interval.
//
// A log is what the browser package exports (wasm/embed/package/experiment.d.ts). Sessions of one visitor are alike, so
// visitors are the units of all variances, never sessions, lists or clicks.
//
// In the flow: native only, exports → Read → Visits → Compare → Report. core/lab/experiments measures how often it is
// wrong; docs/experiments.md explains it.
package abtest
