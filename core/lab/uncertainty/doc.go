// Package uncertainty measures whether the uncertainty that a model states is true, and how useful it is.
// Each study is one file with one function that returns a report; Report holds them all.
//
//	Coverage     how often a visitor's region holds the mean of a refit on halves of the likes, or on other likes
//	Places       how many of a visitor's other likes lie within the rings on the map
//	Candidates   other ways to compute such regions
//	Reliability  the chance that somebody likes what they rate
//	Calibrators  other ways to state that chance, and the list with a guarantee
//	Stability    the chance that a title stays among the first ten
//	Selective    what is gained by showing only the most certain recommendations
//	Sigma        what the trained σ is correlated with
//	Explore      whether asking about uncertain titles pays
//	Questions    whether "which of these two?" pays
//
// All studies look at people whom the training has not seen (Person), by the model's own inference, as a visitor's page
// does. A study chooses its own settings on other people than those it reports on. Every mean over people comes
// with a 95% interval (eval.Estimate). The same model, people and seed give the same report, for any number of workers.
//
// In the flow: native only. Package train/calibrate fits the calibrations that are measured here. The command
// pmlam-lab uncertainty runs all studies, and core/lab/docs/uncertainty.md explains the results.
package uncertainty
