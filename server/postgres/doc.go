// Package postgres keeps a model in PostgreSQL with pgvector, and asks it there.
//
// A row [mean; stddev] is a vector, and the 2-Wasserstein distance between two Gaussians the Euclidean distance of
// their rows, so an index for L2 finds the nearest items. [Export] copies a model into new tables, builds the index and
// replaces the functions that answer, in one transaction: others see the old model or the new one, whole. The functions
// (sql/functions.sql) compose a visitor and rank as core/recommend does, with item links and genres; [Store] asks
// them, and [Handler] answers by a store over HTTP.
//
//	SELECT * FROM pmlam.recommend(ARRAY['1', '6'], 10, exclude => ARRAY['260']);
//
// It promises the list of an exact scan (recommend.Recommender, ForYou) but for what the index misses and for items
// whose costs differ by rounding: pgvector and the sums in SQL are not the same bits. docs/postgres.md has the figures.
//
// Where it stands in the flow: model → postgres → SQL, or Store. A Go module of its own, so that only those who use it
// have its dependencies.
package postgres
