// Package itemlinks builds a model's item links from the training data. For every item i they hold a few weights B_ji
// of other items j, which are added to the score of i for users who like j (model.ItemLinks; I targets, at most Top
// sources each).
//
// Use: Cosine, Ridge and EASE each build such links from the training matrix (U×I). A Recipe names one of them with its
// settings, and builds links for all targets or for some. NewScorer adds links to another scorer: −W2² + γ·Σ B_ji.
// Choose compares recipes and values of γ on validation data.
//
// The same data give the same links, for any number of workers.
//
// Data flow: dataset → itemlinks → model. Native only; the browser needs only model.ItemLinks.
package itemlinks
