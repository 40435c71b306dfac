// Package reproduce measures methods by the paper's protocol and writes its tables: statistics of the data (Table 1),
// all methods on all data sets (Table 2), curves by list length (Figure 3), the ablation (Table 3) and the margins of
// single triplets (Table 4).
//
// The protocol. Each user's items are split at random into five folds; each fold is tested once after training on the
// other four. A published split is taken as it is, as one fold. A tenth of each user's training items is the validation
// part. It decides the number of epochs, and the settings by the same number of trials per method (Protocol.Trials)
// from the method's Space; the first trial has the defaults. The method is then trained on the whole training part with
// the best trial's settings and ranks all other items for all users. Nothing is chosen on a test part, not even that of
// another fold. Figures are means over folds with their standard deviation. A comparison takes each user's mean over
// folds, tests the differences, and has the interval of their mean.
//
// Promises: the same data, protocol and methods give the same tables, after any interruption and for any number of
// workers and jobs. A Store keeps every finished trial and measurement under the hash of everything that decides it, so
// a killed study resumes. Publish writes measurements as the few files of package results. Measurements in such a
// folder (Published) are not repeated, and tables can be made from it without the data.
//
// Data flow: dataset → (baseline, pmlam, tune) → reproduce (↔ results) → the command pmlam-lab reproduce. Not linked
// into the browser's program.
package reproduce
