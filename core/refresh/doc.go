// Package refresh brings a model up to date with newer data of the same people and items, and leaves nearly all of it
// as it is: a visitor who has the older file fetches what has changed (core/delta), which is a few percent of it.
//
//	newer, report, err := refresh.Refresh(ctx, older, d, refresh.Options{})
//
// A full training moves every row, of items too of which nothing was heard since yesterday: there are many arrangements
// that are equally good. What a day of events tells is about few items. So
//
//   - items that the model does not have are entered behind its own;
//   - of its own those move whose likes have changed most, z = |n − c|/√(c + 1) for n likes now and c when the row was
//     last learned: a change by chance is about 1. At most a share of the rows moves in one refresh (Options.Share).
//     The catalogue's count of an item stays c until its row moves, so what is left over adds up and has its turn;
//   - all other rows, their links, places on the map and rates stay, bit by bit, as the file has them;
//   - what moves is trained for a few epochs on all interactions beside what is held (pmlam.Trainer.Hold);
//   - links of what has moved are found anew by the settings of the older training;
//   - the calibration stays, but for the rates of what has moved, and so do the regions of the map.
//
// People are not in the file: a visitor is made of the items that they like. What has happened since a full training
// is therefore not lost on visitors even where rows stay. Rows drift apart from those of a full training all the same,
// which should follow from time to time (docs/refresh.md has figures).
//
// In the flow: model and dataset → refresh → model. Native only; core/lab/bench/refresh measures it.
package refresh
