// Package calibrate fits a model's calibration (model.Calibration) on people whom a training has not seen: how well a
// visitor's mean is known, and the chance that somebody likes what they rate.
//
// Use: LeaveOut takes a tenth of the users out of the training matrix. A model is trained without them, and a final one
// on everybody with the same settings. Calibrate then infers the users left out as a visitor is inferred, compares what
// the first model states with what they said, and returns a Calibration for the final model. What it fits has no unit
// and so holds for the final model too; what has one (the covariance within people, the items' like rates) is computed
// from the final model. Transfer does that last step alone.
//
// The same models and data give the same calibration.
//
// In the flow: pmlam trains twice → calibrate → model. Native only; study/uncertainty measures whether the result is
// true.
package calibrate
