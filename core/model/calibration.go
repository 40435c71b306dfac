package model

import "github.com/pmlam/pmlam/core/internal/vec"

// Calibration is what is known of how far the model's statements can be trusted. A model without one (nil) is
// uncalibrated: it does not say how sure it is.
type Calibration struct {
	Posterior Posterior       // of a visitor's mean
	Like      *LikeRegression // of liking what one rates; nil where all ratings in the data are likes
	Users     int             // people left out of the training on whom all this was fitted
}

// Posterior says how well a visitor's mean is known. With n likes whose means have the scatter C = Σ(μ_j − μ̄)(μ_j −
// μ̄)ᵀ around their own mean μ̄, the covariance of the visitor's mean is
//
//	(κ·a·W + C) / (κ + n − 1) / n        a the size of C beside that of W, shrunk towards 1
//
// before the projection into the ball (profile has it whole), and the region that holds a share of what refitting the
// visitor on random halves of their likes gives has the Mahalanobis radius that Plane and Full tell.
type Posterior struct {
	// Within is W, the covariance of a liked item's mean around the mean of those that the same person likes, h(h+1)/2
	// numbers: its lower triangle by rows, the diagonal > 0.
	Within []float32

	Strength float32 // κ > 0: how many likes W's shape is worth
	Plane    Region  // in the plane that the map shows
	Full     Region  // in all h dimensions, by the diagonal of the covariance
}

// Levels are the shares of Radii.
var Levels = [...]float32{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99}

// Radii holds Mahalanobis radii: Radii[k] contains the share Levels[k]. They ascend.
type Radii [len(Levels)]float32

// Region holds the radii by the number of likes n: Few up to three of them, Many from 32 on, and between them linear in
// ln n. For an exact normal posterior the radii would not depend on n. They do because the means of few likes lie so
// far apart that the ball's surface curves between them, more than a covariance can express, and because people's likes
// are not normally distributed.
type Region struct{ Many, Few Radii }

// The numbers of likes up to which radii are Few, and from which on they are Many. Half of fewer than three likes is at
// most one like.
const few, many = 3, 32

// Scarcity returns how much of Few − Many a radius has for n likes: 1 − ln(n/3)/ln(32/3), but 1 at most and 0 at least.
func Scarcity(n int) float64 {
	return 1 - vec.Log(float64(min(max(n, few), many))/few)/vec.Log(float64(many)/few)
}

// Radius returns the Mahalanobis radius that holds the given share for a visitor of n likes, n ≥ 1: between two Levels
// linear, below the first linear from 0, above the last the last's.
func (r *Region) Radius(share float64, n int) float64 {
	scarce := Scarcity(n)
	level, radius := 0.0, 0.0
	for k, l := range Levels {
		next := float64(r.Many[k]) + float64((float64(r.Few[k])-float64(r.Many[k]))*scarce)
		if share <= float64(l) {
			return radius + float64((next-radius)*max(share-level, 0))/(float64(l)-level)
		}
		level, radius = float64(l), next
	}
	return radius
}
