// Package train makes a model from interactions, exactly like the command pmlam train. It chooses settings for the
// data, trains, finds the item links that are added to the distance, lays out the map of titles, calibrates the stated
// uncertainty, and adds cold-start items (items without ratings).
//
//	d, err := dataset.Load("ratings.csv", dataset.Options{})
//	…
//	m, report, err := train.Run(ctx, d, train.Options{})
//	…
//	err = model.WriteFile("model.msgpack", m)
//
// The zero Options give the same bytes as the command without flags. Flags of the command and their equivalents:
//
//	--items, --min-rating, --min-user, …     dataset.Options
//	--preset                                 Options.Settings = Preset(name)
//	--seed, --dim, --epochs, --auto, …       fields of Options.Settings
//	--fold                                   Options.Split = d.Fold(folds, fold, splitSeed)
//	--measure                                Options.Measure = d.Fold(folds, 0, splitSeed)
//	--from, --checkpoint, --max-time         Options.From, Checkpoints (OpenCheckpoints), MaxTime
//	--cold-items                             Options.Cold
//	--precision, --with-users                Options.Precision, WithUsers
//
// The automatic choice does not change settings that differ from their preset's. To also pin settings that equal their
// preset's value, list every pinned setting in Options.ByHand.
//
// Run prints nothing and needs no terminal; Options.Events reports progress as typed events.
//
// The same data and settings give the same model, for any number of workers and however often the work was interrupted
// and resumed. If ctx ends, Run returns the best model so far together with the error.
//
// The steps are packages: choose (settings), itemlinks, calibrate. Choose and Learn run single steps.
//
// Data flow: dataset → train → model. The browser program does not link this package, unless it is built with the tag
// train to train in the browser.
package train
