// Package itemlinks finds a model's item-item part in the training data: for every item i a few weights B_ji of other
// items j, which are added to the score of i for whoever likes j (model.ItemLinks; I targets, at most Top sources
// each).
//
// Use: Cosine, Ridge and EASE each build such links from the training matrix (U×I); a Recipe names one of them with its
// settings, and builds them for all targets or for some. NewScorer adds links to another scorer, −W2² + γ·Σ B_ji.
// Choose compares recipes and values of γ on validation data.
//
// The same data give the same links, whatever the number of workers.
//
// In the flow: dataset → itemlinks → model. Native only; the browser needs only model.ItemLinks.
package itemlinks
