// Package results reads and writes published measurements: a folder of a few files for people and other programs.
//
//	table1.csv           a row per data set: its counts, and the digest that identifies it
//	table2.csv           a row per method, data set and fold: chosen settings, figures, cost
//	table3.csv           the same for the ablation, bounds and margins
//	table4.csv           a row per case study of a data set: the margins by genre
//	table4-triplets.csv  a row per triplet that the tables list
//	trials.csv           a row per trial on a validation part
//	users.parquet        a row per user and measurement: the ranks of hits among the first ten
//
// Numbers have the fewest digits that read back as the same. Rows are sorted, so the same measurements give the same
// bytes. Read accepts the format of Write with rows in any order; errors name file, line and column. It also refuses
// inconsistencies: a measurement without its trial or its users, or with figures that do not follow from its users.
// Sizes are bounded: MaxText bytes per CSV, MaxUsers rows in the Parquet file.
//
// Data flow: reproduce → results → the repository's results. Not linked into the browser's program.
package results
