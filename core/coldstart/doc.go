// Package coldstart places items that nobody has rated yet by their genres, tags, year, further columns of the
// catalogue, words of titles and descriptions, and vectors from elsewhere. Add enters them into a model without a
// training; Fit learns the map that does it, a ridge regression from features to what a model file holds of an item.
//
//	with, report, err := coldstart.Add(ctx, m, coldstart.Items{Catalogue: c}, 0)
//
// Where nobody has rated anything, Alone makes a model of the same features. Update brings what is shown of a model's
// own items up to date.
//
// # What is fitted
//
// Warm items are those that somebody liked in training (catalogue.Item.Count > 0), cold ones the others. With the
// features x_i of the warm items (features.go), their rows θ_i = [μ_i; s_i], and weights w_i = count_i/(count_i + 10),
// since the row of an item that few like is mostly noise,
//
//	B = argmin Σ_i w_i ‖θ_i − θ̄ − Bᵀ(x_i − x̄)‖² + λ‖B‖²        θ̂(x) = θ̄ + Bᵀ(x − x̄)
//
// where x̄ and θ̄ are weighted means. λ is the one with the least error on warm items left out one at a time, which
// takes no further regression (ridge.go). The logit of the chance that somebody likes an item is one more target. A
// ridge regression is linear in what it is fitted to, θ̂(x) = Σ_i α_i(x)·θ_i, and the α_i are used for what else a file
// demands: a link of item j to the new one weighs Σ_i α_i·B_ji, and on the map it lies amidst the warm items with the
// largest α_i.
//
// # How a new item says that it is new
//
// Its count is 0. Whatever reads a model knows it by that: its spread (recommend.Inferrer.ItemSpread) is that of any
// item of the catalogue, and it takes no part in the catalogue's mean, the prior and the shares of genres. The error of
// the map is in its row (entry.go: moveAway): it lies as far from everybody as the true row does on average.
//
// # Promises
//
// The same model and items give the same model, for any number of workers and however the items are dealt out to
// several calls, for only warm items are learned from. The items of the model keep their indices, their rows, and their
// order in everybody's list.
//
// # Shapes
//
// I warm items, f features, nnz_i of them not 0 of item i, h latent dimension.
//
// In the flow: model and dataset → content → model. Native only; lab/cold measures it.
package coldstart
