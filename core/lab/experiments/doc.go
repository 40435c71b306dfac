// Package experiments measures what package abtest says: how often a comparison of two things that are alike finds
// a difference, how often one that is planted is found, and how many visitors that takes, on simulated visitors of
// unequal activity. docs/experiments.md has the figures.
//
// In the flow: native only. bench/compare runs it (make measure-compare).
package experiments
