// Package reproduce measures methods as the paper does and writes its tables: statistics of the data (Table 1), all
// methods on all data sets (Table 2), curves by the length of the list (Figure 3), the ablation (Table 3) and the
// margins of single triplets (Table 4).
//
// The protocol. Each user's items are split at random into five folds; four are learned from, the fifth is tested on,
// each in turn. A published split is taken as it is, as one fold. Within the training part a tenth of each user's items
// is the validation part: it decides the epochs of every method that has any, and the settings, by as many trials for
// each method (Protocol.Trials) of the method's stated Space, the first with its defaults. With what did best the
// method learns from the whole training part and ranks all items outside of it for all users. Nothing is ever chosen on
// a test part, not even on that of another fold. Figures are the mean over the folds and their standard deviation; a
// comparison takes each user's mean over the folds, tests the differences, and tells the interval of their mean.
//
// What it promises: the same data, protocol and methods give the same tables, however often the work was interrupted,
// and for any number of workers and jobs. Every trial and every measurement is kept in a Store as it ends, under the
// hash of everything that decides it, so a study that was killed continues from there. Publish turns what was measured
// into the few files of package results; what such a folder holds (Published) need not be measured again, and tables
// can be made of it where the data are not.
//
// In the flow: dataset → (baseline, pmlam, tune) → reproduce (↔ results) → the command pmlam-lab reproduce. Not linked
// into the browser's program.
package reproduce
