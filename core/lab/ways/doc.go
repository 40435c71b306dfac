// Package ways measures the ways to look for the next title, on people whom no training has seen: what a slider changes
// at each strength and what that costs in likes that are found, whether hidden gems and titles outside of the bubble
// are better than a random draw, and what genres add to the lists. It prints tables; docs/ways.md explains them.
//
// In the flow: native only. bench/ways runs it (make measure-ways).
package ways
