// Package dataset reads interactions and catalogues, filters them as the paper does, and cuts them into splits.
//
// It is the first room of the flow: files → dataset → relation, pmlam, baseline, eval. What leaves it is a Dataset:
// a binary U×I matrix of positives in compressed sparse rows, the ids behind the indices, and what the items are.
//
// A Load passes through five steps, each in a file of its own:
//
//	detect   what is this folder or file? Zip archives are folders          detect.go, folders.go, files.go, formats.go
//	         which column is what, by names and values, or a question       columns.go, names.go, profile.go
//	read     rows → records (user, item, rating, time), ids interned        delimited.go, jsonlines.go, adjacency.go, …
//	merge    one record a (user, item): the latest counts                   merge.go
//	filter   ratings from MinRating on; at least MinUser, MinItem positives filter.go
//	build    indices renumbered, rows compressed, catalogue attached        build.go, catalogue.go
//
// Promises:
//
//   - Order. Users and items are numbered by their first appearance in the source (files in the order train,
//     validation, test; bad lines do not count), those that the filters drop left out. Nothing depends on the order
//     of a map, on the clock or on the number of processors.
//   - Memory. A record takes 20 bytes whatever its ids are; records are sorted and merged in place. 25 million
//     ratings fit within 1 GB of resident memory, result included (TestBig measures it).
//   - Bounds. Lines, ids, columns, the number of ids and of interactions all have limits (limits.go), checked before
//     memory is taken; every reader is fuzzed.
//   - Nothing in silence. What was understood of each file is in Report.Readings; what cannot be told, or looks as if it
//     should not be passed over, is a *ColumnError, *QuestionError or *PersonError that asks. docs/formats.md has the rules.
//   - Errors. What is wrong in a file is a *ParseError: file, line, column, the value, the rule, and what to do.
package dataset
