// Package uncertainty tests a model's statements of uncertainty and their use. Each study is one file with one function
// that returns a report; Report holds them all.
//
//	Coverage     share of refits, on halves of the likes or on others, with the mean inside a visitor's region
//	Places       share of a visitor's other likes within the rings on the map
//	Candidates   other ways to compute such regions
//	Reliability  the chance that a person likes a title that they rate
//	Calibrators  other ways to state that chance, and the list with a guarantee
//	Stability    the chance that a title stays among the first ten
//	Selective    the gain from showing only the most certain recommendations
//	Sigma        correlations of the trained σ
//	Explore      whether asking about uncertain titles pays
//	Questions    whether "which of these two?" pays
//
// All studies use people left out of the training (Person), and the model's own inference, as a visitor's page does. A
// study chooses its settings on other people than it reports on. Every mean over people has a 95% interval
// (eval.Estimate). The same model, people and seed give the same report, for any number of workers.
//
// Data flow: native only. Package train/calibrate fits the calibrations. The command pmlam-lab uncertainty runs all
// studies, and core/lab/docs/uncertainty.md explains the results.
package uncertainty
