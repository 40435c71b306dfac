// Package choose chooses the few settings that depend on the data, before a training (Auto). It takes about three trial
// trainings on small data and one, on a sample, on large data. Each learns from the training part less a validation
// part.
//
// The validation part is carved out of the matrix given to Auto, which looks at nothing else. So a caller who passes
// the training part of a split can still make an honest test. The same data, settings and seed give the same trials,
// for any number of workers and after any interruption: a Journal records every trial, and an interrupted choice
// continues from it.
//
// Settings control a training and the steps around it; Value and Apply read and change them by their names in a
// settings file. ChooseItemPart chooses only an item-item part.
//
// Data flow: dataset → choose → pmlam trains. Not linked into the browser program.
package choose
