// Package calibrate fits a model's calibration (model.Calibration) on people whom a training has not seen: how well a
// visitor's mean is known, how far around their tastes on the map their likes lie, and the chance that somebody likes
// what they rate.
//
// Use: Folds splits users into parts. The caller trains one model without each part (Without) and a final model on
// everybody, all with the same settings; a Fold pairs a part with the model that has not seen it. If asked,
// ChooseVisitorPrior chooses the weight of the prior, in likes of an unknown user, and the caller writes it into all
// models. Calibrate then infers each left-out user like a visitor, compares the stated uncertainty with the user's
// actual ratings, and returns a Calibration for the final model. The fitted parameters have no unit, so they also hold
// for the final model; statistics with a unit (the covariance within people, the items' like rates) are computed from
// the final model (Transfer). With many users there are no folds: the final model leaves out a few users (LeftOut) and
// is calibrated on them.
//
// What it promises: the same models and data give the same calibration. The rest is statistical, for new people like
// those left out, and core/lab/docs/uncertainty.md measures how closely it holds:
//
//	Map        a ring contains about its stated share of a visitor's other likes
//	Posterior  a region contains about its stated share of means refitted on random halves of the likes; it says
//	           nothing about other likes of the same person
//	Like       of the titles that people rate, they like about the stated share; where a list has a guarantee, its
//	           disappointments stay below the stated share on average (certified at δ = 1%, guarantee.go)
//
// In the flow: pmlam trains without each fold, and with everybody; or once, without a few → calibrate → model. Native
// only; lab/uncertainty measures whether the result is true.
package calibrate
