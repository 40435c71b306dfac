// Package calibrate fits a model's calibration (model.Calibration) on users that a training has not seen: how well a
// visitor's mean is known, how far from their tastes on the map their likes lie, and the chance that they like an item
// that they rate.
//
// Use: Folds splits users into parts. The caller trains one model without each part (Without) and a final model on
// everybody, all with the same settings; a Fold pairs a part with the model that has not seen it. If asked,
// ChooseVisitorPrior chooses the weight of the prior, in likes of an unknown user, and the caller writes it into all
// models. Calibrate then infers each left-out user like a visitor, compares the stated uncertainty with the user's
// actual ratings, and returns a Calibration for the final model. The fitted parameters have no unit, so they also hold
// for the final model; statistics with a unit (the covariance within people, the items' like rates) are computed from
// the final model (Transfer). With many users, folds are not used: the final model leaves out a few users (LeftOut) and
// is calibrated on them.
//
// Guarantees: the same models and data give the same calibration. The other guarantees are statistical and hold for new
// users who resemble those left out; core/lab/docs/uncertainty.md measures how closely:
//
//	Map        a ring contains about its stated share of a visitor's other likes
//	Posterior  a region contains about its stated share of means refitted on random halves of the likes; this is not
//	           a statement about other likes of the same user
//	Like       users like about the stated share of the titles that they rate; in a guaranteed list, the share of
//	           disappointments stays below the stated one on average (certified at δ = 1%, guarantee.go)
//
// Data flow: pmlam trains one model without each fold and one on everybody, or a single one without a few users →
// calibrate → model. Native only; lab/uncertainty tests the result on data.
package calibrate
