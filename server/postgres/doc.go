// Package postgres stores a model in PostgreSQL with pgvector, and queries it there.
//
// A row [mean; stddev] is a vector, and the 2-Wasserstein distance between two Gaussians is the Euclidean distance
// between their rows, so an L2 index finds the nearest items. [Export] copies a model into new tables, builds the index
// and replaces the functions that answer, in one transaction: others see either the old or the new model. The functions
// (sql/functions.sql) compose a visitor and rank as core/recommend does, with item links and genres. [Store] calls
// them, and [Handler] answers over HTTP from a store.
//
//	SELECT * FROM pmlam.recommend(ARRAY['1', '6'], 10, exclude => ARRAY['260']);
//
// The lists are the same as from an exact scan (recommend.Recommender, ForYou), except for items that the index misses
// and items whose costs differ by rounding: pgvector and sums in SQL are not bit-identical. core/lab/docs/server.md has
// the measurements.
//
// The data flow is model → postgres → SQL, or Store. This is a separate Go module, so that only its users get its
// dependencies.
package postgres
