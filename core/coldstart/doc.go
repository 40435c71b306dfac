// Package coldstart places items without ratings (cold start) by their genres, tags, year, further columns of the
// catalogue, words of titles and descriptions, and external vectors. Add appends them to a model without training it.
// Fit learns the map that Add uses: a ridge regression from features to an item's entry in the model file.
//
//	with, report, err := coldstart.Add(ctx, m, coldstart.Items{Catalogue: c}, 0)
//
// Without any ratings, Alone makes a model from the same features. Update refreshes titles, genres and columns of a
// model's own items.
//
// # What is fitted
//
// Warm items were liked in training (catalogue.Item.Count > 0), cold ones were not. Let x_i be the features of warm
// item i (features.go), θ_i = [μ_i; s_i] its row, and w_i = count_i/(count_i + 10) its weight; the row of an item with
// few likes is mostly noise. Then
//
//	B = argmin Σ_i w_i ‖θ_i − θ̄ − Bᵀ(x_i − x̄)‖² + λ‖B‖²        θ̂(x) = θ̄ + Bᵀ(x − x̄)
//
// where x̄ and θ̄ are weighted means. λ has the least leave-one-out error on warm items, which needs no further
// regression (ridge.go). The logit of the chance that somebody likes an item is one more target. A ridge regression is
// linear in its targets, θ̂(x) = Σ_i α_i(x)·θ_i, and the α_i give the rest of the entry: a link of item j to the new
// one weighs Σ_i α_i·B_ji, and its place on the map is the mean of the warm items with the largest α_i.
//
// # How a new item is marked as new
//
// Its count is 0, and readers of a model recognise it by that. It is as uncertain as an arbitrary item of the catalogue
// (recommend.Inferrer.ItemSpread), and it is left out of the catalogue's mean, the prior and the shares of genres. The
// error of the map is part of its row (entry.go: moveAway): on average, the row is as far from every visitor as the
// true row is.
//
// # Promises
//
// The same model and items give the same model, for any number of workers and any division into several calls, because
// only warm items are learned from. The model's items keep their indices, their rows, and their order in every list.
//
// # Shapes
//
// I warm items, f features, nnz_i non-zero features of item i, h latent dimensions.
//
// In the flow: model and dataset → content → model. Native only; lab/cold measures it.
package coldstart
