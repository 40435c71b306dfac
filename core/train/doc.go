// Package train makes a model of interactions, as the command pmlam train does: it chooses the settings that suit the
// data, trains, finds the item links that stand beside the distance, lays out the map of titles, finds how far the
// model's statements can be trusted, and enters items that nobody has rated yet.
//
//	d, err := dataset.Load("ratings.csv", dataset.Options{})
//	…
//	m, report, err := train.Run(ctx, d, train.Options{})
//	…
//	err = model.WriteFile("model.msgpack", m)
//
// The zero value of Options is what the command does without flags, and gives the same bytes. Options.Split and
// Options.Measure measure on items that are held out; Options.Checkpoints and Options.MaxTime are for trainings that
// take hours, and Options.Events reports how far the work is, in typed events. Run prints nothing, and needs no
// terminal.
//
// The same data and settings give the same model, whatever the number of workers and however often the work was
// stopped. Where ctx ends, Run returns the best model so far with the error.
//
// Its steps are packages of their own: choose (settings), itemlinks, calibrate. Learn and Choose are two of the steps
// alone.
//
// In the flow: dataset → train → model. The browser's program does not link it; one that trains there is built with the
// tag train.
package train
