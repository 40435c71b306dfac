// Package scale measures how the cost of each stage grows with the data, on drawn interactions (dataset/synth). Stages
// are ordinary commands, each its own process, whose CPU seconds and peak memory the operating system reports. The
// exponent of growth is fitted to the measurements.
//
// Data flow: native only, on Unix. bench/scale runs it (make measure-scale).
package scale
