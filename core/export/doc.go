// Package export writes a model's vectors for other tools: NumPy arrays, Parquet and CSV.
//
// A row is [mean; stddev], 2h values. The 2-Wasserstein distance between two diagonal Gaussians is the Euclidean
// distance between their rows (paper, Eq. 3), so any index for L2 serves a model: search it with a user's row for the
// nearest items. A model's item-item part is not in the vectors.
//
// Titles and ids that a spreadsheet would take for a formula have an apostrophe before them in CSV files, and in those
// alone: see harmless.
//
// It promises files that are there whole or not at all, and the same bytes for the same model.
//
// In the flow: model → export → anybody's tools. Not linked into the browser's program.
package export
