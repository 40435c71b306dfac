// Package calibrate fits a model's calibration (model.Calibration) on people whom a training has not seen: how well a
// visitor's mean is known, how far around their tastes on the map their likes lie, and the chance that somebody likes
// what they rate.
//
// Use: Folds cuts the users into parts. For each part a model is trained without its users (Without), and a final one
// on everybody with the same settings; a Fold joins a part with the model that has not seen it. On these people
// ChooseVisitorPrior chooses, where that is asked for, how many likes of an unknown user stand beside a visitor's,
// which the caller writes into all models. Calibrate infers every user left out as a visitor is inferred, by the model
// that has not seen them, compares what it states with what they said, and returns a Calibration for the final model.
// What it fits has no unit and so holds for the final model too; what has one (the covariance within people, the items'
// like rates) is computed from the final model. Transfer does that last step alone. Where there are many users the
// final model is trained without a few of them (LeftOut) and judges those itself, and there are no folds.
//
// The same models and data give the same calibration.
//
// In the flow: pmlam trains without each fold, and with everybody; or once, without a few → calibrate → model. Native
// only; lab/uncertainty measures whether the result is true.
package calibrate
