// Package baseline holds the plain methods that PMLAM is compared with. Each is fitted on a training matrix, U×I
// binary, and ranks through the same eval.Scorer as PMLAM, in the same harness.
//
// Each method's formula, source and cost are at its constructor. New makes one by its name, Names lists them. Every
// method is deterministic: the same matrix gives the same scores, whatever the number of workers. A user without
// training items gets equal scores from the methods that look at the history, so such a user's list is the items in
// index order; popularity serves that user better. The methods of package learned rank by a row of the user's that
// stays as it was drawn, DeepAE by its offsets.
//
//	s, err := baseline.New(ctx, "itemknn:neighbours=100", train, 0)
//	report, err := eval.Evaluate(ctx, s, train, test, eval.Options{})
//
// In the flow: dataset gives the matrix, eval ranks and measures. Not linked into the browser's program.
package baseline
