// Package export writes a model's vectors for other tools: NumPy arrays, Parquet and CSV.
//
// A row is [mean; stddev], 2h values. The 2-Wasserstein distance between two diagonal Gaussians is the Euclidean
// distance between their rows (paper, Eq. 3), so any L2 index can serve a model: search it with a user's row for the
// nearest items. The vectors do not include a model's item-item links.
//
// In CSV files only, titles and ids that a spreadsheet would read as a formula get an apostrophe in front; see
// harmless.
//
// Files are written completely or not at all, and the same model gives the same bytes.
//
// In the flow: model → export → other tools. Not linked into the browser's program.
package export
