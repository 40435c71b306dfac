// Package calibration holds what makes a model's uncertainty true: a few numbers, fitted after the training on people
// whom the training has not seen, kept in the model file and read by the page.
//
// Shapes: h is the dimension of the Gaussians, I the number of items.
//
// In the flow: calibration/fit finds the numbers, model keeps them, profile and recommender use them. The package is
// linked by the browser's program and imports nothing.
package calibration

// Calibration is what is known of how far the model's statements can be trusted. A model without one (nil) is
// uncalibrated: its words about certainty are then only an order.
type Calibration struct {
	Posterior Posterior // of a visitor's mean
	Like      *Like     // that somebody likes what they rate; nil where the data hold no ratings that are no likes
	Users     int       // people left out of the training on whom all this was fitted
}

// Levels are the shares of Radii.
var Levels = [...]float32{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99}

// Radii holds Mahalanobis radii: Radii[k] contains the share Levels[k]. They ascend.
type Radii [len(Levels)]float32

// Posterior says how well a visitor's mean is known. With n likes whose means have the empirical variance s² around
// their own mean, the variance of the visitor's mean is
//
//	(Strength·Within + n·s²) / (Strength + n) / n
//
// in each dimension (before the projection into the ball, which is profile's business), and the region that holds a
// share of what refitting the visitor on other evidence gives has the Mahalanobis radius that Plane and Full tell.
type Posterior struct {
	Within   []float32 // h: variance of a liked item's mean around the mean of those that the same person likes, > 0
	Strength float32   // κ ≥ 0: how many likes Within is worth
	Plane    Radii     // in the plane that the map shows
	Full     Radii     // in all h dimensions
}

// Like is the calibrated chance that somebody likes what they rate, as a logistic regression on what the model and
// the visitor say. like.go has the features.
type Like struct {
	Weights []float32 // of the features, the constant first
	Rates   []float32 // I: logit of the share of an item's ratings that are likes, shrunk towards the mean
	Bins    []Bin     // reliability on people that took no part in the fit, by ascending Predicted
}

// Bin is one point of a reliability diagram.
type Bin struct {
	Predicted float32 // mean chance stated, in [0,1]
	Observed  float32 // share that came true, in [0,1]
	Count     int32   // how many statements
}
