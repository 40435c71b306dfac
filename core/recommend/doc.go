// Package recommend answers a visitor: a model goes in, and recommendations with reasons and certainty come out.
//
//	r, err := recommend.Open(m, recommend.Options{})
//	v := recommend.Visit{Likes: []int{3, 77}}
//	taste := r.Taste(v, nil)
//	list := r.Recommend(v, taste, recommend.Request{K: 10})
//
// Open reads a model once and prepares what the questions need. After that nothing changes, so one *Recommender serves
// any number of goroutines. All that a visitor has said comes in with each question as a Visit; nothing is kept.
//
// # How an answer is made
//
// An Inferrer turns likes and dislikes into a Taste: the visitor's row θ_u = [μ_u; s_u], and how well μ_u is known. The
// row is composed from the rows of the liked items where the model's users are, and fitted by a short descent of the
// training's own loss with all items frozen where they have a learned part (fold-in). The trained s does not say how
// sure we are; beside it stands the covariance of our knowledge of μ_u (posterior.go in a calibrated model, spread.go
// in any other).
//
// An Index finds the items of the lowest cost,
//
//	cost_i = W2²(u, i) − bonus_i        bonus_i = γ·(Σ_{j liked} B_ji − Σ_{j disliked} B_ji) + genres_i
//
// where B are the item-item weights of a model that has them (bonus.go), and genres_i is what the genres of the likes
// say of item i (genres.go). On top of the costs stand the modes, diversity, exploration, reasons (reasons.go,
// general.go), chances and the rest of Engine.
//
// # Shapes
//
// I items, h latent dimension, 2h the length of a row, n likes and m dislikes of a visitor, k items asked for, Q
// negatives of a fold-in, H hidden width of the margin network, τ the unit of W2² that the loss was trained with.
//
// # Same answers everywhere
//
// The same model and the same question give the same bits, natively and in the browser, by any scan kernel, and
// whatever the order in which things were said. The scan runs in float32 by whichever kernel is at hand and only
// shortlists, by a bound on its rounding error; the shortlist is scored again in float64 in one order of operations.
// Sums run in the items' order, products are rounded before they are added so that no compiler fuses them, and of
// package math only Sqrt, which is exact everywhere, enters what decides an order. Ties go to the lower item.
//
// In the flow: dataset and pmlam train, model keeps, recommend answers; ui, wasm, the command and the laboratory ask,
// by way of Engine.
package recommend
