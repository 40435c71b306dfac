// Package tastemap lays the titles out on the map of tastes, and says how true the map is.
//
// Compute does it all: TSNE finds places in the plane so that neighbours among the items' rows [μ; σ], between which
// the Euclidean distance is W2, are neighbours on the map; Regions divides the map and names the parts that share
// something; Measure and RegionsReport say how well both do. Plain is the map that takes no time, by principal
// components.
//
// # What it promises
//
// The same items give the same map, bit by bit, for any number of workers and on every architecture: t-SNE is chaotic,
// so a last bit that differs gives another map. Products are rounded before they are added, of package math only the
// square root and comparisons are used, sums run in an order that does not depend on the workers, and nothing is drawn
// at random.
//
// # Shapes
//
// n titles, places are n×2. Distances are float32 by the kernels of internal/vec, all else is float64.
//
// # Where it stands
//
// pmlam trains, tastemap lays out the titles, model keeps it, recommend tells where titles lie.
package tastemap
