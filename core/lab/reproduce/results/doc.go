// Package results reads and writes what a study measured in the form in which it is published: a folder of a few
// files that people and other programs read.
//
//	table1.csv           a row a data set: its counts, and the digest that identifies it
//	table2.csv           a row a method, data set and fold: what was chosen, the figures, what they cost
//	table3.csv           the same of the ablation, and of bounds and margins
//	table4.csv           a row a case study of a data set: the margins by genre
//	table4-triplets.csv  a row a triplet that the tables list
//	trials.csv           a row a trial on a validation part
//	users.parquet        a row a user and measurement: the places of the hits among the first ten
//
// Numbers stand with the fewest digits that read back as the same. Rows are sorted, so that the same measurements
// give the same bytes. Read accepts the format of Write, rows in any order; an error names the file,
// the line and the column. It also refuses what is inconsistent: a measurement without its trial or its users, or whose
// figures are not those of its users. Sizes are bounded: MaxText bytes a CSV, MaxUsers rows in the Parquet file.
//
// In the flow: reproduce → results → the repository's results. Not linked into the browser's program.
package results
