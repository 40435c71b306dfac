// Package tune searches for settings on a validation part of the training data, for an engineer with hours.
//
// Search runs many trials over the declared Space of a preset, by the tree-structured Parzen estimator. Trials below
// the median stop early. A choose.Journal keeps every trial, so an interrupted study resumes with the same results.
// Importances and Picture show which settings mattered. Package train/choose is the cheaper choice: a few trainings.
//
// The validation part is carved out of the matrix that Search is given and nothing else is ever looked at, so a caller
// who passes the training part of a split has an honest test afterwards; and the same data, settings and seed give the
// same trials, for any number of workers and wherever the work was cut in between. A trial is a training, which is
// deterministic; what the next trial tries depends on the seed, its number and the figures of the trials before it;
// only the number of trials depends on time (Options.MaxTime).
//
// The study, its distributions, its storage and its rule for stopping trials are those of
// github.com/c-bata/goptuna. The sampler behind its interface is this package's: that library's own (v0.9.0) draws
// from the process's global random source, so no seed repeats it, and sums the logarithms of the mixture's densities
// instead of taking the density of the mixture.
//
// In the flow: dataset makes the matrix; pmlam trains; pmlam-lab tune shows the outcome and writes the settings that
// pmlam train reads. Not linked into the browser's program.
package tune
