// Package experiments measures the statements of package abtest on simulated visitors of unequal activity: how often a
// comparison of two equal things finds a difference, how often it finds a planted one, and the number of visitors that
// takes. docs/experiments.md has the figures.
//
// Data flow: native only. bench/compare runs it (make measure-compare).
package experiments
