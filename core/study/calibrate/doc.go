// Package fit finds a model's calibration (package calibration) on people whom a training has not seen.
//
// A first training leaves some users out (LeaveOut). What they like is then inferred as a visitor's taste is, and what
// comes of it is compared with what the model says: that gives the few numbers of a Calibration, which are free of units
// so that they hold for the final model too, the one that was trained on everybody with the same settings. What is no
// such number but a statistic of the final model (the covariance within people, the items' rates) is taken from that.
//
// Everything is deterministic: the same models and data give the same calibration.
//
// In the flow: pmlam trains twice → fit → model. Native only.
package calibrate
