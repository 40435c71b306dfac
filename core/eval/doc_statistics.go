// Package statistics says how sure a comparison of recommenders is: intervals of a mean by the bootstrap over users,
// tests of paired differences (Student's t, Wilcoxon's signed ranks), rank correlations.
//
// It promises figures that depend on the values and the seed alone. Each formula stands at its function, with its source;
// the tests hold them against closed forms and against SciPy (testdata).
//
// In the flow: eval gives a figure for every user; uncertainty and reproduce compare them. Not linked into the browser's
// program.
package eval
