package model

import "github.com/pmlam/pmlam/core/internal/vec"

// Calibration describes how far the model's statements can be trusted. A model without one (nil) is uncalibrated and
// does not state its confidence.
type Calibration struct {
	Posterior Posterior       // of a visitor's mean
	Map       MapRegion       // distance of a visitor's likes from their tastes on the map
	Like      *LikeRegression // chance of liking an item that one rates; nil if all ratings in the data are likes
	Users     int             // users left out of the training, to fit all this on
}

// Posterior describes how well a visitor's mean is known. With n likes whose means have the scatter C = Σ(μ_j − μ̄)(μ_j
// − μ̄)ᵀ around their own mean μ̄, the covariance of the visitor's mean is
//
//	(κ·a·W + C) / (κ + n − 1) / n        a the size of C relative to W, shrunk towards 1
//
// before the projection into the ball (posterior.go of package recommend). Full holds the Mahalanobis radii of regions
// that contain a given share of the means refitted on random halves of the likes.
type Posterior struct {
	// Within is W, the covariance of a liked item's mean around the mean of the same user's likes, h(h+1)/2 numbers:
	// its lower triangle by rows, the diagonal > 0.
	Within []float32

	Strength float32    // κ > 0: the weight of W's shape, in likes
	Full     FullRegion // in all h dimensions, by the diagonal of the covariance
}

// Levels are the shares of Radii.
var Levels = [...]float32{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99}

// Radii holds Mahalanobis radii: Radii[k] contains the share Levels[k]. They ascend.
type Radii [len(Levels)]float32

// FullRegion holds the radii in all dimensions by the number of likes n: Few up to three likes, Many from 32 on, and
// linear in ln n in between. For an exact normal posterior the radii would not depend on n. They do, because the means
// of few likes lie so far apart that the curvature of the ball exceeds what a covariance can express, and because
// users' likes are not normally distributed.
type FullRegion struct{ Many, Few Radii }

// The numbers of likes up to which radii are Few, and from which on they are Many. Half of fewer than three likes is at
// most one like.
const few, many = 3, 32

// Scarcity returns the factor of Few − Many in a radius for n likes: 1 − ln(n/3)/ln(32/3), clipped to [0, 1].
func Scarcity(n int) float64 {
	return 1 - vec.Log(float64(min(max(n, few), many))/few)/vec.Log(float64(many)/few)
}

// Radius returns the Mahalanobis radius that holds the given share for a visitor of n likes, n ≥ 1. It is linear
// between Levels and from 0 to the first, and constant above the last.
func (r *FullRegion) Radius(share float64, n int) float64 {
	of := r.of(n)
	return of.at(share)
}

// of returns the radii for n likes.
func (r *FullRegion) of(n int) (out Radii) {
	scarce := Scarcity(n)
	for k := range Levels {
		out[k] = float32(float64(r.Many[k]) + float64((float64(r.Few[k])-float64(r.Many[k]))*scarce))
		if k > 0 { // rounding
			out[k] = max(out[k], out[k-1])
		}
	}
	return out
}

// at returns the radius that holds the given share. It is linear between Levels and from 0 to the first, and constant
// above the last.
func (r *Radii) at(share float64) float64 {
	level, radius := 0.0, 0.0
	for k, l := range Levels {
		next := float64(r[k])
		if share <= float64(l) {
			return radius + float64((next-radius)*max(share-level, 0))/(float64(l)-level)
		}
		level, radius = float64(l), next
	}
	return radius
}

// MapRegion holds the radii of a visitor's ellipses on the map, in bands by the number of likes. The zero value is
// uncalibrated: it has the radii of the normal distribution.
type MapRegion struct {
	Likes []int   // lower bound of each band, ascending, the first 1
	Radii []Radii // of each band
}

// Radius returns the Mahalanobis radius that holds the given share for a visitor of n likes, n ≥ 1, from the band of n.
// It is linear between Levels and from 0 to the first, and constant above the last.
func (r *MapRegion) Radius(share float64, n int) float64 {
	band := -1
	for b, from := range r.Likes {
		if n >= from {
			band = b
		}
	}
	if band < 0 {
		return EllipseRadius(share)
	}
	return r.Radii[band].at(share)
}
