// Package dataset reads interactions and item descriptions, filters them as the paper does, splits them into training
// and test parts, and finds similar users and items.
//
// Load, LoadFixed and LoadAt return a Dataset: a binary U×I matrix of positives in compressed sparse rows, the external
// ids of its rows and columns, and a catalogue of its items. Data flow: files → dataset → pmlam, baseline, eval.
//
// # Files, in the order of a Load
//
//	load          Load and LoadFixed, which call the steps below
//	detect_*      1. which format a file or folder has, by file names and first bytes
//	files_*       the file system; archives are read like folders; compression and text encodings are undone
//	columns_*     2. the roles of the columns, by names and values, and the report on them (Reading)
//	read_*        3. rows → interactions: delimited text, JSON lines, Parquet, adjacency lists, matrices, known data
//	              sets; the parsers of ratings and times
//	build_*       4. collect: check each interaction and number its ids. 5. merge: one record per (user, item).
//	              6. filter: positives only, and the minima per user and item. 7. build: renumber, compress
//	catalogue_*   8. titles, years, genres and further columns of the items
//
// # Files of the result
//
//	dataset       Dataset, Options and Report
//	matrix, ids   the binary matrix; index ↔ external id
//	split         folds, by time, hold-out, whole users; split_time: one moment for all (LoadAt);
//	              audit: what a test part gives away
//	stats         counts, and the paper's Table 1
//	relation_*    neighbours by cosine, for Eqs. 16 and 17
//	errors        every error type; limits: every bound
//
// Reading and result are one package because readers fill the unexported parts of IDs, Report and the records.
// Delimited text has its own reader (read_delimited.go) instead of encoding/csv for four reasons: data sets use
// delimiters of several bytes ("::") and runs of blanks; a bad line must not end the reading, and encoding/csv cannot
// continue after an unclosed quote; memory is bounded by the line; and fields are slices of the line, so a row needs no
// allocation.
//
// # Promises
//
//   - Order. Users and items are numbered by their first appearance in the source (files in the order train,
//     validation, test; bad lines do not count), after the filters. Nothing depends on map order, the clock or the
//     number of processors.
//   - Memory. A record takes 20 bytes, regardless of its ids; records are sorted and merged in place. 25 million
//     ratings fit within 1 GB of resident memory, result included (TestBig measures it).
//   - Bounds. Lines, ids, columns, the number of ids and of interactions have limits (limits.go), which are checked
//     before memory is taken. Every reader is fuzzed.
//   - No silent guesses. Report.Readings shows how each file was understood. An undecided case is an error that asks:
//     *ColumnError or *QuestionError. docs/formats.md has the rules.
//   - Errors. A bad line is a *ParseError: file, line, column, value, rule, and a remedy.
package dataset
