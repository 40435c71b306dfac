// Package choose chooses, before a training, the few settings that depend on the data (Auto): by some ten trainings on
// small data and a few on large data, each of which learns from the training part less a validation part.
//
// The validation part is carved out of the matrix that Auto is given and nothing else is ever looked at, so a caller
// who passes the training part of a split has an honest test afterwards. The same data, settings and seed give the same
// trials, for any number of workers and wherever the work was cut in between: a Journal keeps every trial, and an
// interrupted choice goes on from it.
//
// Settings are those of a training and of all around it; Value and Apply read and change them by their names in a
// settings file. ChooseItemPart chooses an item-item part alone.
//
// In the flow: dataset → choose → pmlam trains. Not linked into the browser's program.
package choose
