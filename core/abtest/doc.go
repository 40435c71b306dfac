// Package abtest compares two ways to recommend by visitors' logs: the variants of an experiment by their rate of
// clicks, and the two sources of an interleaved list by preference, each with an interval.
//
// A log is an export of the browser package (wasm/embed/package/experiment.d.ts). Sessions of one visitor are
// correlated, so visitors are the units of all variances, never sessions, lists or clicks.
//
// In the flow: exports → Read → Visits → Compare → Report. Native only. core/lab/experiments measures the error rates;
// docs/experiments.md explains the method.
package abtest
