// Package tastemap lays out the titles on the map of tastes, and measures the map's quality.
//
// Compute is the entry point. TSNE finds places in the plane such that neighbours among the items' rows [μ; σ], between
// which the Euclidean distance is W2, are neighbours on the map. Regions divides the map and names the parts whose
// titles share something. Measure and RegionsReport measure the quality of both. Plain is a fast map, by principal
// components.
//
// # Promises
//
// The same items give the same map, bit for bit, for any number of workers and on every architecture. t-SNE is chaotic:
// a difference in the last bit gives another map. So products are rounded before they are added, package math is used
// only for the square root and comparisons, sums have an order that does not depend on the workers, and nothing is
// random.
//
// # Shapes
//
// n titles, places are n×2. Distances are float32, by the kernels of internal/vec; everything else is float64.
//
// In the flow: pmlam trains, tastemap lays out the titles, model stores the map, recommend gives the places.
package tastemap
