// Package baseline holds the baselines that PMLAM is compared with. Each is fitted on a binary U×I training matrix and
// evaluated like PMLAM, through eval.Scorer.
//
// The formula, source and cost of a method are documented at its constructor. New fits a method by name, Names lists
// them. All methods are deterministic: the same matrix gives the same scores, for any number of workers. Users without
// training items get equal scores from methods that score by history, so their list is in index order; popularity
// serves them better. For such users, the methods of package learned rank by the user's initial random row, and DeepAE
// by its offsets.
//
//	s, err := baseline.New(ctx, "itemknn:neighbours=100", train, 0)
//	report, err := eval.Evaluate(ctx, s, train, test, eval.Options{})
//
// Data flow: dataset provides the matrix, eval ranks and measures. Not linked into the browser program.
package baseline
