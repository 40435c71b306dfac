// Package baseline holds the plain methods that PMLAM is compared with. Each is fitted on a binary U×I training matrix,
// and ranks through the same eval.Scorer, in the same harness, as PMLAM.
//
// The formula, source and cost of a method are documented at its constructor. New fits a method by name, Names lists
// them. All methods are deterministic: the same matrix gives the same scores, for any number of workers. Methods that
// score by history give equal scores to users without training items, whose list is then the items in index order;
// popularity serves such users better. The methods of package learned rank by the user's initial random row, DeepAE by
// its offsets.
//
//	s, err := baseline.New(ctx, "itemknn:neighbours=100", train, 0)
//	report, err := eval.Evaluate(ctx, s, train, test, eval.Options{})
//
// Data flow: dataset provides the matrix, eval ranks and measures. Not linked into the browser program.
package baseline
