// Package modes measures the modes of a list on people left out of the trainings: the effect of a slider at each
// strength and its cost in likes found, whether hidden gems and titles outside the bubble beat a random draw, and the
// effect of genres on lists. It prints tables; docs/ways.md explains them.
//
// Data flow: native only. bench/ways runs it (make measure-ways).
package modes
