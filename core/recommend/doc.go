// Package recommend turns a model and a visitor's likes into recommendations with reasons and certainty.
//
//	r, err := recommend.Open(m, recommend.Options{})
//	v := recommend.Visit{Likes: []int{3, 77}}
//	taste := r.Taste(v, nil)
//	list := r.Recommend(v, taste, recommend.Request{K: 10})
//
// Open reads a model once and prepares all questions. A *Recommender does not change after that and is safe for
// concurrent use. It keeps no state of visitors: each question brings their likes and dislikes as a Visit.
//
// # How an answer is made
//
// An Inferrer turns likes and dislikes into a Taste: the visitor's row θ_u = [μ_u; s_u], and the uncertainty of μ_u. If
// the model's users are composed, so is the row: from the rows of the liked items. If they have a learned part, the row
// is fitted by a short descent of the training's own loss with all items frozen (fold-in). The trained s is not our
// uncertainty about the visitor. That is a separate covariance of μ_u (posterior.go in a calibrated model, spread.go in
// any other).
//
// An Index finds the items of the lowest cost,
//
//	cost_i = W2²(u, i) − bonus_i        bonus_i = s·γ·(Σ_{j liked} B_ji − Σ_{j disliked} B_ji) + genres_i + rare_i
//
// where B are the item-item weights of a model that has them (bonus.go), and genres_i is the evidence from the genres
// of the likes for item i (genres.go). The modes, diversity, exploration, reasons (reasons.go, general.go), chances and
// the rest of Engine build on the costs.
//
// # Shapes
//
// I items, h latent dimension, 2h the length of a row, n likes and m dislikes of a visitor, k items requested, Q
// negatives of a fold-in, H hidden width of the margin network, τ the unit of W2² that the loss was trained with.
//
// # Same answers everywhere
//
// The same model and the same question give the same bits, natively and in the browser, with any scan kernel, and for
// likes in any order. The scan runs in float32 with the fastest kernel available, and only selects a shortlist, using a
// bound on its rounding error. The shortlist is scored again in float64 in a fixed order of operations. Sums run in the
// items' order, products are rounded before they are added so that no compiler fuses them, and the only function of
// package math that affects an order is Sqrt, which is exact everywhere. Ties go to the lower item.
//
// In the flow: dataset and pmlam train, model keeps, recommend answers; ui, wasm, the command and the laboratory ask
// through Engine.
package recommend
