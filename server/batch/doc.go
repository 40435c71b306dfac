// Package batch prepares, splits, compares and ranks interactions that exceed one machine, as Apache Beam pipelines
// that call the core's own functions. Their output equals the core's on one machine, row by row; tests compare the
// bytes.
//
//	prepare     read → cut at a moment (optional) → merge → filter to the fixed point → number → statistics →
//	            a folder of shards
//	split       a folder of shards, by folds or each user's times → one with a training and a test part
//	neighbours  the nearest items of each item by cosine
//	links       the item-item part of the preset hybrid
//	rank        the best items of each user by a model file, and the evaluation on the test part
//
// # Files
//
//	run       the runner, and a folder that appears atomically
//	collect   shared small pipelines: sums, and data that fits one worker
//	row       a user's interactions and their encoding; spool: files of rows that workers pass on
//	scan      files → rows; cut: the moment of a split; filter: merging, and the rounds; number: the shards; prepare:
//	          the sequence of jobs
//	shards    one shard as a matrix
//	count     users shared by items, a block of items at a time
//	watch     a job that stands still
//	split, neighbours, links, rank
//
// # Memory
//
// A worker holds all items (ids, counts, a model's rows: the data of a browser), one user's interactions, and one shard
// of users. All interactions or users are never on one machine. No step groups by item what all its users have: a very
// popular item takes one count for each other item.
//
// All paths are on a file system shared by the workers, through which all rows pass. This is a separate module, so that
// the main one does not require Beam.
package batch
