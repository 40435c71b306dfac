// Package scale measures how the cost of each stage grows with the data, on interactions that are drawn
// (dataset/synth): the stages are commands as anyone types them, each a process of its own, of which the operating
// system tells the processor seconds and the peak memory. The exponent of the growth is fitted to what was measured.
//
// In the flow: native only, on Unix. bench/scale runs it (make measure-scale).
package scale
