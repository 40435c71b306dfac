// Package modes measures the modes of a list on people that no training has seen: the effect of a slider at each
// strength and its cost in likes that are found, whether hidden gems and titles outside of the bubble are better than a
// random draw, and the effect of genres on the lists. It prints tables; docs/ways.md explains them.
//
// In the flow: native only. bench/ways runs it (make measure-ways).
package modes
