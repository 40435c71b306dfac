// Package results reads and writes what a study measured in the form in which it is published: a folder of a few
// files that people and other programs read.
//
//	table1.csv           a row a data set: what it counts, and the digest by which it is known again
//	table2.csv           a row a method, data set and fold: what was chosen, the figures, what they cost
//	table3.csv           the same of the ablation
//	table4.csv           a row a data set: the margins by genre
//	table4-triplets.csv  a row a triplet that the tables list
//	trials.csv           a row a trial on a validation part
//	users.parquet        a row a user and measurement: the places of the hits among the first ten
//
// Numbers stand with the fewest digits that read back as the same. Rows are sorted, so that the same measurements
// give the same bytes. Read refuses whatever is not as Write writes it but for the order of rows, with the file, the
// line and the column, and whatever does not fit together: a measurement without its trial or its users, or whose
// figures are not those of its users. All is bounded: MaxText bytes a CSV, MaxUsers rows in the Parquet file.
//
// In the flow: reproduce → results → the repository's docs/results. Not linked into the browser's program.
package results
