// Package refresh updates a model with newer data of the same people and items and changes only a small part of it.
// Visitors with the older file download only the difference (core/delta), a few percent of the file.
//
//	newer, report, err := refresh.Refresh(ctx, older, d, refresh.Options{})
//
// A full training moves every row, including items with no new data, because many arrangements are equally good. A day
// of events concerns few items. Therefore
//
//   - new items are appended to the model's own;
//   - the items whose likes have changed most are moved: z = |n − c|/√(c + 1) for n likes now and c when the row was
//     last learned; a random change is about 1. One refresh moves at most a share of the rows (Options.Share).
//     The catalogue's count of an item stays c until its row moves, so changes that must wait add up until their turn;
//   - all other rows, their links, places on the map and rates stay bit for bit as in the file;
//   - rows that move are trained for a few epochs on all interactions, with the other rows held (pmlam.Trainer.Hold);
//   - links of items that move are found again with the settings of the older training;
//   - the calibration stays except for the rates of items that move, and so do the regions of the map.
//
// People are not in the file: a visitor is composed from the items that they like, so new likes count even if no row
// moves. Still, rows drift away from a full training's, so run one from time to time (docs/refresh.md has figures).
//
// In the flow: model and dataset → refresh → model. Native only; core/lab/bench/refresh measures it.
package refresh
