// Package tune searches for settings on a validation part of the training data, for engineers with hours to spend.
//
// Search runs many trials over the declared Space of a preset, by the tree-structured Parzen estimator. Trials below
// the median stop early. A choose.Journal keeps every trial, so an interrupted study resumes with the same results.
// Importances and Picture show which settings mattered. Package train/choose is the cheaper choice: a few trainings.
//
// The validation part comes out of the matrix given to Search, which uses no other data, so the test part of a split
// stays an honest test. The same data, settings and seed give the same trials, for any number of workers and after any
// interruption. A trial is a deterministic training; the next trial depends on the seed, its number and the figures of
// earlier trials; only the number of trials depends on time (Options.MaxTime).
//
// The study, its distributions, storage and pruning are those of github.com/c-bata/goptuna. The sampler behind its
// interface is ours: the library's own (v0.9.0) draws from the process's global random source, so no seed repeats it,
// and sums the logarithms of the mixture's densities instead of using the mixture's density.
//
// Data flow: dataset makes the matrix; pmlam trains; pmlam-lab tune shows the result and writes the settings that pmlam
// train reads. Not linked into the browser's program.
package tune
